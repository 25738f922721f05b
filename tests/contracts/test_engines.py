"""Check that every engine gives the results of one process, in order, with original errors."""

import operator
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from benchloom.core.errors import GateError
from benchloom.release import read_manifest
from flows.run.engines import ENGINES, EngineRequest, current_engine, use_engine
from flows.run.output import Output
from flows.run.reads import Reads
from flows.run.runner import run_stage
from flows.run.stage import AnyStage, nothing_shared
from flows.stages.release import release_stages
from flows.stages.shortcuts import enrich, fingerprint, normalise, parse
from tests.support.demo_world import SHORTCUTS
from tests.support.engines import PART_BYTES, run_by_engine, shortcuts_by_engine
from tests.support.folders import contents

pytestmark = [pytest.mark.long, pytest.mark.slow]


@pytest.fixture(scope="module")
def in_one_process(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace with a release that this process built shard by shard."""
    workspace = tmp_path_factory.mktemp("plain")
    parsed = parse.prepare([SHORTCUTS], workspace, part_bytes=PART_BYTES)
    rows = run_stage(parsed)
    assert parsed.count > 5
    distinct = run_stage(normalise.prepare(rows), workspace)
    compared = run_stage(fingerprint.prepare(distinct), workspace)
    enriched = run_stage(enrich.prepare(distinct, compared), workspace)
    release_stages([enriched.path], workspace / "releases")
    return workspace


@pytest.fixture(scope="module", params=ENGINES.names())
def workspace(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """Run an engine with two workers in a new workspace, and yield the workspace."""
    folder = tmp_path_factory.mktemp(request.param)
    with use_engine(request.param, EngineRequest(workspace=folder, workers=2)):
        yield folder


def test_engine_results_equal_those_of_one_process(workspace: Path, in_one_process: Path) -> None:
    enriched = shortcuts_by_engine([SHORTCUTS], workspace)
    release = release_stages([enriched], workspace / "releases", workers=2)
    for folder in ("parsed", "normalised"):
        assert contents(workspace / folder) == contents(in_one_process / folder)
    expected = read_manifest(in_one_process / "releases" / "0.1.0").content_digest
    assert read_manifest(release).content_digest == expected


def test_error_of_a_shard_is_raised_unchanged(workspace: Path) -> None:
    stage = faulty_stage(workspace / "faulty")
    with pytest.raises(GateError) as caught:
        run_by_engine(stage)
    assert (str(caught.value), caught.value.findings) == ("said no", ("a finding",))
    assert stage.missing() == [1]


@pytest.mark.usefixtures("workspace")
def test_results_come_in_order_and_can_be_abandoned() -> None:
    with current_engine().mapping(2) as run:
        assert list(run(operator.mul, range(20), range(20))) == [n * n for n in range(20)]
        assert list(islice(run(abs, range(100)), 2)) == [0, 1]
        results = run(operator.floordiv, [4, 1, 3], [2, 0, 1])
        assert next(results) == 2
        with pytest.raises(ZeroDivisionError):
            next(results)


def faulty_stage(folder: Path) -> AnyStage:
    """Return a stage of three shards, of which the second fails."""
    return AnyStage(
        name="faulty",
        folder=folder,
        subject="faulty",
        reads=Reads(range(3), 3, ["key"]),
        tables=("rejected",),
        shared=nothing_shared,
        make=refuse_second,
    )


def refuse_second(_: None, number: int, __: Output) -> None:
    """Make a shard without rows, or raise for the second shard."""
    if number == 1:
        raise GateError("said no", ("a finding",))
