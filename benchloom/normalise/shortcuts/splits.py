"""Assign splits by cluster, detect static faults, and select the evaluation subset.

The rules of the evaluation subset are ShortcutsBench's. A static fault can be found without
importing the shortcut into an app.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from benchloom.core.built_in_actions import RUN_SHORTCUT, UNCOUNTED
from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.core.records import Action, ActionDefinition, ApiDefinition, Finding, Shortcut
from benchloom.normalise.definitions import DefinitionIndex, holds
from benchloom.normalise.definitions.app_table import AppFlags

SHARES = (("train", 80), ("validation", 10), ("test", 10))
MAX_LENGTH = 30
NO_DEFINITIONS = "no_definitions"


def split_of(anchor: str) -> str:
    """Return the split of a cluster (80 % train, 10 % validation, 10 % test).

    It depends only on a hash of the cluster's anchor, which is its smallest shortcut id.
    """
    number = int(hex_of(digest_of_parts("split", [anchor])), 16) % 100
    for name, share in SHARES:
        if number < share:
            return name
        number -= share
    return SHARES[0][0]


def find_exclusions(
    shortcut: Shortcut, index: DefinitionIndex | None, flags: Mapping[str, AppFlags]
) -> tuple[str, ...]:
    """Return the sorted reasons why a shortcut is not in the evaluation split, if any.

    `index` is None if no definitions are available.
    """
    reasons: set[str] = set()
    if shortcut.length == 0:
        reasons.add("empty")
    if shortcut.length > MAX_LENGTH:
        reasons.add("too_long")
    if any(action.identifier == RUN_SHORTCUT for action in shortcut.actions):
        reasons.add("runs_other_shortcut")
    if index is None:
        return tuple(sorted({*reasons, NO_DEFINITIONS}))
    for action in shortcut.actions:
        if action.identifier in UNCOUNTED:
            continue
        definition = index.find(action.identifier)
        if definition is None:
            reasons.add("missing_definition")
        elif definition.deprecated:
            reasons.add("deprecated_api")
        elif not definition.discoverable:
            reasons.add("non_discoverable_api")
        marked = flags.get(action.app)
        if marked is not None:
            reasons.update(f"{word}_app" for word in marked.words())
    return tuple(sorted(reasons))


_FIRST_NAMED = (
    "empty",
    "too_long",
    "runs_other_shortcut",
    NO_DEFINITIONS,
    "missing_definition",
    "deprecated_api",
    "non_discoverable_api",
)


def first_reason(exclusions: Sequence[str]) -> str:
    """Return the simplest reason why a shortcut is excluded. Statistics count only this reason."""
    for reason in _FIRST_NAMED:
        if reason in exclusions:
            return reason
    return exclusions[0]


_UNBALANCED = frozenset(
    {"unclosed_block", "unmatched_control", "crossing_blocks", "missing_group", "group_reused"}
)
_LOOP_VARIABLE = re.compile(r"Repeat (Item|Index)( \d+)?$")
_FILTER = "WFContentItem"


def find_faults(
    shortcut: Shortcut, joined: tuple[ActionDefinition, ...], index: DefinitionIndex
) -> tuple[Finding, ...]:
    """Return all faults that prevent a shortcut from running unchanged, in the order of actions."""
    findings = [
        Finding(None, "unbalanced_control_flow", oddity)
        for oddity in shortcut.oddities
        if oddity in _UNBALANCED
    ]
    set_names = _variables_set(shortcut)
    for action, definition in zip(shortcut.actions, joined, strict=True):
        if definition.definition_id is None:
            findings.append(Finding(action.index, "unknown_action", definition.api))
        findings.extend(_references(action, set_names))
        api_definition = index.find(action.identifier)
        if api_definition is not None:
            findings.extend(_missing_parameters(action, api_definition))
    return tuple(findings)


def _variables_set(shortcut: Shortcut) -> set[str]:
    return {
        argument.value.strip('"')
        for action in shortcut.actions
        for argument in action.arguments
        if argument.name == "WFVariableName" and argument.kind == "literal"
    }


def _references(action: Action, set_names: set[str]) -> Iterator[Finding]:
    for argument in action.arguments:
        for reference in argument.references:
            if reference.action_index is not None:
                continue
            message = f"{argument.name}: {reference.output or 'unnamed'}"
            if reference.kind == "output":
                yield Finding(action.index, "unresolved_reference", message)
            elif reference.output not in set_names and not _LOOP_VARIABLE.match(
                reference.output or ""
            ):
                yield Finding(action.index, "unresolved_variable", message)


def _missing_parameters(action: Action, definition: ApiDefinition) -> Iterator[Finding]:
    arguments = {argument.name: argument for argument in action.arguments}
    parameters = {parameter.name: parameter for parameter in definition.parameters}
    for parameter in definition.parameters:
        if parameter.optional is not False or parameter.default is not None:
            continue
        if parameter.name in arguments or _is_implicit(parameter.name, action, definition):
            continue
        used = [holds(condition, arguments, parameters) for condition in parameter.depends_on]
        if all(answer is True for answer in used):
            yield Finding(action.index, "missing_parameter", parameter.name)


def _is_implicit(name: str, action: Action, definition: ApiDefinition) -> bool:
    # A shortcut may omit parameters of our control actions, which are stored in columns; parameters
    # that WFActions requires because they are the output of the action before; and filters, which
    # are not written if the user did not change them.
    if definition.source_kind == "benchloom" or name.startswith(_FILTER):
        return True
    return definition.source_kind == "wfactions" and action.index > 0
