"""Mutation: replace a value with an empty text."""

import msgspec

from benchloom.core.records.values import Value
from benchloom.evaluate.audit.mutation import ArgumentMutation, ChangedValue


class _ValueBlanked(ArgumentMutation):
    title = "an empty text in place of one value"

    def value(self, value: Value) -> ChangedValue:
        return "" if isinstance(value, str | int | float) and value != "" else msgspec.UNSET


MUTATION = _ValueBlanked()
