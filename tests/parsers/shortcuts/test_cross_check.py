"""Check the second reader of binary property lists: it is imported late and reports differences."""

import datetime
import plistlib

import pytest

from parsers.errors import ParseError
from parsers.shortcuts.cross_check import cross_check
from tests.support.python import python

LIST = {
    "WFWorkflowActions": [{"n": 1, "share": 2.5, "blob": b"\x00\x01", "on": True}],
    "made": datetime.datetime(2024, 5, 17, 8, 30),
}


def test_both_readers_agree_on_a_valid_file() -> None:
    cross_check(plistlib.dumps(LIST, fmt=plistlib.FMT_BINARY))


def test_file_refused_by_the_second_reader_is_reported() -> None:
    with pytest.raises(ParseError, match="biplist refuses"):
        cross_check(b"bplist00")


def test_second_reader_is_imported_on_first_use() -> None:
    """Its import warns on Python 3.12 and newer, and warnings are errors in the tests."""
    script = """
import plistlib, sys, warnings
from parsers.shortcuts.cross_check import cross_check
assert "biplist" not in sys.modules
filters = list(warnings.filters)
cross_check(plistlib.dumps({"a": [1, 2]}, fmt=plistlib.FMT_BINARY))
assert "biplist" in sys.modules
assert warnings.filters == filters
"""
    python("-W", "error", "-c", script)
