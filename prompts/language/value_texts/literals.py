"""Find the literal values in a shortcut's actions, and the structure that contains each value.

Most literal values are whole arguments. Others are inside an argument: quantities, operands of
conditions and of filter rows, entries of menus and lists, the name of an app. As in the workflow's
text, operands that the operator does not use are left out, and so are values that a middle or end
action of a block repeats from the block's first action.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal as OneOf

import msgspec

from benchloom.core.built_in_actions import BRANCHING, COMMENT, CONDITIONAL, REPEAT_EACH
from benchloom.core.records.conditions import (
    BETWEEN,
    CONDITION,
    CONDITION_WORDS,
    NUMBER,
    OF_SPANS,
    OPERANDS,
    ORDERS,
    SUBJECT,
    Fields,
    condition_code,
    filter_operands,
    filter_operands_in_force,
    filter_unit,
    operands_in_force,
)

LiteralRole = OneOf[
    "argument", "quantity", "condition", "filter", "entry", "app", "entity", "structure"
]
MAX_ENTRIES = 40
_WRAPPED = frozenset({"WFNumberSubstitutableState", "WFStringSubstitutableState"})
_TEMPLATES = "WFActionParameterFilterTemplates"
_APPS = frozenset({"Name", "BundleIdentifier"})
_NAMED = ("DisplayString", "displayString")
_SHIFTS = {"open": 1, "close": -1}
_SUBJECT = re.compile(
    r"If \[(?:output|variable|result of step \d+): (?P<name>[^\[\].():]{1,40}?)"
    r"(?: \(of step \d+\))?"
    r"(?:\.as\([^()\]]*\))*(?:\.property\((?P<property>[^()\]]*)\))?(?:\.as\([^()\]]*\))*\] "
    r"|If \[needs input: \w+\.property\((?P<asked>[^()\]]*)\)\] "
)
"""Matches the subject of a condition, which is an output or variable with a name of plain words."""
_PLAIN = re.compile(r"[^\W\d_][^\W_]*( [^\W_]+)*")
_ROWS = re.compile(r"^If (all of|any of|all or any of): ")
_MAX_LINE = 2_000


class ArgumentRow(msgspec.Struct, frozen=True, gc=False):
    """The columns of an argument that are needed to find its literal values."""

    name: str
    kind: str
    value: str


class ActionRow(msgspec.Struct, frozen=True, gc=False):
    """The columns of an action that are needed to find its literal values."""

    index: int
    identifier: str
    control: str | None
    arguments: tuple[ArgumentRow, ...]


class Literal(msgspec.Struct, frozen=True, gc=False):
    """A literal value in an action; `value` is its visible text.

    `number` is True if the value is a number or a text of digits, and `switch` if it is a boolean.
    `role` names the structure that contains the value. `unit` is the unit of a quantity as written
    in the file. `clause` is the words before an operand ("Battery Level is less than"); `ordered`
    is True if the operand is a limit. `branched` is True inside an If or a menu.
    """

    name: str
    value: str
    role: LiteralRole = "argument"
    number: bool = False
    switch: bool = False
    unit: str = ""
    clause: str = ""
    ordered: bool = False
    branched: bool = False
    action_index: int = -1
    api: str = ""


def find_literals(actions: Sequence[ActionRow], workflow: str) -> Iterator[Literal]:
    """Yield every literal value of the actions, in order; `workflow` has one line per action."""
    lines = workflow.split("\n")
    branches = 0
    for index, action in enumerate(actions):
        line = lines[index].strip()[:_MAX_LINE] if index < len(lines) else ""
        if action.identifier != COMMENT and action.control not in {"branch", "close"}:
            for literal in _action_literals(action, line):
                yield msgspec.structs.replace(
                    literal,
                    branched=branches > 0,
                    action_index=action.index,
                    api=action.identifier,
                )
        if action.identifier in BRANCHING and action.control in _SHIFTS:
            branches += _SHIFTS[action.control]


def _action_literals(action: ActionRow, line: str) -> Iterator[Literal]:
    if action.identifier == CONDITIONAL:
        yield from _condition_literals(action, line)
    elif action.identifier != REPEAT_EACH:
        for argument in action.arguments:
            if argument.kind in {"literal", "structure"}:
                yield from _argument_literals(argument)


def _argument_literals(argument: ArgumentRow) -> Iterator[Literal]:
    value = unwrapped(msgspec.json.decode(argument.value))
    plain = _plain(argument.name, value)
    if plain is not None:
        yield plain
    elif isinstance(value, list):
        yield from _entries(argument.name, value)
    elif isinstance(value, dict):
        yield from _structure(argument.name, value)


def _plain(name: str, value: object) -> Literal | None:
    """Return a text, number or boolean as a literal value, or None for other objects."""
    if isinstance(value, bool):
        return Literal(name, "true" if value else "false", switch=True)
    if isinstance(value, int | float):
        return Literal(name, f"{value:.15g}", number=True)
    if isinstance(value, str):
        return Literal(name, value, number=_is_number(value))
    return None


def unwrapped(value: object) -> object:
    """Return the plain value inside a wrapped number or text; other values are returned unchanged.

    A text with attachments (references to other values) is also returned unchanged.
    """
    if not isinstance(value, dict):
        return value
    inner = value.get("Value")
    kind = value.get("WFSerializationType")
    if isinstance(kind, str) and kind in _WRAPPED:
        return inner
    if isinstance(inner, dict) and not inner.get("attachmentsByRange"):
        text = inner.get("string")
        if isinstance(text, str):
            return text
    return value


def _is_number(text: str) -> bool:
    digits = text.strip().removeprefix("-").replace(".", "", 1)
    return digits.isascii() and digits.isdigit() and len(digits) < 16


def _entries(name: str, entries: list[object]) -> Iterator[Literal]:
    for entry in entries[:MAX_ENTRIES]:
        value = unwrapped(entry)
        if isinstance(value, dict):
            value = unwrapped(value.get("WFValue"))
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            entry_text = value if isinstance(value, str) else f"{value:.15g}"
            yield Literal(name, entry_text, "entry", number=_is_number(entry_text))


def _structure(name: str, value: Fields) -> Iterator[Literal]:
    """Yield the values inside a structured object, or an empty value if its kind is unknown."""
    quantity = _quantity(value)
    rows = table_rows(value)
    if quantity is not None:
        amount, unit = quantity
        yield Literal(name, amount, "quantity", number=True, unit=unit)
    elif rows is not None:
        for row in rows[:MAX_ENTRIES]:
            yield from _filter_literals(name, row)
    elif value.keys() >= _APPS and isinstance(value["Name"], str):
        yield Literal(name, value["Name"], "app")
    elif entity_name := next((value[key] for key in _NAMED if isinstance(value.get(key), str)), ""):
        yield Literal(name, f"{entity_name}", "entity")
    else:
        yield Literal(name, "", "structure")


def _quantity(value: object) -> tuple[str, str] | None:
    """Return the magnitude and unit of a quantity, or None if either is missing."""
    inner = value.get("Value") if isinstance(value, dict) else None
    if not isinstance(inner, dict):
        return None
    amount = unwrapped(inner.get("Magnitude", inner.get("Value")))
    unit = inner.get("Unit")
    if isinstance(amount, int | float) and not isinstance(amount, bool):
        amount = f"{amount:.15g}"
    if not isinstance(amount, str) or not _is_number(amount) or not isinstance(unit, str):
        return None
    return amount, unit


def table_rows(value: object) -> list[Fields] | None:
    """Return the rows of a filter or of a list of conditions, or None for other values."""
    inner = value.get("Value") if isinstance(value, dict) else None
    rows = inner.get(_TEMPLATES) if isinstance(inner, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else None


def _filter_literals(name: str, row: Fields) -> Iterator[Literal]:
    """Yield the operands of one filter row that the row's operator uses."""
    if SUBJECT in row or CONDITION in row:
        yield from _operand_literals(name, row, "")
        return
    property_name = row.get("Property")
    subject = " ".join(property_name.split()) if isinstance(property_name, str) else ""
    operands = filter_operands(row)
    code = condition_code(operands)
    chosen = filter_operands_in_force(code, operands, subject)
    if code in OF_SPANS:
        chosen = (NUMBER,)
    measured = code in OF_SPANS or code in ORDERS
    unit = filter_unit(row) if measured else None
    clause = f"{subject} {CONDITION_WORDS.get(code, '') if code is not None else ''}".strip()
    for operand in chosen:
        for literal in _operand(name, operands.get(operand), "filter", clause):
            yield msgspec.structs.replace(
                literal, unit=literal.unit or unit or "", ordered=measured
            )


def _condition_literals(action: ActionRow, line: str) -> Iterator[Literal]:
    """Yield the operands of a condition that the condition's operator uses."""
    parameters: Fields = {}
    for argument in action.arguments:
        if argument.name == "WFConditions":
            rows = table_rows(msgspec.json.decode(argument.value)) or []
            clauses = _ROWS.sub("If ", line).split("; ")
            for index, row in enumerate(rows[:MAX_ENTRIES]):
                clause = clauses[index] if len(clauses) == len(rows) else ""
                clause_line = clause if clause.startswith("If ") else f"If {clause}"
                yield from _operand_literals(argument.name, row, clause_line)
            return
        if argument.name in {CONDITION, SUBJECT, *OPERANDS}:
            parameters[argument.name] = msgspec.json.decode(argument.value)
    yield from _operand_literals("", parameters, line)


def _operand_literals(name: str, parameters: Fields, line: str) -> Iterator[Literal]:
    code = condition_code(parameters)
    verb = CONDITION_WORDS.get(code, "") if code is not None else ""
    chosen = operands_in_force(code, parameters, None)
    numbers = operands_in_force(code, parameters, "number")
    if chosen != numbers and any(
        _ends_with_operand(parameters.get(operand), line) for operand in numbers
    ):
        chosen = numbers
    clause = _clause(line, verb)
    ordered = code in ORDERS or code in {BETWEEN, *OF_SPANS}
    for operand in chosen:
        for literal in _operand(name or operand, parameters.get(operand), "condition", clause):
            yield msgspec.structs.replace(literal, ordered=ordered)


def _ends_with_operand(value: object, line: str) -> bool:
    """Whether a line of the workflow's text ends with this operand of a condition."""
    plain = unwrapped(value)
    if isinstance(plain, str | int | float) and plain != "":
        return line.endswith((f" {msgspec.json.encode(plain).decode()}", f" {plain}"))
    return False


def _operand(name: str, value: object, location: LiteralRole, clause: str) -> Iterator[Literal]:
    quantity = _quantity(value)
    literal: Literal | None
    if quantity is not None:
        amount, unit = quantity
        literal = Literal(name, amount, location, number=True, unit=unit)
    else:
        literal = _plain(name, unwrapped(value))
    if literal is not None:
        yield msgspec.structs.replace(literal, role=location, clause=clause)


def _clause(line: str, verb: str) -> str:
    """Return the words before the operand in a line, such as `Battery Level is less than`."""
    subject_match = _SUBJECT.match(line)
    if not verb or subject_match is None or not line[subject_match.end() :].startswith(verb):
        return verb
    subject = subject_match["property"] or subject_match["asked"] or subject_match["name"] or ""
    # An unnamed output has the name of its API, such as `getvariable`, which says nothing.
    of_api = line.startswith("If [result") and subject.islower()
    named = _PLAIN.fullmatch(subject) is not None and len(subject) > 2 and not of_api
    return f"{subject} {verb}" if named else verb
