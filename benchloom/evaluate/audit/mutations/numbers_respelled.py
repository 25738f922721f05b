"""Mutation: write a number in another spelling."""

import msgspec

from benchloom.core.records.values import Value
from benchloom.evaluate.audit.mutation import ArgumentMutation, ChangedValue

MOST = 2**53  # whole numbers below it are the same as a floating point number


class _NumbersRespelled(ArgumentMutation):
    title = "a whole number with a point, or one with a point without it"
    meaning = "same"

    def value(self, value: Value) -> ChangedValue:
        if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) >= MOST:
            return msgspec.UNSET
        if isinstance(value, int):
            return float(value)
        return int(value) if value.is_integer() else msgspec.UNSET


MUTATION = _NumbersRespelled()
