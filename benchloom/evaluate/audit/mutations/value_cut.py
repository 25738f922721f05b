"""Mutation: cut a text to its first letter."""

import msgspec

from benchloom.core.records.values import Value
from benchloom.evaluate.audit.mutation import ArgumentMutation, ChangedValue


class _ValueCut(ArgumentMutation):
    title = "the first letter of one text in place of the text"

    def value(self, value: Value) -> ChangedValue:
        return value[0] if isinstance(value, str) and len(value) > 1 else msgspec.UNSET


MUTATION = _ValueCut()
