"""The redaction gate: search published shortcuts once more and report anything left."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from benchloom.core.records import Action, Shortcut
from benchloom.normalise.redaction.shortcuts import redact_shortcut


def redaction_findings(shortcuts: Iterable[Shortcut]) -> Iterator[str]:
    """One line per shortcut that still holds something to redact.

    A finding names the row, kinds and counts, never a value.
    """
    for shortcut in shortcuts:
        yield from shortcut_findings(shortcut)


def shortcut_findings(shortcut: Shortcut) -> Iterator[str]:
    """Yield the finding of one shortcut, or nothing."""
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
    """Return a renderer that keeps the published description, so it is searched unchanged."""
    return lambda _actions: workflow
