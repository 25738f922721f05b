"""Shortcut files through every stage up to the one that may be released."""

import os
from pathlib import Path

import pytest

from flows.stages.release import release_stages
from flows.stages.sharded import ShardedStage, run_stage
from flows.stages.shortcuts import enrich as enrich_shortcuts
from flows.stages.shortcuts import fingerprint as fingerprint_shortcuts
from flows.stages.shortcuts import normalise as normalise_shortcuts
from flows.stages.shortcuts import parse as parse_shortcuts
from tests.support.shared_data import shared_file

REBUILT = "BENCHLOOM_REBUILT"
"""A workspace that holds a rebuild of the real inputs, so that tests need not make one."""


def enrich(
    inputs: list[Path], workspace: Path, workers: int = 1, shard_bytes: int = 8_000_000
) -> ShardedStage:
    """The finished enrich stage of some shortcut files."""
    parse = parse_shortcuts.prepare(inputs, workspace / "parsed", shard_bytes=shard_bytes)
    run_stage(parse, workers=workers)
    root = workspace / "normalised"
    distinct = normalise_shortcuts.prepare(parse.folder, root)
    run_stage(distinct, workers=workers)
    compared = fingerprint_shortcuts.prepare(distinct.folder, root)
    run_stage(compared, workers=workers)
    enriched = enrich_shortcuts.prepare(distinct.folder, compared.folder, root)
    run_stage(enriched, workers=workers)
    return enriched


def build(inputs: list[Path], workspace: Path, workers: int = 1, shard_bytes: int = 8_000) -> Path:
    """The release of some shortcut files."""
    stage = enrich(inputs, workspace, workers, shard_bytes)
    return release_stages([stage.folder], workspace / "releases")


@pytest.fixture(scope="session")
def real_shortcuts(tmp_path_factory: pytest.TempPathFactory) -> ShardedStage:
    """The enrich stage of the real archive; its workspace, two folders up, holds the earlier ones.

    Tests must not write into them. A workspace that was rebuilt from the same archive is read.
    """
    given = os.environ.get(REBUILT)
    workspace = Path(given) if given else tmp_path_factory.mktemp("real")
    return enrich([shared_file("shortcuts.zip")], workspace, workers=2)


def parsed_folder(enriched: ShardedStage) -> Path:
    """The parse stage that an enrich stage was made from."""
    (folder,) = (enriched.folder.parents[1] / "parsed").glob("shortcuts-*")
    return folder
