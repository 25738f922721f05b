"""Mutation: replace a value with an empty text."""

import msgspec

from benchloom.core.records.values import Value
from benchloom.evaluate.audit.mutation import ArgumentMutation


class ValueBlanked(ArgumentMutation):
    """Replace one argument value with an empty text."""

    title = "an empty text in place of one value"

    def value(self, value: Value) -> "Value | msgspec.UnsetType":
        """Return an empty text for a text or number; unset for any other value."""
        return "" if isinstance(value, str | int | float) and value != "" else msgspec.UNSET


MUTATION = ValueBlanked()
