"""`benchloom greet`: says hello."""

import sys

import typer


def greet() -> None:
    """Greet whoever looks at the datasets."""
    sys.stdout.write("hello\n")


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command."""
    del parents
    app.command("greet")(greet)
