"""Check that worker processes start with the modules and objects that stages need."""

import os
import uuid
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchloom.storage.stages import ShardMark
from flows.run.processes.workers import process_pool, run_shards, shard_maker
from tests.support.demo_world import SHORTCUTS
from tests.support.python import python

MISSING_MODULES = """
from flows.run.processes import PRELOADED
from flows.run.processes.workers import process_pool
with process_pool(1) as pool:
    asked = f"sorted(set({PRELOADED!r}) - set(__import__('sys').modules))"
    print(pool.ask("asking", eval, asked).result())
"""


BUILD_AN_ARRAY = """
from flows.run.processes.workers import process_pool
with process_pool(1) as pool:
    pool.ask("asking", exec, "import pyarrow as pa; pa.array([0])").result()
    print(pool.ask("asking", eval, "'pandas' in __import__('sys').modules").result())
"""
PARSE_SHORTCUTS = """
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
    """Arrow would import pandas when it first converts values, to recognise pandas objects."""
    file = SHORTCUTS / "rain-or-shine.json"
    for program in ([BUILD_AN_ARRAY], [PARSE_SHORTCUTS, file, tmp_path / "out"]):
        done = python("-c", *program)
        assert done.stdout.splitlines()[-1] == "False", done.stderr


def test_worker_starts_with_the_preloaded_modules() -> None:
    assert python("-c", MISSING_MODULES).stdout == "[]\n"


def test_worker_of_a_test_starts_with_the_tests_modules() -> None:
    with process_pool(1) as pool:
        is_imported = pool.ask(
            "asking", eval, "'tests.support.preload' in __import__('sys').modules"
        ).result()
    assert is_imported


class UnpickleCounter:
    """A maker of shards that notes each time a process unpickles it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __setstate__(self, state: Mapping[str, Path]) -> None:
        self.folder = state["folder"]
        (self.folder / f"{os.getpid()}-{uuid.uuid4().hex}").touch()

    def __call__(self, number: int) -> ShardMark:
        return ShardMark(number=number, objects=os.getpid(), rows={}, reasons={})


def test_shard_maker_is_sent_to_each_process_once(tmp_path: Path) -> None:
    numbers = range(12)
    shard_numbers: list[int] = []
    run_shards(numbers, UnpickleCounter(tmp_path), workers=2, then=shard_numbers.append)
    assert shard_numbers == list(numbers)
    with shard_maker(UnpickleCounter(tmp_path), 2) as make, ThreadPoolExecutor(4) as threads:
        marks = list(threads.map(make, numbers))
    assert [mark.number for mark in marks] == list(numbers)
    process_ids = [path.name.partition("-")[0] for path in tmp_path.iterdir()]
    assert {str(mark.objects) for mark in marks} <= set(process_ids)
    assert 2 <= len(process_ids) == len(set(process_ids)) <= 4
    with shard_maker(UnpickleCounter(tmp_path), 1) as make:
        assert make(3).objects == os.getpid()
