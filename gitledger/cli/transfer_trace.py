"""`export agent-trace`."""

from __future__ import annotations

import os
import sys

import click


@click.command("agent-trace")
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@click.option("-o", "--output", metavar="FILE", help="Write there instead of to stdout.")
def export_trace(agents: tuple[str, ...], output: str | None) -> None:
    """Write which lines agents wrote, as Agent Trace 0.1.0.

    One JSON record a line and commit. AGENT left out, of every agent.
    """
    import json

    from gitledger.git.repository import discover
    from gitledger.services.transfer_trace import traces
    from gitledger.store.places import write_whole

    lines = "".join(json.dumps(one) + "\n" for one in traces(discover(), agents))
    if output is None:
        sys.stdout.write(lines)
    else:
        write_whole(os.path.abspath(output), lines.encode())
