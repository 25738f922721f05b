"""Read the comparisons in If blocks and filters of shortcuts: their codes and their operands.

Codes up to 99 are those of the system's predicates; higher codes are additions of Shortcuts. Only
codes that real files or the system's public constants confirm are listed; any other code is
unknown. The meanings of 1000 and 1002 are inferred from real files.

When a comparison no longer uses an operand, the Shortcuts editor leaves the operand in the file.
The operands in force are those that the comparison still uses: they fit the code and the type of
the compared value.
"""

CONDITION_WORDS = {
    0: "is less than",
    1: "is at most",
    2: "is greater than",
    3: "is at least",
    4: "is",
    5: "is not",
    8: "begins with",
    9: "ends with",
    99: "contains",
    100: "has any value",
    101: "does not have any value",
    999: "does not contain",
    1000: "is in the next",
    1001: "is in the last",
    1002: "is today",
    1003: "is between",
}
CONTAINS = 99
"""The code of "contains". A comparison of texts without a code has the same meaning."""

ORDERS = frozenset({0, 1, 2, 3})
EQUALITIES = frozenset({4, 5})
OF_TEXTS = frozenset({8, 9, CONTAINS, 999})
"""Codes of comparisons that are possible only between texts."""
WITHOUT_OPERAND = frozenset({100, 101, 1002})
BETWEEN = 1003
OF_SPANS = frozenset({1000, 1001})
"""Codes of comparisons of a date with a span of time before or after now."""

CALENDAR_UNITS = {
    4: "years",
    8: "months",
    16: "days",
    32: "hours",
    64: "minutes",
    128: "seconds",
    4096: "weeks",
    8192: "weeks",
}
_BYTE_UNITS = {1: "bytes", 2: "KB", 4: "MB", 8: "GB", 16: "TB"}

TEXT, NUMBER, ANOTHER_NUMBER = "WFConditionalActionString", "WFNumberValue", "WFAnotherNumber"
DATE, ANOTHER_DATE = "WFDate", "WFAnotherDate"
MEASUREMENT, ANOTHER_MEASUREMENT = "WFMeasurement", "WFAnotherMeasurement"
DURATION, CHOICE, TRUTH = "WFDuration", "WFEnumeration", "WFBooleanValue"
OPERANDS = (
    TEXT,
    NUMBER,
    ANOTHER_NUMBER,
    DATE,
    ANOTHER_DATE,
    MEASUREMENT,
    ANOTHER_MEASUREMENT,
    DURATION,
    CHOICE,
    TRUTH,
)
CONDITION, SUBJECT = "WFCondition", "WFInput"

_LEGACY_WORDS = {"equals": 4, **{CONDITION_WORDS[code]: code for code in (0, 2, CONTAINS)}}
"""Maps the words that early files contain instead of a code to the code."""

_PAIRS = ((NUMBER, ANOTHER_NUMBER), (DATE, ANOTHER_DATE), (MEASUREMENT, ANOTHER_MEASUREMENT))
Fields = dict[str, object]


def condition_code(parameters: Fields) -> int | None:
    """Return the code of a comparison from its parameters, or None if the code is unknown.

    Early files have words instead of codes. Without a code, a comparison of texts is "contains".
    """
    value = parameters.get(CONDITION)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < len("10000"):
        value = int(value)
    if value is None or value == "":
        return CONTAINS if TEXT in parameters else None
    if isinstance(value, str):
        words = value if value.isprintable() else " ".join(value.split())
        return _LEGACY_WORDS.get(words.lower())
    is_condition = (
        isinstance(value, int) and not isinstance(value, bool) and value in CONDITION_WORDS
    )
    return value if is_condition and isinstance(value, int) else None


def operands_in_force(code: int | None, parameters: Fields, kind: str | None) -> tuple[str, ...]:
    """Return the names of the operands that a comparison uses, even if they have no value.

    `kind` is text, number or boolean if the type of the compared value is known. Without an
    operand, a boolean is compared with true, and a text with an empty text.
    """
    present = [name for name in OPERANDS if name in parameters]
    filled = [name for name in present if parameters[name] != ""] or present
    if code is None:
        return tuple(present)
    if code in WITHOUT_OPERAND:
        return ()
    if code in OF_TEXTS:
        return (TEXT,)
    if code == BETWEEN:
        pairs = (pair for index in (1, 0) for pair in _PAIRS if pair[index] in filled)
        return next(pairs, _PAIRS[0])
    if code in OF_SPANS:
        return (DURATION,)
    if code in ORDERS:
        ordered = (NUMBER, DATE, MEASUREMENT, DURATION, CHOICE, TRUTH, TEXT)
    elif kind == "number":
        ordered = (NUMBER, TEXT, CHOICE, TRUTH, DATE, MEASUREMENT, DURATION)
    else:
        ordered = (TEXT, CHOICE, TRUTH, NUMBER, DATE, MEASUREMENT, DURATION)
    missing = NUMBER
    if code in EQUALITIES and kind != "number":
        missing = TRUTH if kind == "boolean" else TEXT
    return next(((name,) for name in ordered if name in filled), (missing,))


_FILTER_OPERANDS = {
    "String": TEXT,
    "Number": NUMBER,
    "AnotherNumber": ANOTHER_NUMBER,
    "Date": DATE,
    "AnotherDate": ANOTHER_DATE,
    "Enumeration": CHOICE,
    "Bool": TRUTH,
}
_NUMBERS = frozenset({"Width", "Height", "Duration", "File Size", "Rating", "Track Number"})


def filter_operands(row: Fields) -> Fields:
    """Return the code and the operands of a row of a filter, with the names that If blocks use.

    Old and new files store them at different levels of the row.
    """
    operands: Fields = {CONDITION: row.get("Operator")}
    for level in (row, row.get("Values"), _overrides(row.get("VariableOverrides"))):
        if isinstance(level, dict):
            operands.update(
                (name, level[key]) for key, name in _FILTER_OPERANDS.items() if key in level
            )
    return operands


def filter_unit(row: Fields) -> str | None:
    """Return the unit of the amount in a row of a filter as a word, or None if it has no unit.

    Editors leave a unit in rows whose property has none, such as a width or a name.
    """
    property_name, code = row.get("Property"), condition_code(filter_operands(row))
    unit = _stored_unit(row)
    names: dict[int, str] = {}
    if code in OF_SPANS or property_name == "Duration":
        names = CALENDAR_UNITS
    elif property_name == "File Size":
        names = _BYTE_UNITS
    if isinstance(unit, str) and names:
        return unit
    return names.get(unit) if isinstance(unit, int) else None


def _stored_unit(row: Fields) -> object:
    unit = row.get("Unit")
    for level in (row.get("Values"), _overrides(row.get("VariableOverrides"))):
        if isinstance(level, dict):
            unit = level.get("Unit", unit)
    return unit


def filter_operands_in_force(code: int | None, operands: Fields, subject: str) -> tuple[str, ...]:
    """Return the names of the operands that a row of a filter uses.

    `subject` is the property that the row compares.
    """
    if code not in EQUALITIES:
        return operands_in_force(code, operands, None)
    if subject.startswith(("Is ", "Has ")):
        ordered = (TRUTH, CHOICE, TEXT, NUMBER, DATE)
    elif subject in _NUMBERS:
        ordered = (NUMBER, TEXT, CHOICE, TRUTH, DATE)
    else:
        ordered = (CHOICE, TEXT, NUMBER, DATE, TRUTH)
    return next(((name,) for name in ordered if name in operands), (TEXT,))


def _overrides(value: object) -> Fields:
    # Operands supplied as tokens (as `stringValue`) replace the literals.
    if not isinstance(value, dict):
        return {}
    return {
        key.removesuffix("Value")[:1].upper() + key.removesuffix("Value")[1:]: override
        for key, override in value.items()
        if isinstance(key, str)
    }
