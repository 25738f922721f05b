"""A value replaced by a blank one."""

import msgspec

from benchloom.core.records.values import Value
from benchloom.evaluate.audit.mutation import ArgumentMutation


class ValueBlanked(ArgumentMutation):
    """See `title`."""

    title = "an empty text in place of one value"

    def value(self, value: Value) -> "Value | msgspec.UnsetType":
        """Return the replacement for a value."""
        return "" if isinstance(value, str | int | float) and value != "" else msgspec.UNSET


MUTATION = ValueBlanked()
