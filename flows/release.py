"""Flow release: normalised stages to an immutable, checked release."""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
from collections.abc import Sequence
from pathlib import Path

from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from flows.engine.artifacts import show_release
from flows.engine.run_names import naming
from flows.stages.release import release_stages

__all__ = ["flows", "release"]


@task(cache_policy=NO_CACHE, task_run_name="build and check")
def build_and_check(
    stages: Sequence[Path], releases: Path, version: str | None, workers: int = 1
) -> Path:
    """Build the release, which is read again as a whole before it gets its name."""
    return release_stages(stages, releases, version, workers)


@flow(name="release", flow_run_name=naming("release {workspace}"))
async def release(
    stages: Sequence[Path], workspace: Path, version: str | None = None, workers: int = 1
) -> Path:
    """Build and check a release; its folder."""
    folder = build_and_check(stages, workspace / "releases", version, workers)
    await show_release(folder)
    return folder
