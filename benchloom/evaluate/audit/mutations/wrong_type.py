"""Mutation: replace a value with a value of another type."""

import msgspec

from benchloom.core.records.values import Value
from benchloom.evaluate.audit.mutation import ArgumentMutation


class WrongType(ArgumentMutation):
    """Replace one argument value with an object that contains the value."""

    title = "an object with the value in it in place of one value"

    def value(self, value: Value) -> "Value | msgspec.UnsetType":
        """Return an object around a text or number; unset for any other value."""
        return {"value": value} if isinstance(value, str | int | float) else msgspec.UNSET


MUTATION = WrongType()
