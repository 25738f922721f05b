"""Run the stages of shortcuts on files, up to the release."""

import json
import os
import shutil
from functools import partial
from pathlib import Path

import pytest

from flows.run.finished import FinishedStage
from flows.run.runner import run_stage, write_tables
from flows.run.stage import AnyStage
from flows.stages.release import release_stages
from flows.stages.shortcuts import enrich as enrich_shortcuts
from flows.stages.shortcuts import fingerprint as fingerprint_shortcuts
from flows.stages.shortcuts import normalise as normalise_shortcuts
from flows.stages.shortcuts import parse as parse_shortcuts
from scrapers.sites import holds_shortcut
from tests.support.demo_world import SHORTCUTS
from tests.support.session_paths import shared_path
from tests.support.shared_data import shared_file
from tests.support.stranger import Stranger

REBUILT = "REBUILT_WORKSPACE"
"""Environment variable with a workspace that contains a rebuild of the real inputs."""
_REAL_INPUTS = {
    "shortcuts": ("shortcuts.zip",),
    "definitions": ("api_definitions.zip", "toolkit_ios26.zip"),
    "sgd": ("sgd.zip",),
}


def parse(inputs: list[Path], out: Path) -> FinishedStage:
    """Parse shortcut files into a folder, as the command does."""
    return write_tables(parse_shortcuts.STAGE, out, partial(parse_shortcuts.prepare, inputs))


def enrich(
    inputs: list[Path],
    workspace: Path,
    workers: int = 1,
    part_bytes: int = parse_shortcuts.PART_BYTES,
) -> AnyStage:
    """Run the stages up to `enrich` on shortcut files, with the stage keys of a rebuild."""
    parsing = parse_shortcuts.prepare(
        inputs, workspace, part_bytes=part_bytes, accepts=holds_shortcut
    )
    parsed = run_stage(parsing, workers=workers)
    distinct = run_stage(normalise_shortcuts.prepare(parsed), workspace, workers=workers)
    compared = run_stage(fingerprint_shortcuts.prepare(distinct), workspace, workers=workers)
    enriched = enrich_shortcuts.prepare(distinct, compared).below(workspace)
    run_stage(enriched, workers=workers)
    return enriched


def build(inputs: list[Path], workspace: Path, workers: int = 1, part_bytes: int = 8_000) -> Path:
    """Build a release of shortcut files and return its folder."""
    stage = enrich(inputs, workspace, workers, part_bytes)
    return release_stages([stage.path], workspace / "releases")


@pytest.fixture(scope="session")
def built_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the release of the demo's shortcuts; tests must not write into its workspace."""
    return shared_path(tmp_path_factory, "built", partial(build, [SHORTCUTS]))


@pytest.fixture
def workspace_copy(built_release: Path, tmp_path: Path) -> Path:
    """Return a copy of the workspace of `built_release` that a test may write into."""
    return shutil.copytree(built_release.parents[1], tmp_path / "own")


@pytest.fixture(scope="session")
def rebuilt_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace with a rebuild of all real inputs; tests must not write into it."""
    if existing_workspace := os.environ.get(REBUILT):
        return Path(existing_workspace)
    return shared_path(tmp_path_factory, "real", _rebuild)


def _rebuild(folder: Path) -> Path:
    lines = [
        f"{source} = {json.dumps([str(shared_file(name)) for name in names])}\n"
        for source, names in _REAL_INPUTS.items()
    ]
    (folder / "rebuild.toml").write_text("workers = 2\n[sources]\n" + "".join(lines))
    (folder / "w").mkdir()
    (folder / "w" / "apps.toml").write_text('["dk.simonbs.DataJar"]\npaid = true\n')
    Stranger(folder, folder / "home").types("rebuild", "--config", "rebuild.toml", "--out", "w")
    return folder / "w"


@pytest.fixture(scope="session")
def real_shortcuts(rebuilt_workspace: Path) -> AnyStage:
    """Return the `enrich` stage of the real archive, in a workspace with its earlier stages."""
    (rebuilt_folder,) = (rebuilt_workspace / "normalised").glob("enriched-*")
    stage = enrich([shared_file("shortcuts.zip")], rebuilt_workspace, workers=2)
    assert stage.path == rebuilt_folder, "the rebuilt workspace is not of this archive and code"
    return stage


def parsed_folder(enriched: AnyStage) -> Path:
    """Return the folder of the parse stage that an `enrich` stage was made from."""
    (folder,) = (enriched.path.parents[1] / "parsed").glob("shortcuts-*")
    return folder
