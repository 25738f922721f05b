"""The flow `release`, which builds an immutable, checked release from normalised stages."""

import time
from collections.abc import Sequence
from pathlib import Path

from benchloom.core.progress import say
from benchloom.core.set_details import NO_DETAILS, SetDetails
from benchloom.release import list_releases
from flows.console.bars import format_duration
from flows.engine.api import NO_CACHE, flow, task
from flows.engine.artifacts import show_release, show_release_assets
from flows.engine.run_log import run_name
from flows.stages.release import release_stages


@task(cache_policy=NO_CACHE, task_run_name="build and check")
def build_and_check(
    stages: Sequence[Path],
    releases: Path,
    version: str | None,
    workers: int = 1,
    details: SetDetails = NO_DETAILS,
) -> Path:
    """Build a release and check every file; only then give the folder its final name."""
    folder = release_stages(stages, releases, version, workers, details)
    show_release_assets(folder)
    return folder


@flow(name="release", flow_run_name=run_name("release {workspace}"))
async def release(
    stages: Sequence[Path],
    workspace: Path,
    version: str | None = None,
    workers: int = 1,
    details: SetDetails | None = None,  # a JSON schema cannot have a struct as default
) -> Path:
    """Build and check a release; return its folder."""
    start = time.monotonic()
    before = list_releases(workspace / "releases")
    folder = build_and_check(
        stages, workspace / "releases", version, workers, details or NO_DETAILS
    )
    await show_release(folder)
    state = "unchanged, checked" if folder.name in before else "built and checked"
    say(f"release {folder.name}: {state}; {format_duration(time.monotonic() - start)}")
    return folder
