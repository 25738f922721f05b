"""Mutation: cut a text to its first letter."""

import msgspec

from benchloom.core.records.values import Value
from benchloom.evaluate.audit.mutation import ArgumentMutation


class ValueCut(ArgumentMutation):
    """Replace one text value with its first letter."""

    title = "the first letter of one text in place of the text"

    def value(self, value: Value) -> "Value | msgspec.UnsetType":
        """Return the first letter of a longer text; unset for any other value."""
        return value[0] if isinstance(value, str) and len(value) > 1 else msgspec.UNSET


MUTATION = ValueCut()
