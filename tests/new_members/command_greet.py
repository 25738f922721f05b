"""The command `benchloom greet`, which prints a greeting."""

import sys

from flows.commands._help import Commands

GROUP = Commands()


@GROUP.command("greet")
def greet() -> None:
    """Print a greeting."""
    sys.stdout.write("hello\n")
