"""The codes of comparisons in words: conditions of If blocks, and filters.

Codes below 100 and 99 are those of the system's predicates, the others its own. Only codes that
real files or the system's public constants vouch for stand here: any other is told by its number.
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
    1001: "is in the last",
    1003: "is between",
}
CONTAINS = 99
"""What a condition that is not written down means for a text: the default of the action."""

ORDERS = frozenset({0, 1, 2, 3})
EQUALITIES = frozenset({4, 5})
OF_TEXTS = frozenset({8, 9, CONTAINS, 999})
"""Conditions that compare nothing but texts."""
WITHOUT_OPERAND = frozenset({100, 101})
IN_THE_LAST, BETWEEN = 1001, 1003

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
