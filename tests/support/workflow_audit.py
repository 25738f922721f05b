"""Rules that every line of a workflow text must follow."""

import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from benchloom.core.built_in_actions import OUTPUT_UUID, PLACEHOLDER, SERIALIZATION
from benchloom.core.records import Action
from benchloom.core.records.conditions import CONDITION, OPERANDS

_PATTERNS = {
    "number_for_operator": re.compile(r"meets condition \d|\(unit \d"),
    "nothing_given": re.compile(r"\(nothing given\)"),
    "not_given": re.compile(r" not given\]"),
    "raw_mapping": re.compile(
        r"\b(?:BundleIdentifier|TeamIdentifier|workflowIdentifier|fileLocation|Identifier|"
        r"WFContactFieldValues|WFNSUnitSymbol|WFSerializationType|attachmentsByRange): "
    ),
    "case_without_title": re.compile(r"^Case \(untitled\)"),
    "placeholder_left": re.compile(re.escape(PLACEHOLDER.decode("utf-16-le"))),
    "no_verb": re.compile(r'^["\[{\d]'),
}
_PLUMBING = frozenset(
    {
        *(OUTPUT_UUID, SERIALIZATION, "Type", "OutputName", "attachmentsByRange", "WFItemType"),
        *("Aggrandizements", "TeamIdentifier", "BundleIdentifier", "workflowIdentifier", "isSelf"),
        *("Identifier", "identifier", "fileLocation", "subtitle", "WFNSUnitType", "sha256"),
        *(
            "length",
            "VariableName",
            "VariableUUID",
            "placemark",
            "alCityIdentifier",
            "timeZone",
            "filename",
        ),
        *("WFContactFieldValues", "GroupingIdentifier", "WFControlFlowMode"),
        *("Operator", "Unit", "Removable", "Bounded", "VariableOverrides", CONDITION),
        *("WFActionParameterFilterPrefix", "WFContentPredicateBoundedDate"),
    }
)
_NOT_IN_FORCE = frozenset(
    {
        *OPERANDS,
        *("WFScientificMathOperation", "WFScientificMathOperand", "WFMathOperand", "WFRoundType"),
        *("WFAdjustOffsetPicker", "WFMenuItemAttributedTitle", "WFMenuItemTitle"),
    }
)
"""Parameters that may be left over from editing; other parameters decide whether they apply."""
_SHORTENED = re.compile(r"characters, sha256|\d+ more\]")
_START = 20
_SHORTEST = 2


def broken_rules(action: Action, line: str) -> Iterator[str]:
    """Yield each rule that a line breaks once."""
    stripped_line = line.strip()
    for rule, pattern in _PATTERNS.items():
        if pattern.search(stripped_line):
            yield rule
    if not (action.control in {"branch", "close"} or _SHORTENED.search(stripped_line)):
        spaceless = _spaceless(stripped_line)
        if any(_spaceless(text[:_START]) not in spaceless for text in literals(action)):
            yield "literal_missing"


def count_broken_rules(actions: tuple[Action, ...], workflow: str) -> Counter[str]:
    """Return the number of lines of a text that break each rule."""
    lines = workflow.split("\n") if actions else []
    assert len(lines) == len(actions)
    pairs = zip(actions, lines, strict=True)
    return Counter(rule for action, line in pairs for rule in broken_rules(action, line))


def literals(action: Action) -> Iterator[str]:
    """Yield the texts in an action's arguments that people wrote or chose."""
    for argument in action.arguments:
        if argument.name not in _NOT_IN_FORCE | _PLUMBING:
            yield from _leaves(msgspec.json.decode(argument.value))


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, entry in value.items():
            if key not in _PLUMBING:
                yield from _leaves(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from _leaves(entry)
    elif isinstance(value, str) and len(value) > _SHORTEST:
        parts = value.split(PLACEHOLDER.decode("utf-16-le"))
        yield from (part for part in parts if len(part.strip()) > _SHORTEST)


def _spaceless(text: str) -> str:
    return "".join(text.replace("\\n", " ").replace("\\t", " ").replace("\\", "").split())
