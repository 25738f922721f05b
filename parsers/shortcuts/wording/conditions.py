"""Render conditions of If blocks and filters in words, with the operands that apply.

An editor keeps operands that a condition no longer uses: a condition changed to
`is greater than` still contains the text that it compared before. Only the operands that fit
the condition and the type of the compared value are shown; all of them stay in the arguments. A
missing condition means "contains" if a text is compared, as the action's definition says. For
other operands its meaning is uncertain, and the rendered text contains "(condition not given)".
"""

from collections.abc import Iterable, Mapping

from benchloom.core.built_in_actions import NUMERIC, OUTPUT_UUID, SERIALIZATION
from benchloom.core.records.conditions import (
    BETWEEN,
    CONDITION,
    CONDITION_WORDS,
    NUMBER,
    OF_SPANS,
    ORDERS,
    SUBJECT,
    TEXT,
    TRUTH,
    Fields,
    condition_code,
    filter_operands,
    filter_operands_in_force,
    filter_unit,
    operands_in_force,
)
from parsers.shortcuts.labels import Names, one_line
from parsers.shortcuts.values import join_entries, render_value

PREDICATE_TABLE = "WFContentPredicateTableTemplate"
_NOTHING = "(nothing given)"
_DEFAULTS = {TRUTH: "true", TEXT: '""'}
"""Values that the editor shows in fields of a condition that were never edited."""
_KINDS = {
    "WFBooleanContentItem": "boolean",
    "WFNumberContentItem": "number",
    "WFStringContentItem": "text",
}
_BOOLEAN_PREFIXES = ("is ", "has ")
_NO_CONDITION = "(condition not given)"
_MAX_WRAPPERS = 8


def condition_clause(parameters: Fields, subject: str, names: Names) -> str:
    """Return a condition as `subject verb operands`; `parameters` maps names to arguments."""
    code, verb = _condition(parameters)
    # In early files these words mean a comparison of texts, by the action's definition.
    worded = isinstance(parameters.get(CONDITION), str)
    kind = "text" if worded else _subject_kind(parameters.get(SUBJECT), names)
    chosen = operands_in_force(code, parameters, kind)
    return f"{subject} {verb} {_operand_text(chosen, parameters, names, _DEFAULTS)}".rstrip()


def _operand_text(
    chosen: Iterable[str], operands: Fields, names: Names, defaults: Mapping[str, str]
) -> str:
    return " and ".join(
        render_value(operands[name], names) if name in operands else defaults.get(name, _NOTHING)
        for name in chosen
    )


def _condition(parameters: Fields) -> tuple[int | None, str]:
    code = condition_code(parameters)
    value = parameters.get(CONDITION)
    if isinstance(value, str) and value and not _is_code(value):
        return code, one_line(value).lower()
    if code is not None:
        return code, CONDITION_WORDS[code]
    if value is None or value == "":
        return None, _NO_CONDITION
    return None, "meets an unknown condition with"


def _is_code(words: str) -> bool:
    return words.isascii() and words.isdigit() and len(words) < len("10000")


def _subject_kind(value: object, names: Names) -> str | None:
    # Only a coercion or the producing action determines the kind.
    token = _innermost(value)
    if token is None:
        source = names.source() if value is None else None
        return "number" if source is not None and source.identifier in NUMERIC else None
    steps = token.get("Aggrandizements")
    last = steps[-1] if isinstance(steps, list) and steps else None
    if isinstance(last, dict):
        property_name = str(last.get("PropertyName", "")).lower()
        if property_name == "enabled" or property_name.startswith(_BOOLEAN_PREFIXES):
            return "boolean"
        return _KINDS.get(str(last.get("CoercionItemClass")))
    if OUTPUT_UUID in token:
        producer = names.producer(token[OUTPUT_UUID])
        if producer is not None and producer.identifier in NUMERIC:
            return "number"
    return None


def _innermost(value: object) -> dict[str, object] | None:
    for _ in range(_MAX_WRAPPERS):
        if not isinstance(value, dict):
            return None
        if SERIALIZATION in value:
            value = value.get("Value")
        elif value.get("Type") == "Variable" and "Variable" in value:
            value = value["Variable"]
        else:
            return value
    return None


def table_clauses(value: object, names: Names) -> tuple[str, list[str]] | None:
    """Return the words that join the rows of a condition table, and each row in words.

    Returns None if the table has no rows. The joining words are `all of`, `any of`, or words
    that mean either if the table contains an unknown number.
    """
    inner = value.get("Value") if isinstance(value, dict) else None
    rows = inner.get("WFActionParameterFilterTemplates") if isinstance(inner, dict) else None
    if not isinstance(inner, dict) or not isinstance(rows, list) or not rows:
        return None
    prefix = inner.get("WFActionParameterFilterPrefix")
    prefix_words = {0: "any of", 1: "all of"} if type(prefix) is int else {}
    joined = prefix_words.get(prefix) if isinstance(prefix, int) else None
    return joined or "all or any of", [_row(row, names) for row in rows]


def render_table(value: object, names: Names) -> str | None:
    """Return a filter in words, such as `[where Name is "x"]` or `[no conditions]`.

    Returns None if the value is not a filter.
    """
    clauses = table_clauses(value, names)
    if clauses is None:
        inner = value.get("Value") if isinstance(value, dict) else None
        is_empty = isinstance(inner, dict) and inner.get("WFActionParameterFilterTemplates") == []
        return "[no conditions]" if is_empty else None
    return f"[where {joined_clauses(*clauses)}]"


def joined_clauses(joined: str, clauses: list[str]) -> str:
    """Return one clause unchanged; put the joining words before several clauses."""
    if len(clauses) == 1:
        return clauses[0]
    return f"{joined}: {join_entries(clauses, '; ')}"


def _row(row: object, names: Names) -> str:
    if not isinstance(row, dict):
        return render_value(row, names)
    if "Property" in row or "Operator" in row:
        return _filter_row(row, names)
    if SUBJECT not in row and CONDITION not in row:
        return render_value(row, names)
    subject = render_value(row[SUBJECT], names) if SUBJECT in row else _NOTHING
    return condition_clause(row, subject, names)


def _filter_row(row: Fields, names: Names) -> str:
    # Old files store operands in the row, newer files in `Values`.
    operands, unit = filter_operands(row), filter_unit(row)
    shown_property = row.get("Property")
    subject = one_line(shown_property) if isinstance(shown_property, str) else _NOTHING
    code, verb = _condition(operands)
    if code in OF_SPANS:
        amount = render_value(operands[NUMBER], names) if NUMBER in operands else _NOTHING
        return f"{subject} {verb} {amount} {unit or '(unit not known)'}"
    chosen = filter_operands_in_force(code, operands, subject)
    operand_text = _operand_text(chosen, operands, names, {})
    measured = code in {*ORDERS, BETWEEN} and NUMBER in chosen
    suffix = f" {unit}" if measured and unit else ""
    return f"{subject} {verb} {operand_text}{suffix}".rstrip()
