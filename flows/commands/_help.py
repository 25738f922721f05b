"""What every help has in common: summaries in full, and the exit codes."""

import inspect
from typing import Any

from typer.core import TyperGroup

_WRONG = "wrong usage, configuration or input"
EXIT_CODES = (
    "Exit codes: 0 done (what was rejected is counted, no failure); 1 a gate or --strict said no, "
    f"or nothing was read or kept; 2 {_WRONG}; 3 stopped by a budget or by a "
    "site's refusal; 130 interrupted. --help of a command tells those of its own."
)


class FullGroup(TyperGroup):
    """A group whose list of commands cuts no summary, however narrow the terminal is."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """A line or several for every command that is shown."""
        del ctx
        visible_commands = [
            (name, command.get_short_help_str(limit=_NO_LIMIT))
            for name, command in self.commands.items()
            if not command.hidden
        ]
        if visible_commands:
            with formatter.section("Commands"):
                formatter.write_dl(visible_commands)


_NO_LIMIT = 10_000
_AS_IT_IS = "\b"
"""Before lines that help neither joins nor breaks."""


def with_lines(text: str, *lines: str) -> str:
    """A text of help with lines below it that somebody can copy."""
    return "\n".join((inspect.cleandoc(text), "", _AS_IT_IS, *lines))


def exit_codes(*, one: str = "", two: str = _WRONG, three: str = "") -> str:
    """The end of a command's help: what its exit codes mean; 0 is done."""
    meanings = [f"{code} {said}" for code, said in ((1, one), (2, two), (3, three)) if said]
    return f"Exit codes: {'; '.join(('0 done', *meanings))}."
