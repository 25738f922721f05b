"""Processes that make shards: they have what stages need when they begin."""

import subprocess
import sys

from flows.stages.processes.workers import process_pool

ASKED = """
from flows.stages.processes.workers import PRELOADED, process_pool
with process_pool(1) as pool:
    asked = f"sorted(set({PRELOADED!r}) - set(__import__('sys').modules))"
    print(pool.submit(eval, asked).result())
"""


def test_a_worker_begins_with_what_stages_need() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKED], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == "[]\n"


def test_workers_begin_with_what_the_tests_have_prepared() -> None:
    with process_pool(1) as pool:
        found = pool.submit(eval, "'tests.support.warm' in __import__('sys').modules").result()
    assert found
