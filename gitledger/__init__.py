"""git-ledger: who works where, who made which commit, and who will collide."""

__version__ = "0.1.0"
