"""One run of `benchloom demo`, made once and shared by every test that reads its release.

The installed wheel makes it, from another folder, on a server of its own: what would be missing
there fails every test that reads it, and no second demo is needed to find it.
"""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.support.installed_wheel import plain_environment, run
from tests.support.prefect_server import DATABASE, DATABASE_SETTING, clean_environment
from tests.support.python import python
from tests.support.session_paths import shared_path

GIVEN = "DEMO_RELEASE"
"""A release that the demo made before: what tries many small changes need not make it each time."""
KEPT = "DEMO_KEPT"
"""An empty folder that gets a copy of the demo's workspace, for other commands than the tests."""


@pytest.fixture(scope="session")
def demo_release(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The folder of the release; tests must not write into it or its workspace's stages."""
    if existing_release := os.environ.get(GIVEN):
        return Path(existing_release)
    return shared_path(tmp_path_factory, "demo", lambda folder: wheel_demo(request, folder))


def wheel_demo(request: pytest.FixtureRequest, folder: Path) -> Path:
    """Run the demo of the installed wheel."""
    command = request.getfixturevalue("installed") / "benchloom"
    # A configured database shows afterwards what the demo's own server would forget.
    shutil.copy(request.getfixturevalue("migrated_database"), folder / DATABASE)
    database = {DATABASE_SETTING: f"sqlite+aiosqlite:///{folder / DATABASE}"}
    output = run(command, "demo", cwd=folder, env=plain_environment(folder / "home") | database)
    release = folder / "demo-output" / "releases" / "0.1.0"
    assert f"benchloom explore {release}" in output
    if copy_folder := os.environ.get(KEPT):
        # Renamed onto the empty folder: who waits for it never sees half a copy.
        shutil.copytree(release.parents[1], f"{copy_folder}.part")
        Path(f"{copy_folder}.part").rename(copy_folder)
    return release


def make_demo(folder: Path) -> Path:
    """Run the demo of the checkout in a folder and give back its release."""
    words = ("demo", "--workspace", folder / "w", "--json")
    done = python("-m", "flows.cli", *words, env=clean_environment(folder / "home"))
    assert "Traceback" not in done.stderr
    return Path(json.loads(done.stdout)["release"])
