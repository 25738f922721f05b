"""Check that biplist reads the same values from a binary property list as our parser."""

import datetime
import io
import math
import plistlib
import warnings
from functools import cache
from types import ModuleType

from benchloom.core.errors import extra
from parsers.errors import ParseError
from parsers.property_lists import read_binary
from parsers.walk import check_bounds

_UNBOUNDED = frozenset({"cyclic", "too_deep", "too_many_nodes"})
MAX_VALUES = 100_000
MAX_BYTES = 4 * 1024 * 1024
"""Maximum number of bytes of a checked file. Larger files are skipped, because biplist is slow."""


@cache
def _biplist() -> ModuleType:
    # Imported only when used: the import warns on Python 3.12 and newer.
    with warnings.catch_warnings():
        # It computes its epoch by datetime.utcfromtimestamp while it is imported, and only then.
        warnings.filterwarnings(
            "ignore", r"datetime\.datetime\.utcfromtimestamp", DeprecationWarning
        )
        with extra("cross-check", "second readings"):
            import biplist
    module: ModuleType = biplist
    return module


def cross_check(data: bytes) -> None:
    """Raise if biplist reads other values from a binary property list.

    Call it after `parse_shortcut`, whose bounded walk has excluded cycles and shared-reference
    bombs, on which biplist hangs.
    """
    if len(data) > MAX_BYTES:
        return
    value: object = None
    try:
        # `parse_shortcut` walks only the actions; other values may share or nest without bound.
        value = read_binary(data)
        check_bounds(value, MAX_VALUES)
    except ParseError as error:
        if error.reason in _UNBOUNDED:
            return
    biplist = _biplist()
    try:
        other = biplist.PlistReader(io.BytesIO(data)).parse()
    except (biplist.InvalidPlistException, biplist.NotBinaryPlistException, ValueError) as error:
        raise ParseError("readers_disagree", f"biplist refuses the file: {error}") from error
    path = _difference(value, other)
    if path is not None:
        raise ParseError("readers_disagree", f"plistlib and biplist differ at {path or '/'}")


def _difference(first: object, second: object) -> str | None:
    pending: list[tuple[str, object, object]] = [("", first, second)]
    while pending:
        path, left, right = pending.pop()
        if isinstance(left, dict) and isinstance(right, dict):
            if left.keys() != right.keys():
                return path
            pending.extend((f"{path}/{key}", left[key], right[key]) for key in left)
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return path
            pairs = zip(left, right, strict=True)
            pending.extend((f"{path}/{n}", a, b) for n, (a, b) in enumerate(pairs))
        elif not _same_leaf(left, right):
            return path
    return None


def _same_leaf(left: object, right: object) -> bool:
    if isinstance(left, plistlib.UID):
        # biplist's class for UIDs is a subclass of int.
        return isinstance(right, _biplist().Uid) and left.data == int(right)
    if isinstance(left, bytes) or isinstance(right, bytes):
        return isinstance(left, bytes) and isinstance(right, bytes) and bytes(left) == bytes(right)
    if isinstance(left, datetime.datetime) and isinstance(right, datetime.datetime):
        return left.replace(tzinfo=None) == right.replace(tzinfo=None)
    if isinstance(left, float) and isinstance(right, float) and math.isnan(left):
        return math.isnan(right)
    return left == right
