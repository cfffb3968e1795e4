"""Writes the man page and the completions from the commands: `python -m docs.pages`."""
