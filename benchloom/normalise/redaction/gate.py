"""The gate: published shortcuts are searched once more, and anything left is a finding."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchloom.normalise.redaction.shortcuts import redact_shortcut
from benchloom.records import Action, Shortcut
from benchloom.tables import iter_records


def redaction_findings(folder: Path) -> Iterator[str]:
    """One line per shortcut in `folder` that still holds something to redact.

    A finding names the row, kinds and counts, never a value. `folder` is a release or a finished
    stage; without a table of shortcuts there is nothing to find.
    """
    for shortcut in iter_records(folder, "shortcuts", Shortcut):
        finding = _finding(shortcut)
        if finding is not None:
            yield finding


def _finding(shortcut: Shortcut) -> str | None:
    again = redact_shortcut(shortcut, _same(shortcut.workflow))
    if again is shortcut:
        return None
    before = {redaction.kind: redaction.count for redaction in shortcut.redactions}
    left = {
        redaction.kind: redaction.count - before.get(redaction.kind, 0)
        for redaction in again.redactions
    }
    kinds = ", ".join(f"{kind} {count}" for kind, count in left.items() if count) or "a reference"
    if again.workflow != shortcut.workflow:
        kinds += ", workflow"
    return f"shortcuts: {shortcut.shortcut_id} ({shortcut.source_uri}) still holds: {kinds}"


def _same(workflow: str) -> Callable[[Sequence[Action]], str]:
    """A renderer that keeps the published description: it is searched as it stands."""
    return lambda _actions: workflow
