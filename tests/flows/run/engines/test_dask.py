"""Check that Dask refuses unfit workers before work starts, and what remains after kills."""

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


def refusal_lines(address: str, workspace: Path, *inputs: Path) -> list[str]:
    """Return the lines of the error that refuses the engine; the workspace must stay empty."""
    with (
        pytest.raises(EngineError) as caught,
        use_engine("dask", EngineRequest(workspace=workspace, address=address, inputs=inputs)),
    ):
        pytest.fail("it was started")
    assert list(workspace.glob("*")) == []
    assert list(workspace.glob(".cluster-*")) == []
    return str(caught.value).splitlines()


@pytest.mark.parametrize("address", ["", "localhost", "tcp://", "http://localhost:1", "a b:1"])
def test_malformed_address_is_refused(address: str, tmp_path: Path) -> None:
    (line,) = refusal_lines(address, tmp_path)
    assert line == f"engine.address: '{address}' is not an address such as tcp://127.0.0.1:8786"


def test_unfit_workers_are_named_before_any_work(processes: DaskProcesses, tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    address = processes.scheduler()
    (line,) = refusal_lines(address, workspace)
    assert (
        line
        == f"the scheduler at {address} has no workers; start workers and run the command again"
    )

    processes.worker(threads=2)
    (line,) = refusal_lines(address, workspace)
    assert line.endswith("start it with --nthreads 1")
    processes.end_workers()

    changed_code = tmp_path / "changed"
    changed_code.mkdir()
    for package in ("benchloom", "parsers", "prompts", "scrapers", "datasets"):
        (changed_code / package).symlink_to(ROOT / package)
    shutil.copytree(ROOT / "flows", changed_code / "flows")
    with (changed_code / "flows" / "parse.py").open("a") as file:
        file.write("# other\n")
    processes.worker(folder=changed_code)
    processes.worker(folder=tmp_path / "dask", code=False)
    lines = refusal_lines(address, workspace)
    assert len(lines) == 2
    assert sum("has another version of benchloom's code" in line for line in lines) == 1
    assert sum("cannot import benchloom's code" in line for line in lines) == 1, lines


def test_shards_of_killed_workers_are_made_again(tmp_path: Path) -> None:
    plain = parse.prepare([SHORTCUTS], tmp_path / "plain", part_bytes=PART_BYTES)
    run_stage(plain)
    stage = parse.prepare([SHORTCUTS], tmp_path / "killed", part_bytes=PART_BYTES)
    generator, kills = random.Random(20261122), samples(2, 5)
    delays = {
        number: generator.random() * 0.05 for number in generator.sample(range(stage.count), kills)
    }
    notes = tmp_path / "notes"
    notes.mkdir()
    with use_engine("dask", EngineRequest(workspace=tmp_path / "w", workers=2)):
        run_by_engine(watch_shards(stage, partial(kill_worker_once, delays, notes)))
        workers = local_worker_ids()
    assert len(list(notes.iterdir())) == len(delays)
    assert not running_processes(workers)
    assert contents(stage.path) == contents(plain.path)


def kill_worker_once(delays: dict[int, float], notes: Path, number: int) -> None:
    """Kill the worker of some shards shortly after it began, the first time only."""
    note = notes / str(number)
    if number in delays and not note.exists():
        note.touch()
        threading.Timer(delays[number], os.kill, (os.getpid(), signal.SIGKILL)).start()


def kill_worker(_: int) -> None:
    """Kill the worker instead of making the shard."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_shard_that_kills_its_workers_is_named(tmp_path: Path) -> None:
    stage = parse.prepare([SHORTCUTS], tmp_path, part_bytes=PART_BYTES)
    deadly_stage = watch_shards(stage, kill_worker)
    with (
        use_engine("dask", EngineRequest(workspace=tmp_path, workers=2)),
        current_engine().shards(deadly_stage, 2) as make,
        pytest.raises(EngineError) as caught,
    ):
        make(0)
    message = str(caught.value)
    assert message.startswith(f"parse-shortcuts shard 1 of {stage.count} (")
    assert "workers that tried to make it died; use fewer workers or free memory" in message


def test_next_run_continues_after_the_scheduler_was_killed(
    processes: DaskProcesses, tmp_path: Path
) -> None:
    plain = parse.prepare([SHORTCUTS], tmp_path / "plain", part_bytes=PART_BYTES)
    run_stage(plain)
    stage = parse.prepare([SHORTCUTS], tmp_path / "w", part_bytes=PART_BYTES)
    address = processes.scheduler()
    processes.worker()
    engine_options = EngineRequest(workspace=tmp_path / "w", address=address, inputs=(SHORTCUTS,))
    watched_stage = watch_shards(stage, partial(wait_for_kill, tmp_path / "killed"))

    def kill_after_two_shards() -> None:
        wait_for(
            "two shards",
            lambda: stage.count - len(missing_shards(stage.path, stage.count)) >= 2,
        )
        processes.kill_scheduler()
        (tmp_path / "killed").touch()

    with use_engine("dask", engine_options):
        kill_thread = threading.Thread(target=kill_after_two_shards)
        kill_thread.start()
        with pytest.raises(EngineError) as caught:
            run_by_engine(watched_stage)
        kill_thread.join()
    expected_message = (
        f"the scheduler at {address} is no longer reachable; run the same command again to continue"
    )
    assert str(caught.value) == expected_message
    finished_count = stage.count - len(stage.missing())
    assert 2 <= finished_count < stage.count
    run_stage(stage)
    assert contents(stage.path) == contents(plain.path)
    assert list((tmp_path / "w").glob(".cluster-*")) == []


def wait_for_kill(killed: Path, number: int) -> None:
    """Make the first two shards at once, and the others after the scheduler was killed."""
    if number > 1:
        wait_for("the kill", killed.exists)


def test_scheduler_killed_before_it_returned_results_is_reported(
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
        time.sleep(1)  # so that the client has received the result
        processes.hold_scheduler()
        kill_timer = threading.Timer(1, processes.kill_scheduler)
        kill_timer.start()
        with pytest.raises(EngineError) as caught:
            next(results)
        kill_timer.join()
    expected_message = (
        f"the scheduler at {address} is no longer reachable; run the same command again to continue"
    )
    assert str(caught.value) == expected_message


def test_killed_run_leaves_no_process(tmp_path: Path) -> None:
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
        # Dask's fork server would have imported Dask only.
        assert run.stdout.readline() == "True\n"
        assert run.pid not in workers
        assert running_processes(workers) == workers
        run.kill()
    wait_for("the end of workers", lambda: not running_processes(workers), 30)
    (cluster_folder,) = (tmp_path / "w").glob(".cluster-*")
    with use_engine("dask", EngineRequest(workspace=tmp_path / "w", workers=1)):
        assert not cluster_folder.exists()


def test_workers_read_captures_like_this_process(
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
