"""Mutation: write a number in another spelling."""

import msgspec

from benchloom.core.records.values import Value
from benchloom.evaluate.audit.mutation import ArgumentMutation

MOST = 2**53
"""Whole numbers below it are the same as a floating point number."""


class NumbersRespelled(ArgumentMutation):
    """Write a whole number with a decimal point, or remove the point of a whole number."""

    title = "a whole number with a point, or one with a point without it"
    meaning = "same"

    def value(self, value: Value) -> "Value | msgspec.UnsetType":
        """Return the number in the other spelling; unset for any other value."""
        if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) >= MOST:
            return msgspec.UNSET
        if isinstance(value, int):
            return float(value)
        return int(value) if value.is_integer() else msgspec.UNSET


MUTATION = NumbersRespelled()
