"""A workspace in which everything goes wrong once ends in every byte of a fresh workspace.

One chain, as each of its rebuilds goes on from the one before: a run whose server dies, the first
release, other inputs, kept files that are damaged, a run that is killed, the second release.
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

FACTS = ("manifest.json", "manifest.sha256")
"""Files that tell when a release was made, and after which."""


@dataclass(frozen=True)
class Lost:
    """A run that lost its server."""

    code: int
    errors: str


@dataclass(frozen=True)
class Chain:
    """Outcomes of the runs of one workspace."""

    lost: Lost
    first: Path
    damaged: int
    killed: int
    left_by_the_killed: list[int]
    released_by_the_killed: bool
    again: Path
    fresh: Path


def damage(workspace: Path) -> int:
    """Change bytes all over the memory, and one of a shard's part."""
    (memory,) = (workspace / "memory").glob("*.sqlite")
    part = min((workspace / "parsed").glob("*/dialogues/*.parquet"))
    for path, count in ((memory, 8), (part, 1)):
        content = bytearray(path.read_bytes())
        for number in range(count):
            content[len(content) * (2 * number + 1) // (2 * count)] ^= 1
        path.write_bytes(content)
    return 8 + 1


def content(release: Path) -> dict[str, bytes]:
    return {
        path.relative_to(release).as_posix(): path.read_bytes()
        for path in sorted(release.rglob("*"))
        if path.is_file() and path.name not in FACTS
    }


@pytest.fixture(scope="module")
def chain(
    tmp_path_factory: pytest.TempPathFactory, prefect_url: str, small_rebuild: SmallRebuild
) -> Chain:
    folder = tmp_path_factory.mktemp("chain")
    world, workspace, home = folder / "world", folder / "old", folder / "home"
    write_world(world)
    config = configuration(world / "rebuild.toml", 'version = "0.0.1"')
    words = ("rebuild", "--json", "--config", str(config), "--workspace", str(workspace))

    def released() -> Path:
        done = benchloom(*words, env=clean_environment(home, prefect_url))
        assert done.returncode == 0, done.stderr
        return Path(json.loads(done.stdout)["release"])

    lost = _lose_the_server(words, workspace, home)
    first = released()
    change_world(world)
    configuration(config)
    damaged = damage(workspace)
    # It has a server of its own, which must not outlive it.
    with _started(words, clean_environment(home)) as run:
        # Searches and texts of this run are kept by then, and most of the stages are there.
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
        left = server_ids(home)
    else:
        left = []
    there = (workspace / "releases" / "0.1.0").exists()
    return Chain(
        lost, first, damaged, killed, left, there, again=released(), fresh=small_rebuild.release
    )


def _started(words: tuple[str, ...], environment: Mapping[str, str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "flows.cli", *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def _lose_the_server(words: tuple[str, ...], workspace: Path, home: Path) -> Lost:
    # Few of Prefect's own retries: it would wait a minute for a server that never comes back.
    variables = clean_environment(home) | {
        "PREFECT_CLIENT_MAX_RETRIES": "1",
        "PREFECT_CLIENT_RETRY_JITTER_FACTOR": "0",
    }
    with _started(words, variables) as run:
        wait_for("a stage", lambda: list(workspace.glob("parsed/*")) or run.poll())
        for server in server_ids(home):
            os.kill(server, signal.SIGKILL)
        _, said = run.communicate(timeout=200)
    return Lost(run.returncode, said)


def test_every_byte_is_that_of_a_fresh_workspace(chain: Chain) -> None:
    assert chain.damaged > 4
    fresh = chain.fresh
    assert content(chain.again) == content(fresh) != content(chain.first)
    manifests = [
        msgspec.structs.replace(manifest, made=fresh_manifest.made, previous=None)
        for fresh_manifest in [read_manifest(fresh)]
        for manifest in (fresh_manifest, read_manifest(chain.again))
    ]
    assert manifests[0] == manifests[1]
    for release in (chain.first, chain.again):
        check_release(release)


def test_a_killed_run_leaves_neither_release_nor_server(chain: Chain) -> None:
    assert chain.killed < 0
    assert not chain.released_by_the_killed
    assert chain.left_by_the_killed == []


def test_a_run_whose_server_dies_says_so_and_goes_on_when_started_again(chain: Chain) -> None:
    assert chain.lost.code == 2, chain.lost.errors
    assert "Prefect's server has ended" in chain.lost.errors
    assert "Traceback" not in chain.lost.errors
    assert chain.first.name == "0.0.1"
