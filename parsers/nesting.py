"""Measure the depth and size of a JSON text by its brackets and commas before decoding it."""

from benchloom.storage.inputs.json_nesting import (
    MAX_DEPTH,
    may_nest_deeper,
    outside,
    without_escapes,
)
from parsers.errors import ParseError

__all__ = ["MAX_DEPTH", "MAX_VALUES", "check_json", "may_nest_deeper"]
MAX_VALUES = 500_000


def check_json(text: bytes, max_depth: int = MAX_DEPTH, max_values: int = MAX_VALUES) -> None:
    """Raise if a JSON text nests deeper or contains more values than the limits allow."""
    opened = text.count(b"[") + text.count(b"{")  # with those that a text quotes
    if opened + text.count(b",") > max_values:
        bare = outside(without_escapes(text))
        if bare.count(b"[") + bare.count(b"{") + bare.count(b",") > max_values:
            raise ParseError("too_many_nodes", f"JSON: more than {max_values} values")
    if opened > max_depth and may_nest_deeper(text, max_depth):
        raise ParseError("too_deep", f"JSON nests deeper than {max_depth}")
