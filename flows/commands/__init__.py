"""The command line, one module per command group; a module offers `add_to(app, parents)`.

The name of a module is, or begins with, the first word of its commands: `benchloom release export`
imports only `release` and the modules `release_...`. `parents` maps a parent command (parse,
release) to its group, so that `benchloom release NEW` is one new module.
"""

from typing import Protocol, runtime_checkable

import typer

from benchloom.core.kinds import Kind


@runtime_checkable
class CommandGroup(Protocol):
    """Interface of the modules of this folder, which add commands."""

    def add_to(self, app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
        """Add its commands to the application, or to one of the groups."""
        ...


COMMANDS = Kind("command group", __name__, CommandGroup, beside=("options",))
