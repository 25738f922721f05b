"""The first letter of a value."""

import msgspec

from benchloom.core.records.values import Value
from benchloom.evaluate.audit.mutation import ArgumentMutation


class ValueCut(ArgumentMutation):
    """See `title`."""

    title = "the first letter of one text in place of the text"

    def value(self, value: Value) -> "Value | msgspec.UnsetType":
        """Return the replacement for a value."""
        return value[0] if isinstance(value, str) and len(value) > 1 else msgspec.UNSET


MUTATION = ValueCut()
