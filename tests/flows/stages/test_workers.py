"""Processes that make shards: they have what stages need when they begin."""

import subprocess
import sys
from pathlib import Path

from flows.stages.processes.workers import process_pool
from tests.support.demo_world import SHORTCUTS

ASKED = """
from flows.stages.processes.server import PRELOADED
from flows.stages.processes.workers import process_pool
with process_pool(1) as pool:
    asked = f"sorted(set({PRELOADED!r}) - set(__import__('sys').modules))"
    print(pool.submit(eval, asked).result())
"""


WRITES = """
from flows.stages.processes.workers import process_pool
with process_pool(1) as pool:
    pool.submit(exec, "import pyarrow as pa; pa.array([0])").result()
    print(pool.submit(eval, "'pandas' in __import__('sys').modules").result())
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
        done = subprocess.run(
            [sys.executable, "-c", *map(str, words)],
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        assert done.stdout.splitlines()[-1] == "False", done.stderr


def test_a_worker_begins_with_what_stages_need() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKED], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == "[]\n"


def test_workers_begin_with_what_the_tests_have_prepared() -> None:
    with process_pool(1) as pool:
        found = pool.submit(eval, "'tests.support.warm' in __import__('sys').modules").result()
    assert found
