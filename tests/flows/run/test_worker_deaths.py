"""Check that the call of a worker that dies is repeated once, then the run ends with one line."""

import ctypes
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest

from benchloom.core.errors import GateError, RejectedInputError, RunError
from benchloom.storage.stages import ShardMark
from flows.errors import Death, MemoryRunError, WorkerError, is_memory_fault
from flows.run.processes.workers import mapping, process_pool, run_shards, shard_maker
from flows.run.reads import covered_names
from tests.support.commands import benchloom
from tests.support.demo_world import DEMO, write_shards
from tests.support.folders import contents
from tests.support.prefect_server import clean_environment
from tests.support.python import python
from tests.support.soak import samples
from tests.support.worker_kills import run_and_kill_workers

pytestmark = pytest.mark.long

KILLS = samples(1, 20)
"""Killed runs of each command; the seed decides whether one, two or all workers are killed."""


def kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def abort_self() -> None:
    """End this process as C++ does when no memory is left."""
    threading.Thread(target=ctypes.CDLL(None).abort).start()
    signal.pause()


def exit_self() -> None:
    os._exit(3)


def run_out_of_memory() -> None:
    raise MemoryError


def run_out_of_arrow_memory() -> None:
    raise pa.ArrowMemoryError("malloc of size 64 failed")


def run_out_of_threads() -> None:
    raise RuntimeError("can't start new thread")


MESSAGES_BY_DEATH: dict[Callable[[], None], str] = {
    kill_self: "it was ended by SIGKILL",
    abort_self: "it was ended by SIGABRT",
    exit_self: "it ended with exit code 3",
    run_out_of_memory: "it ran out of memory",
    run_out_of_arrow_memory: "it ran out of memory",
    run_out_of_threads: "it ran out of memory",
}


class Shards:
    """A maker of shards that dies `times` times at shard 3 and notes each try."""

    def __init__(self, folder: Path, die: Callable[[], None], times: int) -> None:
        self.folder = folder
        self.die = die
        self.times = times

    def __call__(self, number: int) -> ShardMark:
        tries = len(list(self.folder.glob(f"{number}-*")))
        (self.folder / f"{number}-{tries}").touch()
        if number == 3 and tries < self.times:
            self.die()
        return ShardMark(number=number, objects=os.getpid(), rows={}, reasons={})


@pytest.mark.parametrize("die", MESSAGES_BY_DEATH)
def test_shard_of_a_dead_worker_is_made_again(tmp_path: Path, die: Callable[[], None]) -> None:
    shard_numbers: list[int] = []
    run_shards(range(8), Shards(tmp_path, die, 1), workers=2, then=shard_numbers.append)
    assert shard_numbers == list(range(8))
    tries = sorted(path.name for path in tmp_path.iterdir())
    assert tries == sorted([*(f"{number}-0" for number in range(8)), "3-1"])


@pytest.mark.parametrize(("die", "cause"), MESSAGES_BY_DEATH.items())
def test_shard_that_kills_two_workers_ends_the_run(
    tmp_path: Path, die: Callable[[], None], cause: str
) -> None:
    def name(number: int) -> str:
        return f"shard {number + 1} (a.zip)"

    with pytest.raises(WorkerError) as caught:
        run_shards(range(8), Shards(tmp_path, die, 2), workers=2, name=name)
    assert str(caught.value) == (
        f"shard 4 (a.zip): two processes died while making it ({cause}); "
        "use fewer workers or free memory, and run the same command again to continue"
    )
    assert caught.value.exit_code == 2
    assert {path.name for path in tmp_path.iterdir()} >= {"0-0", "1-0", "2-0", "3-0", "3-1"}


def test_covered_names_describe_the_inputs_of_a_shard() -> None:
    covers = partial(covered_names, ["a", "b", "c"], [(0, 2), (2, 3)])
    assert [covers(number) for number in range(3)] == ["a to b", "c", "no object"]


def test_only_shard_of_the_dead_worker_is_made_again(tmp_path: Path) -> None:
    with (
        shard_maker(Shards(tmp_path, kill_self, 2), 3) as make,
        ThreadPoolExecutor(3) as threads,
    ):
        futures = [threads.submit(make, number) for number in range(8)]
        faults = [future.exception() for future in futures]
    assert [type(fault) for fault in faults] == [*[type(None)] * 3, WorkerError, *[type(None)] * 4]
    assert len(list(tmp_path.iterdir())) == 9


def test_memory_fault_in_the_command_itself_names_the_shard(tmp_path: Path) -> None:
    with pytest.raises(MemoryRunError, match=r"^shard 4: out of memory; use fewer workers"):
        run_shards(range(8), Shards(tmp_path, run_out_of_arrow_memory, 1), workers=1)


class OddError(Exception):
    """An error that cannot be created again from its arguments."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"{first} {second}")


def raise_fault(fault: str) -> None:
    faults = {
        "run": RunError("no such input"),
        "gate": GateError("does not hold", ("first", "second")),
        "rejected": RejectedInputError("bad_entry", "line 3"),
        "odd": OddError("one", "two"),
        "bug": ZeroDivisionError("by zero"),
    }
    raise faults[fault]


@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
        ("run", RunError, "no such input"),
        ("gate", GateError, "does not hold"),
        ("rejected", RejectedInputError, "line 3"),
        ("odd", RuntimeError, "one two"),
        ("bug", ZeroDivisionError, "by zero"),
    ],
)
def test_errors_of_a_worker_are_raised_in_the_calling_process(
    fault: str, kind: type[Exception], message: str
) -> None:
    with mapping(2) as run, pytest.raises(kind) as caught:
        list(run(raise_fault, [fault]))
    assert message in str(caught.value)
    if isinstance(caught.value, GateError):
        assert caught.value.findings == ("first", "second")
    if fault == "bug":
        assert "in raise_fault" in "".join(caught.value.__notes__)


def test_object_that_cannot_be_unpickled_fails_each_call() -> None:
    with process_pool(2, Unpicklable()) as pool:
        for _ in range(3):
            with pytest.raises(RunError, match="made elsewhere"):
                pool.ask("a call", os.getpid).result()


class Unpicklable:
    """An object that a worker fails to unpickle."""

    def __setstate__(self, state: object) -> None:
        raise RunError("made elsewhere")

    def __getstate__(self) -> dict[str, int]:
        return {"a": 1}

    def __call__(self, number: int) -> ShardMark:
        raise NotImplementedError(number)


def test_results_keep_their_order_and_size() -> None:
    with mapping(3) as run:
        assert list(run(pow, range(50), [2] * 50)) == [number**2 for number in range(50)]
        assert [len(content) for content in run(bytes, [5_000_000, 0, 70_000])] == [
            5_000_000,
            0,
            70_000,
        ]


@pytest.mark.parametrize(
    ("fault", "is_memory"),
    [
        (MemoryError(), True),
        (OSError(12, "Cannot allocate memory"), True),
        (ImportError("x.so: failed to map segment from shared object"), True),
        (OSError(28, "No space left on device"), False),
        (RuntimeError("cannot schedule new futures"), False),
        (ImportError("No module named 'x'"), False),
    ],
)
def test_memory_faults_are_recognised(fault: Exception, *, is_memory: bool) -> None:
    assert is_memory_fault(fault) is is_memory


def test_death_describes_how_a_process_ended() -> None:
    assert str(Death(-9)) == "it was ended by SIGKILL"
    assert str(Death(-99)) == "it was ended by signal 99"
    assert str(Death(start="EOFError()")) == "it could not be started: EOFError()"


ABORTING_COMMAND = """
import ctypes, sys, threading
from flows import cli
from flows.commands import COMMANDS
def abort():
    thread = threading.Thread(target=ctypes.CDLL(None).abort)
    thread.start()
    thread.join()
cli.build_app = lambda word: abort
cli.main()
"""


def test_command_aborted_by_a_library_ends_with_one_line() -> None:
    done = python("-c", ABORTING_COMMAND, code=2)
    assert done.stderr.startswith("benchloom: a library aborted the run, most likely because")
    assert done.stderr.count("\n") == 1


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write shortcuts for several shards, and a configuration that also reads dialogues."""
    folder = tmp_path_factory.mktemp("deaths")
    write_shards(folder / "in", "*.json")
    (folder / "rebuild.toml").write_text(
        f'workers = 2\n[sources]\nshortcuts = ["in"]\nsgd = ["{DEMO / "sgd"}"]\n'
    )
    return folder


COMMANDS: dict[str, list[str]] = {
    "world build": ["world", "build", "everyday", "--count", "40", "--workers", "2"],
    "rebuild": ["rebuild", "--config", "{world}/rebuild.toml"],
}
VOLATILE_FILES = {"manifest.json", "manifest.sha256"}
"""Files of a release that state when it was made."""
SECONDS = {"world build": 8.0, "rebuild": 20.0}
"""Approximate duration of each command on an idle machine; later kills would find no worker."""


@pytest.mark.prefect
@pytest.mark.parametrize("command", COMMANDS)
def test_command_with_killed_workers_gives_equal_bytes_or_one_line(
    tmp_path: Path, world: Path, prefect_url: str, command: str
) -> None:
    environment = clean_environment(tmp_path / "home", prefect_url)
    arguments = [word.format(world=world) for word in COMMANDS[command]]

    def run_to_the_end(out: Path) -> None:
        done = benchloom(*arguments, "--out", out, env=environment)
        assert done.returncode == 0, done.stderr

    def read_result(out: Path) -> dict[str, bytes]:
        return contents(out / "releases" / "0.1.0" if command == "rebuild" else out)

    run_to_the_end(tmp_path / "undisturbed")
    expected = read_result(tmp_path / "undisturbed")
    generator = Random(f"{command} 20261126")
    for number in range(KILLS):
        out = tmp_path / f"killed-{number}"
        max_kills = generator.choice([1, 1, 2, 50])
        end = run_and_kill_workers(
            [*arguments, "--out", out], generator, SECONDS[command] / 2, max_kills, environment
        )
        assert end.is_in_order(), end
        print(f"{command}: {end.killed} killed, exit code {end.code}")  # noqa: T201  for `make soak`
        if end.code != 0:
            run_to_the_end(out)
        file_contents = read_result(out)
        unequal = {
            name
            for name in expected.keys() | file_contents
            if expected.get(name) != file_contents.get(name)
        }
        assert unequal <= (VOLATILE_FILES if command == "rebuild" else set())
