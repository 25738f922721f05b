"""The second reader of binary property lists: imported late, and heard when it disagrees."""

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


def test_both_readers_agree() -> None:
    cross_check(plistlib.dumps(LIST, fmt=plistlib.FMT_BINARY))


def test_a_file_that_the_second_reader_refuses_is_told() -> None:
    with pytest.raises(ParseError, match="biplist refuses"):
        cross_check(b"bplist00")


def test_the_reader_is_imported_only_where_it_is_used() -> None:
    """On Python 3.12 and newer its import warns, and a warning is an error here."""
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
