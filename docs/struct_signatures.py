"""An extension of griffe, which reads docstrings for the reference pages.

Griffe knows dataclasses but not `msgspec.Struct`. Without this extension the pages would show
structs without their fields.
"""

from typing import Any

import griffe

_STRUCT = "Struct"


class StructSignatures(griffe.Extension):
    """A griffe extension that adds to each struct the `__init__` that msgspec generates."""

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Add `__init__` to a struct when griffe has read all fields of the class."""
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
