"""A Dask cluster: who is refused before work starts, and what is left when somebody is killed."""

import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from benchloom.storage.stages import missing_shards
from benchmarks.captured_worlds import write_captures
from flows.errors import EngineError
from flows.run.engines import EngineRequest, current_engine, use_engine
from flows.run.runner import run_stage
from flows.stages.listings import read
from flows.stages.shortcuts import parse
from tests.support.dask_processes import DaskProcesses, local_worker_ids, running_processes
from tests.support.demo_world import SHORTCUTS
from tests.support.engines import PART_BYTES, run_by_engine
from tests.support.folders import contents
from tests.support.prefect_server import wait_for
from tests.support.soak import samples
from tests.support.stages import watch_shards

pytestmark = [pytest.mark.long, pytest.mark.slow]
ROOT = Path(__file__).parents[4]


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[DaskProcesses]:
    with DaskProcesses(tmp_path / "dask") as dask_processes:
        yield dask_processes


def refusal(address: str, workspace: Path, *inputs: Path) -> list[str]:
    """Lines of the error that refuses the engine; nothing is left in the workspace."""
    with (
        pytest.raises(EngineError) as caught,
        use_engine("dask", EngineRequest(workspace=workspace, address=address, inputs=inputs)),
    ):
        pytest.fail("it was started")
    assert list(workspace.glob("*")) == []
    assert list(workspace.glob(".cluster-*")) == []
    return str(caught.value).splitlines()


@pytest.mark.parametrize("address", ["", "localhost", "tcp://", "http://localhost:1", "a b:1"])
def test_what_is_no_address_is_refused_at_once(address: str, tmp_path: Path) -> None:
    (line,) = refusal(address, tmp_path)
    assert line == f"engine.address: '{address}' is not an address such as tcp://127.0.0.1:8786"


def test_who_cannot_take_part_is_named_before_any_work(
    processes: DaskProcesses, tmp_path: Path
) -> None:
    workspace = tmp_path / "w"
    address = processes.scheduler()
    (line,) = refusal(address, workspace)
    assert (
        line
        == f"the scheduler at {address} has no workers; start workers and run the command again"
    )

    processes.worker(threads=2)
    (line,) = refusal(address, workspace)
    assert line.endswith("start it with --nthreads 1")
    processes.end_workers()

    changed = tmp_path / "changed"
    changed.mkdir()
    for package in ("benchloom", "parsers", "prompts", "scrapers", "datasets"):
        (changed / package).symlink_to(ROOT / package)
    shutil.copytree(ROOT / "flows", changed / "flows")
    with (changed / "flows" / "parse.py").open("a") as file:
        file.write("# other\n")
    processes.worker(folder=changed)
    processes.worker(folder=tmp_path / "dask", code=False)
    lines = refusal(address, workspace)
    assert len(lines) == 2
    assert sum("has another version of benchloom's code" in line for line in lines) == 1
    assert sum("cannot import benchloom's code" in line for line in lines) == 1, lines


def test_killed_workers_cost_their_shards(tmp_path: Path) -> None:
    plain = parse.prepare([SHORTCUTS], tmp_path / "plain", part_bytes=PART_BYTES)
    run_stage(plain)
    stage = parse.prepare([SHORTCUTS], tmp_path / "killed", part_bytes=PART_BYTES)
    chance, kills = random.Random(20261122), samples(2, 5)
    doomed = {number: chance.random() * 0.05 for number in chance.sample(range(stage.count), kills)}
    notes = tmp_path / "notes"
    notes.mkdir()
    with use_engine("dask", EngineRequest(workspace=tmp_path / "w", workers=2)):
        run_by_engine(watch_shards(stage, partial(die_at_first, doomed, notes)))
        workers = local_worker_ids()
    assert len(list(notes.iterdir())) == len(doomed)
    assert not running_processes(workers)
    assert contents(stage.path) == contents(plain.path)


def die_at_first(doomed: dict[int, float], notes: Path, number: int) -> None:
    """End the process of some shards the first time, a moment after they began."""
    note = notes / str(number)
    if number in doomed and not note.exists():
        note.touch()
        threading.Timer(doomed[number], os.kill, (os.getpid(), signal.SIGKILL)).start()


def killed_always(_: int) -> None:
    """Make no shard."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_shard_that_kills_its_workers_is_named(tmp_path: Path) -> None:
    stage = parse.prepare([SHORTCUTS], tmp_path, part_bytes=PART_BYTES)
    doomed = watch_shards(stage, killed_always)
    with (
        use_engine("dask", EngineRequest(workspace=tmp_path, workers=2)),
        current_engine().shards(doomed, 2) as make,
        pytest.raises(EngineError) as caught,
    ):
        make(0)
    said = str(caught.value)
    assert said.startswith(f"parse-shortcuts shard 1 of {stage.count} (")
    assert "workers that tried to make it died; use fewer workers or free memory" in said


def test_a_killed_scheduler_leaves_what_the_next_run_finishes(
    processes: DaskProcesses, tmp_path: Path
) -> None:
    plain = parse.prepare([SHORTCUTS], tmp_path / "plain", part_bytes=PART_BYTES)
    run_stage(plain)
    stage = parse.prepare([SHORTCUTS], tmp_path / "w", part_bytes=PART_BYTES)
    address = processes.scheduler()
    processes.worker()
    engine_options = EngineRequest(workspace=tmp_path / "w", address=address, inputs=(SHORTCUTS,))
    waiting = watch_shards(stage, partial(wait_for_kill, tmp_path / "killed"))

    def kill() -> None:
        wait_for(
            "two shards",
            lambda: stage.count - len(missing_shards(stage.path, stage.count)) >= 2,
        )
        processes.kill_scheduler()
        (tmp_path / "killed").touch()

    with use_engine("dask", engine_options):
        killing = threading.Thread(target=kill)
        killing.start()
        with pytest.raises(EngineError) as caught:
            run_by_engine(waiting)
        killing.join()
    gone = (
        f"the scheduler at {address} is no longer reachable; run the same command again to continue"
    )
    assert str(caught.value) == gone
    there = stage.count - len(stage.missing())
    assert 2 <= there < stage.count
    run_stage(stage)
    assert contents(stage.path) == contents(plain.path)
    assert list((tmp_path / "w").glob(".cluster-*")) == []


def wait_for_kill(killed: Path, number: int) -> None:
    """The first two shards are made, the others once the scheduler is gone."""
    if number > 1:
        wait_for("the kill", killed.exists)


def test_a_scheduler_killed_before_it_gave_what_was_made(
    processes: DaskProcesses, tmp_path: Path
) -> None:
    address = processes.scheduler()
    processes.worker()
    engine_options = EngineRequest(workspace=tmp_path / "w", address=address)
    notes = [tmp_path / "0", tmp_path / "1"]
    with use_engine("dask", engine_options), current_engine().mapping(1) as run:
        results = run(Path.touch, notes)
        next(results)
        wait_for("the second", notes[1].exists)
        time.sleep(1)  # until the client knows of it
        processes.hold_scheduler()
        killing = threading.Timer(1, processes.kill_scheduler)
        killing.start()
        with pytest.raises(EngineError) as caught:
            next(results)
        killing.join()
    gone = (
        f"the scheduler at {address} is no longer reachable; run the same command again to continue"
    )
    assert str(caught.value) == gone


def test_a_killed_run_leaves_no_process(tmp_path: Path) -> None:
    program = """
from pathlib import Path
import sys, time
from flows.run.engines import current_engine, use_engine
from flows.run.engines import EngineRequest
from flows.run.processes.workers import process_pool
from tests.support.dask_processes import has_imported, local_worker_ids

if __name__ == "__main__":
    with use_engine("dask", EngineRequest(workspace=Path(sys.argv[1]), workers=2)):
        print(*local_worker_ids())
        with process_pool(1) as pool:
            asked = pool.ask("asking", has_imported, "flows.stages.shortcuts.parse")
            print(asked.result(), flush=True)
        time.sleep(60)
"""
    script = tmp_path / "program.py"
    script.write_text(program)
    command = [sys.executable, str(script), str(tmp_path / "w")]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        workers = [int(word) for word in run.stdout.readline().split()]
        assert len(workers) == 2
        # Dask's own server of forks would have imported Dask alone.
        assert run.stdout.readline() == "True\n"
        assert run.pid not in workers
        assert running_processes(workers) == workers
        run.kill()
    wait_for("the end of workers", lambda: not running_processes(workers), 30)
    (left,) = (tmp_path / "w").glob(".cluster-*")
    with use_engine("dask", EngineRequest(workspace=tmp_path / "w", workers=1)):
        assert not left.exists()


def test_workers_read_captures_as_this_process_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "PART_BYTES", 20_000)
    write_captures(100, tmp_path / "captures")
    plain = read.prepare(tmp_path / "captures").below(tmp_path / "plain")
    run_stage(plain)
    stage = read.prepare(tmp_path / "captures").below(tmp_path / "w")
    assert stage.count > 5
    engine_options = EngineRequest(
        workspace=tmp_path / "w", workers=2, inputs=(tmp_path / "captures",)
    )
    with use_engine("dask", engine_options):
        run_by_engine(stage)
    assert contents(stage.path) == contents(plain.path)
