"""The pace of a machine is measured beside a block, by a process that goes with it."""

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


def test_it_is_told_once_the_block_is_over() -> None:
    with pace() as meanwhile:
        assert meanwhile.deciles == []
        time.sleep(1)
    assert len(meanwhile.deciles) == 9
    assert meanwhile.deciles == sorted(meanwhile.deciles)
    assert meanwhile.deciles[0] > 0
    assert meanwhile.deciles[0] * 0.99 < meanwhile.mean < meanwhile.deciles[-1] * 1.01


def test_a_block_shorter_than_a_piece_has_one() -> None:
    with pace() as meanwhile:
        pass
    assert meanwhile.mean > 0


def test_nothing_is_left_running_by_a_fault() -> None:
    assert python("-c", _FAULT).stdout == "alone\n"
