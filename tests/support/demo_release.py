"""One run of `benchloom demo`, made once and shared by every test that reads its release."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.prefect_server import clean_environment


@pytest.fixture(scope="session")
def demo_release(tmp_path_factory: pytest.TempPathFactory, prefect_url: str) -> Path:
    """The folder of the release; tests must not write into it or its workspace's stages."""
    folder = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", "demo", "--workspace", str(folder / "w"), "--json"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=clean_environment(folder / "home", prefect_url),
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return Path(json.loads(done.stdout)["release"])
