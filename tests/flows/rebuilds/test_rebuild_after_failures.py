"""Check that a workspace with many failures ends in the same bytes as a fresh workspace.

The rebuilds form one chain, as each continues from the one before: a run whose Prefect server is
killed, the first release, changed inputs, damaged stored results, a killed run, the second release.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from benchloom.release import check_release, read_manifest
from tests.support.commands import benchloom
from tests.support.prefect_server import clean_environment, server_ids, wait_for
from tests.support.small_rebuild import SmallRebuild, change_world, configuration, write_world

pytestmark = [pytest.mark.long, pytest.mark.prefect]

VOLATILE_FILES = ("manifest.json", "manifest.sha256")
"""Files that state when a release was made and which release was made before it."""


@dataclass(frozen=True)
class InterruptedRun:
    """The exit code and the stderr of a run whose Prefect server was killed."""

    code: int
    errors: str


@dataclass(frozen=True)
class Chain:
    """The outcomes of the runs in one workspace."""

    lost: InterruptedRun
    first: Path
    damaged: int
    killed: int
    servers_of_killed_run: list[int]
    was_released_by_killed_run: bool
    again: Path
    fresh: Path


def damage_workspace(workspace: Path) -> int:
    """Flip bytes of the memory and of one Parquet part, and return the number of flipped bytes."""
    (memory,) = (workspace / "memory").glob("*.sqlite")
    part = min((workspace / "parsed").glob("*/dialogues/*.parquet"))
    for path, count in ((memory, 8), (part, 1)):
        data = bytearray(path.read_bytes())
        for number in range(count):
            data[len(data) * (2 * number + 1) // (2 * count)] ^= 1
        path.write_bytes(data)
    return 8 + 1


def read_contents(release: Path) -> dict[str, bytes]:
    """Return the bytes of every file of a release except `VOLATILE_FILES`, by path."""
    return {
        path.relative_to(release).as_posix(): path.read_bytes()
        for path in sorted(release.rglob("*"))
        if path.is_file() and path.name not in VOLATILE_FILES
    }


@pytest.fixture(scope="module")
def chain(
    tmp_path_factory: pytest.TempPathFactory, prefect_url: str, small_rebuild: SmallRebuild
) -> Chain:
    """Run the chain of rebuilds in one workspace and return the outcome of each."""
    folder = tmp_path_factory.mktemp("chain")
    world, workspace, home = folder / "world", folder / "old", folder / "home"
    write_world(world)
    config = configuration(world / "rebuild.toml", 'version = "0.0.1"')
    command = ("rebuild", "--json", "--config", str(config), "--workspace", str(workspace))

    def rebuild() -> Path:
        done = benchloom(*command, env=clean_environment(home, prefect_url))
        assert done.returncode == 0, done.stderr
        return Path(json.loads(done.stdout)["release"])

    lost = _kill_the_server(command, workspace, home)
    first = rebuild()
    change_world(world)
    configuration(config)
    damaged = damage_workspace(workspace)
    # The run starts a Prefect server, which must end with the run.
    with _start_rebuild(command, clean_environment(home)) as run:
        # By then the run has stored searches and texts, and has finished most stages.
        generation_folder = workspace / "generated"
        wait_for(
            "the second step",
            lambda: len(list(generation_folder.glob("query-*"))) > 1 or run.poll(),
        )
        run.kill()
        killed = run.wait()
    try:
        wait_for("the end of its server", lambda: not server_ids(home), 20)
    except TimeoutError:
        server_pids = server_ids(home)
    else:
        server_pids = []
    was_released = (workspace / "releases" / "0.1.0").exists()
    return Chain(
        lost,
        first,
        damaged,
        killed,
        server_pids,
        was_released,
        again=rebuild(),
        fresh=small_rebuild.release,
    )


def _start_rebuild(
    command: tuple[str, ...], environment: Mapping[str, str]
) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "flows.cli", *command],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def _kill_the_server(command: tuple[str, ...], workspace: Path, home: Path) -> InterruptedRun:
    """Start a rebuild, kill its Prefect server during a stage, and return how the run ended."""
    # By default Prefect's client would retry for a minute, although the server never comes back.
    variables = clean_environment(home) | {
        "PREFECT_CLIENT_MAX_RETRIES": "1",
        "PREFECT_CLIENT_RETRY_JITTER_FACTOR": "0",
    }
    with _start_rebuild(command, variables) as run:
        wait_for("a stage", lambda: list(workspace.glob("parsed/*")) or run.poll())
        for server in server_ids(home):
            os.kill(server, signal.SIGKILL)
        _, errors = run.communicate(timeout=200)
    return InterruptedRun(run.returncode, errors)


def test_second_release_equals_that_of_a_fresh_workspace(chain: Chain) -> None:
    assert chain.damaged > 4
    fresh = chain.fresh
    assert read_contents(chain.again) == read_contents(fresh) != read_contents(chain.first)
    manifests = [
        msgspec.structs.replace(manifest, made=fresh_manifest.made, previous=None)
        for fresh_manifest in [read_manifest(fresh)]
        for manifest in (fresh_manifest, read_manifest(chain.again))
    ]
    assert manifests[0] == manifests[1]
    for release in (chain.first, chain.again):
        check_release(release)


def test_killed_run_leaves_neither_release_nor_server(chain: Chain) -> None:
    assert chain.killed < 0
    assert not chain.was_released_by_killed_run
    assert chain.servers_of_killed_run == []


def test_run_whose_server_dies_reports_it_and_can_be_repeated(chain: Chain) -> None:
    assert chain.lost.code == 2, chain.lost.errors
    assert "Prefect's server has ended" in chain.lost.errors
    assert "Traceback" not in chain.lost.errors
    assert chain.first.name == "0.0.1"
