"""A value that says nothing."""

import msgspec

from benchloom.evaluate.audit.mutation import ArgumentMutation
from benchloom.records.values import Value


class ValueBlanked(ArgumentMutation):
    """See `title`."""

    title = "an empty text in place of one value"

    def value(self, value: Value) -> "Value | msgspec.UnsetType":
        """The value in place of one."""
        return "" if isinstance(value, str | int | float) and value != "" else msgspec.UNSET


MUTATION = ValueBlanked()
