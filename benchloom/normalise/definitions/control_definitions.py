"""Definitions of the four control actions, written by this project and added to catalogues.

The system has no definition of control actions: a group of actions shares a GroupingIdentifier,
and WFControlFlowMode says whether an action opens (0), divides (1) or closes (2) the group.
"""

from collections.abc import Iterable, Iterator
from heapq import merge
from pathlib import Path

import msgspec

from benchloom.core.built_in_actions import SYSTEM_APP, SYSTEM_PREFIX
from benchloom.core.identity import tagged_digest
from benchloom.core.records import (
    ApiDefinition,
    DefinitionSource,
    Dependency,
    EnumValue,
    Parameter,
    Summary,
    sealed,
)
from benchloom.core.records.conditions import (
    BETWEEN,
    CONDITION_WORDS,
    CONTAINS,
    EQUALITIES,
    OF_SPANS,
    OF_TEXTS,
    ORDERS,
    WITHOUT_OPERAND,
)
from benchloom.normalise.definitions import DefinitionIndex
from benchloom.storage.tables import iter_records, read_rows, table_parts

SOURCE_KIND = "benchloom"
SOURCE_URI = "benchloom/control_definitions"
"""Not a file's path, so that a release does not reveal paths of this machine."""
_MODES = (
    EnumValue("0", "Opens the group"),
    EnumValue("1", "Divides the group"),
    EnumValue("2", "Closes the group"),
)
_CONDITIONS = tuple(EnumValue(str(code), words) for code, words in CONDITION_WORDS.items())


def _codes(*codes: int) -> tuple[str, ...]:
    return tuple(str(code) for code in sorted(codes))


_UNARY = _codes(*WITHOUT_OPERAND)
_OF_TEXTS = _codes(*EQUALITIES, *OF_TEXTS)
_OF_NUMBERS = _codes(*ORDERS, *EQUALITIES, BETWEEN)
_OPENS = Dependency("WFControlFlowMode", "==", ("0",))
_DIVIDES = Dependency("WFControlFlowMode", "==", ("1",))


def control_definitions() -> tuple[ApiDefinition, ...]:
    """Return the definitions of If, Choose from Menu, Repeat and Repeat with Each."""
    return tuple(
        _definition(name, title, description, parameters, summaries)
        for name, title, description, parameters, summaries in (
            _conditional(),
            _menu(),
            _repeat(),
            _repeat_each(),
        )
    )


_Entry = tuple[str, str, str, tuple[Parameter, ...], tuple[Summary, ...]]


def _group() -> tuple[Parameter, ...]:
    return (
        Parameter(
            name="GroupingIdentifier",
            type="String",
            type_kind="primitive",
            title="Group",
            description="The same in all actions of one control block.",
            optional=False,
        ),
        Parameter(
            name="WFControlFlowMode",
            type="Integer",
            type_kind="enum",
            title="Mode",
            description="What the action does to its control block.",
            default="0",
            enum_values=_MODES,
        ),
    )


def _conditional() -> _Entry:
    of_texts = Dependency("WFCondition", "==", _OF_TEXTS)
    of_numbers = Dependency("WFCondition", "==", _OF_NUMBERS)
    between = Dependency("WFCondition", "==", _codes(BETWEEN))
    lasting = Dependency("WFCondition", "==", _codes(*OF_SPANS))
    unary = Dependency("WFCondition", "==", _UNARY)
    several = Dependency("WFConditions", "has_value", ())
    single = Dependency("WFConditions", "has_no_value", ())
    return (
        "conditional",
        "If",
        "Runs the actions up to Otherwise when a condition holds, else those after it.",
        (
            *_group(),
            Parameter(
                name="WFInput",
                type="Any",
                type_kind="object",
                title="Input",
                description="What is compared; the previous output where it is left out.",
                depends_on=(_OPENS,),
            ),
            Parameter(
                name="WFCondition",
                type="Integer",
                type_kind="enum",
                title="Condition",
                description="Left out, a text is compared by whether it contains the operand.",
                default=str(CONTAINS),
                enum_values=_CONDITIONS,
                depends_on=(_OPENS,),
            ),
            *(
                Parameter(name=name, type=kind, type_kind=shape, depends_on=(_OPENS, condition))
                for name, kind, shape, condition in (
                    ("WFConditionalActionString", "String", "primitive", of_texts),
                    ("WFNumberValue", "Number", "primitive", of_numbers),
                    ("WFAnotherNumber", "Number", "primitive", between),
                    ("WFDate", "Date", "primitive", of_numbers),
                    ("WFAnotherDate", "Date", "primitive", between),
                    ("WFMeasurement", "Measurement", "object", of_numbers),
                    ("WFDuration", "Duration", "object", lasting),
                    ("WFEnumeration", "String", "primitive", of_texts),
                )
            ),
            Parameter(
                name="WFConditions",
                type="Conditions",
                type_kind="object",
                title="Conditions",
                description="Several conditions, all or any of which must hold, in place of one.",
                depends_on=(_OPENS,),
            ),
        ),
        (
            Summary("If ${WFConditions}", ("WFConditions",), (_OPENS, several)),
            Summary("If ${WFInput} ${WFCondition}", ("WFInput", "WFCondition"), (_OPENS, unary)),
            Summary(
                "If ${WFInput} ${WFCondition} ${WFConditionalActionString}",
                ("WFInput", "WFCondition", "WFConditionalActionString"),
                (_OPENS, single, of_texts),
            ),
            Summary(
                "If ${WFInput} ${WFCondition} ${WFNumberValue}",
                ("WFInput", "WFCondition", "WFNumberValue"),
                (_OPENS, single, of_numbers),
            ),
        ),
    )


def _menu() -> _Entry:
    return (
        "choosefrommenu",
        "Choose from Menu",
        "Shows a menu and runs the actions under the case that was chosen.",
        (
            *_group(),
            Parameter(
                name="WFMenuPrompt",
                type="String",
                type_kind="primitive",
                title="Prompt",
                depends_on=(_OPENS,),
            ),
            Parameter(
                name="WFMenuItems",
                type="String",
                type_kind="primitive",
                title="Choices",
                multiple=True,
                depends_on=(_OPENS,),
            ),
            Parameter(
                name="WFMenuItemTitle",
                type="String",
                type_kind="primitive",
                title="Case",
                depends_on=(_DIVIDES,),
            ),
        ),
        (
            Summary("Choose from menu with ${WFMenuPrompt}", ("WFMenuPrompt",), (_OPENS,)),
            Summary("Case ${WFMenuItemTitle}", ("WFMenuItemTitle",), (_DIVIDES,)),
        ),
    )


def _repeat() -> _Entry:
    return (
        "repeat.count",
        "Repeat",
        "Runs the actions inside a number of times.",
        (
            *_group(),
            Parameter(
                name="WFRepeatCount",
                type="Integer",
                type_kind="primitive",
                title="Times",
                default="1",
                minimum=0,
                depends_on=(_OPENS,),
            ),
        ),
        (Summary("Repeat ${WFRepeatCount} times", ("WFRepeatCount",), (_OPENS,)),),
    )


def _repeat_each() -> _Entry:
    return (
        "repeat.each",
        "Repeat with Each",
        "Runs the actions inside once for every entry of a list.",
        (
            *_group(),
            Parameter(
                name="WFInput",
                type="Any",
                type_kind="object",
                title="List",
                description="The previous output where it is left out.",
                multiple=True,
                depends_on=(_OPENS,),
            ),
        ),
        (Summary("Repeat with each entry of ${WFInput}", ("WFInput",), (_OPENS,)),),
    )


def _definition(
    name: str,
    title: str,
    description: str,
    parameters: tuple[Parameter, ...],
    summaries: tuple[Summary, ...],
) -> ApiDefinition:
    definition = ApiDefinition(
        definition_id="",
        api=SYSTEM_PREFIX + name,
        app=SYSTEM_APP,
        source_kind=SOURCE_KIND,
        title=title,
        description=description,
        parameters=parameters,
        summaries=summaries,
        category="Control flow",
        source_uri=SOURCE_URI,
        source_digest="",
    )
    sealed_definition = sealed(definition)
    digest = tagged_digest("file", sealed_definition.definition_id.encode())
    source = DefinitionSource(SOURCE_KIND, SOURCE_URI, digest)
    return msgspec.structs.replace(sealed_definition, source_digest=digest, sources=(source,))


def with_control_actions(definitions: Iterable[ApiDefinition]) -> Iterator[ApiDefinition]:
    """Yield the definitions, then our control actions if one is a system's own tool."""
    has_tools = False
    for definition in definitions:
        has_tools = has_tools or definition.source_kind == "toolkit"
        yield definition
    if has_tools:
        yield from control_definitions()


def load_index(catalogue: Path) -> DefinitionIndex:
    """Index the definitions of a folder by API."""
    return DefinitionIndex(complete_definitions(catalogue))


def complete_definitions(catalogue: Path) -> Iterator[ApiDefinition]:
    """Yield the rows of a catalogue, and our control actions that it lacks, in order."""
    defined = _defined_apis(catalogue)
    missing = [row for row in control_definitions() if row.api not in defined]
    rows = iter_records(catalogue, "api_definitions", ApiDefinition)
    return merge(rows, sorted(missing, key=_order), key=_order)


def _defined_apis(catalogue: Path) -> set[object]:
    # A definition without an app cannot define a control action.
    apis: set[object] = set()
    for part in table_parts(catalogue, "api_definitions"):
        rows = read_rows(part, ["api", "app"])
        pairs = zip(rows.column("api").to_pylist(), rows.column("app").to_pylist(), strict=True)
        apis.update(api for api, app in pairs if app is not None)
    return apis


def _order(row: ApiDefinition) -> tuple[str, str]:
    return row.api, row.definition_id
