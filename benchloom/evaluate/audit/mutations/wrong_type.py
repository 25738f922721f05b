"""Mutation: replace a value with a value of another type."""

import msgspec

from benchloom.core.records.values import Value
from benchloom.evaluate.audit.mutation import ArgumentMutation, ChangedValue


class _WrongType(ArgumentMutation):
    title = "an object with the value in it in place of one value"

    def value(self, value: Value) -> ChangedValue:
        return {"value": value} if isinstance(value, str | int | float) else msgspec.UNSET


MUTATION = _WrongType()
