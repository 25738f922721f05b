"""The redaction gate: search published shortcuts again and report remaining private values."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from benchloom.core.records import Action, Shortcut
from benchloom.normalise.redaction.shortcuts import redact_shortcut


def redaction_findings(shortcuts: Iterable[Shortcut]) -> Iterator[str]:
    """Yield one line per shortcut that still contains a value to redact.

    A line names the row and the kinds and counts of its values, never a value.
    """
    for shortcut in shortcuts:
        yield from shortcut_findings(shortcut)


def shortcut_findings(shortcut: Shortcut) -> Iterator[str]:
    """Yield one line if the shortcut still contains a value to redact."""
    again = redact_shortcut(shortcut, _same(shortcut.workflow))
    if again is shortcut:
        return
    before = {redaction.kind: redaction.count for redaction in shortcut.redactions}
    left = {
        redaction.kind: redaction.count - before.get(redaction.kind, 0)
        for redaction in again.redactions
    }
    kinds = ", ".join(f"{kind} {count}" for kind, count in left.items() if count) or "a reference"
    if again.workflow != shortcut.workflow:
        kinds += ", workflow"
    yield f"shortcuts: {shortcut.shortcut_id} ({shortcut.source_uri}) still holds: {kinds}"


def _same(workflow: str) -> Callable[[Sequence[Action]], str]:
    # The published description stays, so it is searched unchanged.
    return lambda _actions: workflow
