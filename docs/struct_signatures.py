"""Signatures of msgspec's structs for the reference: every field with its type and default.

The reader of docstrings knows dataclasses and not `msgspec.Struct`; without this a record would be
shown without its fields.
"""

from typing import Any

import griffe

_STRUCT = "Struct"


class StructSignatures(griffe.Extension):
    """Add to each struct the `__init__` that msgspec makes from its fields."""

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Add the signature once all fields of a class are known."""
        if "__init__" in cls.members or not any(_STRUCT in str(base) for base in cls.bases):
            return
        keyword = griffe.ParameterKind.keyword_only
        plain = griffe.ParameterKind.positional_or_keyword
        kind = keyword if cls.keywords.get("kw_only") == "True" else plain
        fields = [
            griffe.Parameter(
                attribute.name, annotation=attribute.annotation, kind=kind, default=attribute.value
            )
            for attribute in cls.attributes.values()
            if attribute.annotation is not None
            and not attribute.has_labels("property")
            and "ClassVar" not in str(attribute.annotation)
        ]
        init = griffe.Function("__init__", parameters=griffe.Parameters(*fields), parent=cls)
        cls.set_member("__init__", init)
