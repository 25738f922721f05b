"""The command `benchloom reasons`: it explains why rows are rejected or dropped."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec
from typer import Argument

from flows.commands._help import Commands
from flows.commands.options import Json, finish

if TYPE_CHECKING:
    from flows.console.explanations import ExplainedReason

GROUP = Commands()


class Reasons(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `reasons --json` prints."""

    command: str
    reasons: "Sequence[ExplainedReason]"


@GROUP.command("reasons")
def reasons(
    reason: Annotated[str, Argument(help="Reason of a rejected row; if absent, all.")] = "",
    json: Json = False,
) -> None:
    """Explain why rows and texts are left out, and what you can do.

    A rebuild prints reasons at its end; the tables `rejected` and `verdicts` contain them, too.

    Examples:
        benchloom reasons
        benchloom reasons duplicate_renamed
    """
    from flows.console.explanations import explain, explained_reasons

    entries = explain(reason) if reason else explained_reasons()
    report = msgspec.to_builtins(entries)
    finish(Reasons(command="reasons", reasons=report), list(_lines(entries)), as_json=json)


def _lines(entries: "Sequence[ExplainedReason]") -> Iterator[str]:
    for entry in entries:
        yield f"{entry.reason} ({entry.package}): {entry.explanation}"
        if entry.remedy:
            yield f"    {entry.remedy}"
