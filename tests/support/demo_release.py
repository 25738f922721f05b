"""One run of `benchloom demo`, made once and shared by every test that reads its release."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.prefect_server import clean_environment

GIVEN = "BENCHLOOM_DEMO_RELEASE"
"""A release that the demo made before: what tries many small changes need not make it each time."""


@pytest.fixture(scope="session")
def demo_release(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The folder of the release; tests must not write into it or its workspace's stages."""
    if given := os.environ.get(GIVEN):
        return Path(given)
    return make_demo(tmp_path_factory.mktemp("demo"), request.getfixturevalue("prefect_url"))


def make_demo(folder: Path, server: str | None) -> Path:
    """Run the demo in a folder and give back its release; `server` is Prefect's, if one is up."""
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", "demo", "--workspace", str(folder / "w"), "--json"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=clean_environment(folder / "home", server),
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return Path(json.loads(done.stdout)["release"])
