"""The evaluation split: shortcuts whose every API is defined, current, findable and free to use.

The rules on length and on shortcuts that run others are ShortcutsBench's own.
"""

from collections.abc import Mapping

from benchloom.normalise.app_marks import AppMarks
from benchloom.normalise.definition_index import NOT_COUNTED, DefinitionIndex
from benchloom.records import Shortcut

LONGEST = 30
_RUNS_OTHERS = "is.workflow.actions.runworkflow"


def find_exclusions(
    shortcut: Shortcut, index: DefinitionIndex, marks: Mapping[str, AppMarks]
) -> tuple[str, ...]:
    """Why a shortcut is left out of the evaluation split, sorted; empty when it belongs to it."""
    reasons: set[str] = set()
    if shortcut.length == 0:
        reasons.add("empty")
    if shortcut.length > LONGEST:
        reasons.add("too_long")
    for action in shortcut.actions:
        if action.identifier in NOT_COUNTED:
            continue
        if action.identifier == _RUNS_OTHERS:
            reasons.add("runs_other_shortcut")
        definition = index.find(action.identifier)
        if definition is None:
            reasons.add("missing_definition")
        elif definition.deprecated:
            reasons.add("deprecated_api")
        elif not definition.discoverable:
            reasons.add("non_discoverable_api")
        marked = marks.get(action.app)
        if marked is not None:
            reasons.update(f"{word}_app" for word in marked.words())
    return tuple(sorted(reasons))
