"""The release of one `benchloom demo`, shared by all tests that read it.

The installed wheel runs the demo in another folder with a Prefect server of its own. If the wheel
lacks something, the demo and thus every test that reads the release fails, and no other test has to
run the demo.
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

RELEASE_VARIABLE = "DEMO_RELEASE"
"""Environment variable with an existing release of the demo, to skip the demo in repeated runs."""
COPY_VARIABLE = "DEMO_KEPT"
"""Environment variable with an empty folder for a copy of the workspace."""


@pytest.fixture(scope="session")
def demo_release(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Return the folder of the release; tests must not write into it or its workspace."""
    if existing_release := os.environ.get(RELEASE_VARIABLE):
        return Path(existing_release)
    return shared_path(tmp_path_factory, "demo", lambda folder: wheel_demo(request, folder))


def wheel_demo(request: pytest.FixtureRequest, folder: Path) -> Path:
    """Run the demo of the installed wheel and return its release."""
    command = request.getfixturevalue("installed") / "benchloom"
    # A configured database keeps the state that the demo's temporary server would lose.
    shutil.copy(request.getfixturevalue("migrated_database"), folder / DATABASE)
    database = {DATABASE_SETTING: f"sqlite+aiosqlite:///{folder / DATABASE}"}
    output = run(command, "demo", cwd=folder, env=plain_environment(folder / "home") | database)
    release = folder / "demo-output" / "releases" / "0.1.0"
    assert f"benchloom explore {release}" in output
    if copy_folder := os.environ.get(COPY_VARIABLE):
        # The rename onto the empty folder is atomic, so a waiting process never sees half a copy.
        shutil.copytree(release.parents[1], f"{copy_folder}.part")
        Path(f"{copy_folder}.part").rename(copy_folder)
    return release


def make_demo(folder: Path) -> Path:
    """Run the demo of the checkout in a folder and return its release."""
    words = ("demo", "--workspace", folder / "w", "--json")
    completed = python("-m", "flows.cli", *words, env=clean_environment(folder / "home"))
    assert "Traceback" not in completed.stderr
    return Path(json.loads(completed.stdout)["release"])
