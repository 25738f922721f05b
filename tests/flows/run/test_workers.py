"""Processes that make shards: they have what stages need when they begin."""

import os
import uuid
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchloom.storage.stages import ShardMark
from flows.run.processes.workers import process_pool, run_shards, shard_maker
from tests.support.demo_world import SHORTCUTS
from tests.support.python import python

ASKED = """
from flows.run.processes import PRELOADED
from flows.run.processes.workers import process_pool
with process_pool(1) as pool:
    asked = f"sorted(set({PRELOADED!r}) - set(__import__('sys').modules))"
    print(pool.ask("asking", eval, asked).result())
"""


WRITES = """
from flows.run.processes.workers import process_pool
with process_pool(1) as pool:
    pool.ask("asking", exec, "import pyarrow as pa; pa.array([0])").result()
    print(pool.ask("asking", eval, "'pandas' in __import__('sys').modules").result())
"""
COMMAND = """
import sys
from contextlib import suppress
from flows import cli
sys.argv = ["benchloom", "parse", "shortcuts", sys.argv[1], "--out", sys.argv[2]]
with suppress(SystemExit):
    cli.main()
assert "pyarrow" in sys.modules
print("pandas" in sys.modules)
"""


def test_neither_workers_nor_commands_import_pandas(tmp_path: Path) -> None:
    """Arrow would, when it is first given values, to recognise its objects."""
    file = SHORTCUTS / "rain-or-shine.json"
    for words in ([WRITES], [COMMAND, file, tmp_path / "out"]):
        done = python("-c", *words)
        assert done.stdout.splitlines()[-1] == "False", done.stderr


def test_a_worker_begins_with_what_stages_need() -> None:
    assert python("-c", ASKED).stdout == "[]\n"


def test_workers_begin_with_what_the_tests_have_prepared() -> None:
    with process_pool(1) as pool:
        answer = pool.ask(
            "asking", eval, "'tests.support.preload' in __import__('sys').modules"
        ).result()
    assert answer


class Noted:
    """Makes shards; notes each time that it comes to a process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __setstate__(self, state: Mapping[str, Path]) -> None:
        self.folder = state["folder"]
        (self.folder / f"{os.getpid()}-{uuid.uuid4().hex}").touch()

    def __call__(self, number: int) -> ShardMark:
        return ShardMark(number=number, objects=os.getpid(), rows={}, reasons={})


def test_what_makes_shards_comes_to_a_process_once(tmp_path: Path) -> None:
    numbers = range(12)
    shard_numbers: list[int] = []
    run_shards(numbers, Noted(tmp_path), workers=2, then=shard_numbers.append)
    assert shard_numbers == list(numbers)
    with shard_maker(Noted(tmp_path), 2) as make, ThreadPoolExecutor(4) as threads:
        marks = list(threads.map(make, numbers))
    assert [mark.number for mark in marks] == list(numbers)
    came = [path.name.partition("-")[0] for path in tmp_path.iterdir()]
    assert {str(mark.objects) for mark in marks} <= set(came)
    assert 2 <= len(came) == len(set(came)) <= 4
    with shard_maker(Noted(tmp_path), 1) as make:
        assert make(3).objects == os.getpid()
