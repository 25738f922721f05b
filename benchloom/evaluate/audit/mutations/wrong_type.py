"""A value of another type."""

import msgspec

from benchloom.core.records.values import Value
from benchloom.evaluate.audit.mutation import ArgumentMutation


class WrongType(ArgumentMutation):
    """See `title`."""

    title = "an object with the value in it in place of one value"

    def value(self, value: Value) -> "Value | msgspec.UnsetType":
        """Return the replacement for a value."""
        return {"value": value} if isinstance(value, str | int | float) else msgspec.UNSET


MUTATION = WrongType()
