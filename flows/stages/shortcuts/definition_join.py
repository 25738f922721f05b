"""Join a shortcut with the definitions of the APIs that it calls."""

from collections.abc import Mapping, Sequence

import msgspec

from benchloom.core.records import Action, ActionDefinition, DefinitionCheck, Rejected, Shortcut
from benchloom.normalise.definitions.app_flags import AppFlags
from benchloom.normalise.definitions.index import DefinitionIndex
from benchloom.normalise.redaction import redact_text
from benchloom.normalise.shortcuts.splits import find_exclusions, first_reason
from benchloom.normalise.shortcuts.validity import find_faults
from parsers.shortcuts.implicit_inputs import with_implicit_inputs
from parsers.shortcuts.wording.filled_summaries import describe_calls

STAGE = "evaluation-split"


def joined(
    shortcut: Shortcut, index: DefinitionIndex, flags: Mapping[str, AppFlags]
) -> tuple[Shortcut, DefinitionCheck]:
    """Return the shortcut with its actions' definitions, and its check against definitions."""
    check = check_of(shortcut, index, flags)
    actions = with_implicit_inputs(shortcut, index.find)
    text = describe_calls(actions, index.find)
    # Filled summaries put values side by side that the actions hold apart; a text without any is
    # as enriching left it, in which nothing is found any more.
    is_same = text == shortcut.workflow
    row = msgspec.structs.replace(
        shortcut,
        actions=_defined(actions, check.actions),
        workflow=text if is_same else redact_text(text, rendered=True).text,
        evaluation=not check.exclusions,
        evaluation_reasons=check.exclusions,
    )
    return row, check


def exclusion_row(shortcut_id: str, source_uri: str, exclusions: Sequence[str]) -> Rejected:
    """A rejected row saying why a shortcut of `shortcuts` is not in the evaluation split."""
    message = f"not in the evaluation split: {', '.join(exclusions)}"
    return Rejected(STAGE, source_uri, first_reason(exclusions), message, shortcut_id)


def check_of(
    shortcut: Shortcut, index: DefinitionIndex, flags: Mapping[str, AppFlags]
) -> DefinitionCheck:
    """Check a shortcut against the definitions of its actions."""
    action_definitions = tuple(index.join(action) for action in shortcut.actions)
    exclusions = find_exclusions(shortcut, index, flags)
    findings = find_faults(shortcut, action_definitions, index)
    return DefinitionCheck(
        shortcut.shortcut_id,
        shortcut.source_digest,
        shortcut.source_uri,
        not exclusions,
        exclusions,
        not findings,
        findings,
        action_definitions,
    )


def _defined(
    actions: Sequence[Action], definitions: Sequence[ActionDefinition]
) -> tuple[Action, ...]:
    """Return the actions with the ids of their definitions filled in."""
    return tuple(
        msgspec.structs.replace(action, definition_id=definition.definition_id)
        for action, definition in zip(actions, definitions, strict=True)
    )
