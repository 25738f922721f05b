"""Tests of the pace of a machine, which a child process measures while a block runs."""

import time

from benchmarks._pace import pace
from tests.support.python import python

_FAULT = """
import os
from benchmarks._pace import pace
try:
    with pace():
        raise KeyError
except KeyError:
    pass
try:
    os.wait()
except ChildProcessError:
    print("alone")
"""


def test_pace_is_known_only_after_the_block() -> None:
    with pace() as measured_pace:
        assert measured_pace.deciles == []
        time.sleep(1)
    assert len(measured_pace.deciles) == 9
    assert measured_pace.deciles == sorted(measured_pace.deciles)
    assert measured_pace.deciles[0] > 0
    assert measured_pace.deciles[0] * 0.99 < measured_pace.mean < measured_pace.deciles[-1] * 1.01


def test_very_short_block_has_a_pace() -> None:
    with pace() as measured_pace:
        pass
    assert measured_pace.mean > 0


def test_failing_block_ends_the_measuring_process() -> None:
    assert python("-c", _FAULT).stdout == "alone\n"
