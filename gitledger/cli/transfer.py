"""`import` and `export`: one subcommand a foreign format."""

from __future__ import annotations

import click

from gitledger.cli.transfer_gsd import export_gsd, import_gsd
from gitledger.cli.transfer_maestro import export_maestro, import_maestro
from gitledger.cli.transfer_trace import export_trace


@click.group("import")
def import_group() -> None:
    """Take another tool's records into the ledger."""


@click.group("export")
def export_group() -> None:
    """Write records of the ledger as another tool keeps them."""


import_group.add_command(import_gsd)
import_group.add_command(import_maestro)
export_group.add_command(export_gsd)
export_group.add_command(export_maestro)
export_group.add_command(export_trace)
