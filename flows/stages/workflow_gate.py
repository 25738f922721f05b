"""Gate: the `workflow` text of every shortcut matches its actions.

The parsers write this text, and the core does not import the parsers. So this gate is defined
here, and is passed to the code that checks, builds or publishes a release.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

import msgspec

from benchloom.core.records import Action, Shortcut
from benchloom.normalise.definitions.control_definitions import load_index
from benchloom.normalise.redaction import redact_text
from benchloom.release.gates import AnyGate, GateView, Part, RowsPart
from parsers.shortcuts.wording import describe_workflow
from parsers.shortcuts.wording.filled_summaries import describe_calls


class WorkflowGate(msgspec.Struct, frozen=True):
    """The workflow gate: one line per shortcut whose text does not match its actions."""

    def parts(self, release: GateView) -> Iterator[Part]:
        """Divide this check into parts, one per piece of the table."""
        beside = ("api_definitions",) if _is_joined(release) else ()
        return (RowsPart(piece, Shortcut, _rule, beside) for piece in release.pieces("shortcuts"))


def _rule(release: GateView) -> Callable[[Shortcut], Iterator[str]]:
    return partial(workflow_findings, writer_of(release))


def workflow_findings(
    describe: Callable[[Sequence[Action]], str], shortcut: Shortcut
) -> Iterator[str]:
    """Yield a line if the text of a shortcut does not match its actions."""
    text = describe(shortcut.actions)
    if text == shortcut.workflow:
        return  # whether something secret is left in it is for the gate of redaction to say
    # Actions that hold nothing secret can still read as if they did: see `redact_shortcut`.
    if redact_text(text, rendered=True).text != shortcut.workflow:
        location = f"shortcuts: {shortcut.shortcut_id} ({shortcut.source_digest})"
        yield f"{location}: workflow is not what its actions read as"


@lru_cache(maxsize=1)
def writer_of(release: GateView) -> Callable[[Sequence[Action]], str]:
    """Return the text writer of a release; it uses definitions' summaries if it was joined."""
    if not _is_joined(release):
        return describe_workflow
    index = load_index(release.folder)
    return lambda actions: describe_calls(actions, index.find)


def _is_joined(release: GateView) -> bool:
    return release.has("definition_checks", "api_definitions")


FURTHER_GATES: tuple[AnyGate, ...] = (WorkflowGate(),)
