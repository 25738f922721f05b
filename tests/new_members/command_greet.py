"""`benchloom greet`: says hello."""

import sys

from flows.commands._help import Commands

GROUP = Commands()


@GROUP.command("greet")
def greet() -> None:
    """Greet whoever looks at the datasets."""
    sys.stdout.write("hello\n")
