"""Add definitions of the four control actions (If, Menu, Repeat, Repeat with Each) to catalogues.

The system has no definition of control actions: a group of actions shares a GroupingIdentifier, and
WFControlFlowMode says whether an action opens (0), divides (1) or closes (2) the group.
"""

from collections.abc import Iterable, Iterator
from heapq import merge
from pathlib import Path
from typing import Any

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
from benchloom.core.records.api_definition import PLACEHOLDER
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
"""This is not a path, so that a release does not reveal paths of this machine."""
_MODES = (
    EnumValue("0", "Opens the group"),
    EnumValue("1", "Divides the group"),
    EnumValue("2", "Closes the group"),
)
_OPENS = Dependency("WFControlFlowMode", "==", ("0",))
_DIVIDES = Dependency("WFControlFlowMode", "==", ("1",))
_SEVERAL = Dependency("WFConditions", "has_value", ())
_SINGLE = Dependency("WFConditions", "has_no_value", ())


def _if(*codes: int) -> Dependency:
    """Return a condition that holds if the parameter `WFCondition` has one of these codes."""
    return Dependency("WFCondition", "==", tuple(str(code) for code in sorted(codes)))


_UNARY = _if(*WITHOUT_OPERAND)
_OF_TEXTS = _if(*EQUALITIES, *OF_TEXTS)
_OF_NUMBERS = _if(*ORDERS, *EQUALITIES, BETWEEN)
_BETWEEN = _if(BETWEEN)
_LASTING = _if(*OF_SPANS)


def _parameter(
    name: str, kind: str, title: str | None = None, *conditions: Dependency, **fields: Any
) -> Parameter:
    # A parameter belongs to the action that opens the block unless its conditions differ.
    shape = "object" if kind in {"Any", "Conditions", "Measurement", "Duration"} else "primitive"
    depends_on = conditions or (_OPENS,)
    values = {"type_kind": shape, "title": title, "depends_on": depends_on, **fields}
    return Parameter(name=name, type=kind, **values)


def _operand(name: str, kind: str, condition: Dependency) -> Parameter:
    return _parameter(name, kind, None, _OPENS, condition)


def _summary(template: str, *conditions: Dependency) -> Summary:
    return Summary(template, tuple(PLACEHOLDER.findall(template)), conditions)


_GROUP = (
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
_CONDITIONAL = (
    _parameter(
        "WFInput",
        "Any",
        "Input",
        description="What is compared; the previous output where it is left out.",
    ),
    _parameter(
        "WFCondition",
        "Integer",
        "Condition",
        type_kind="enum",
        description="Left out, a text is compared by whether it contains the operand.",
        default=str(CONTAINS),
        enum_values=tuple(EnumValue(str(code), words) for code, words in CONDITION_WORDS.items()),
    ),
    _operand("WFConditionalActionString", "String", _OF_TEXTS),
    _operand("WFNumberValue", "Number", _OF_NUMBERS),
    _operand("WFAnotherNumber", "Number", _BETWEEN),
    _operand("WFDate", "Date", _OF_NUMBERS),
    _operand("WFAnotherDate", "Date", _BETWEEN),
    _operand("WFMeasurement", "Measurement", _OF_NUMBERS),
    _operand("WFDuration", "Duration", _LASTING),
    _operand("WFEnumeration", "String", _OF_TEXTS),
    _parameter(
        "WFConditions",
        "Conditions",
        "Conditions",
        description="Several conditions, all or any of which must hold, in place of one.",
    ),
)
_MENU = (
    _parameter("WFMenuPrompt", "String", "Prompt"),
    _parameter("WFMenuItems", "String", "Choices", multiple=True),
    _parameter("WFMenuItemTitle", "String", "Case", _DIVIDES),
)
_TIMES = _parameter("WFRepeatCount", "Integer", "Times", default="1", minimum=0)
_LIST = _parameter(
    "WFInput", "Any", "List", description="The previous output where it is left out.", multiple=True
)


def control_definitions() -> tuple[ApiDefinition, ...]:
    """Return the definitions of If, Choose from Menu, Repeat and Repeat with Each."""
    return (
        _definition(
            "conditional",
            "If",
            "Runs the actions up to Otherwise when a condition holds, else those after it.",
            _CONDITIONAL,
            _summary("If ${WFConditions}", _OPENS, _SEVERAL),
            _summary("If ${WFInput} ${WFCondition}", _OPENS, _UNARY),
            _summary(
                "If ${WFInput} ${WFCondition} ${WFConditionalActionString}",
                *(_OPENS, _SINGLE, _OF_TEXTS),
            ),
            _summary("If ${WFInput} ${WFCondition} ${WFNumberValue}", _OPENS, _SINGLE, _OF_NUMBERS),
        ),
        _definition(
            "choosefrommenu",
            "Choose from Menu",
            "Shows a menu and runs the actions under the case that was chosen.",
            _MENU,
            _summary("Choose from menu with ${WFMenuPrompt}", _OPENS),
            _summary("Case ${WFMenuItemTitle}", _DIVIDES),
        ),
        _definition(
            "repeat.count",
            "Repeat",
            "Runs the actions inside a number of times.",
            (_TIMES,),
            _summary("Repeat ${WFRepeatCount} times", _OPENS),
        ),
        _definition(
            "repeat.each",
            "Repeat with Each",
            "Runs the actions inside once for every entry of a list.",
            (_LIST,),
            _summary("Repeat with each entry of ${WFInput}", _OPENS),
        ),
    )


def _definition(
    name: str,
    title: str,
    description: str,
    parameters: tuple[Parameter, ...],
    *summaries: Summary,
) -> ApiDefinition:
    definition = sealed(
        ApiDefinition(
            definition_id="",
            api=SYSTEM_PREFIX + name,
            app=SYSTEM_APP,
            source_kind=SOURCE_KIND,
            title=title,
            description=description,
            parameters=(*_GROUP, *parameters),
            summaries=summaries,
            category="Control flow",
            source_uri=SOURCE_URI,
            source_digest="",
        )
    )
    digest = tagged_digest("file", definition.definition_id.encode())
    source = DefinitionSource(SOURCE_KIND, SOURCE_URI, digest)
    return msgspec.structs.replace(definition, source_digest=digest, sources=(source,))


def with_control_actions(definitions: Iterable[ApiDefinition]) -> Iterator[ApiDefinition]:
    """Yield all definitions, and add those of control actions if a definition is from a ToolKit.

    A ToolKit is Apple's database of actions. It does not define If, Repeat and the other actions
    that only control the flow.
    """
    has_tools = False
    for definition in definitions:
        has_tools = has_tools or definition.source_kind == "toolkit"
        yield definition
    if has_tools:
        yield from control_definitions()


def load_index(catalogue: Path) -> DefinitionIndex:
    """Read the API definitions of a folder, and return an index by API."""
    return DefinitionIndex(complete_definitions(catalogue))


def complete_definitions(catalogue: Path) -> Iterator[ApiDefinition]:
    """Yield the API definitions of a folder in order, with those of missing control actions."""
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
