"""One run of `benchloom demo`, made once and shared by every test that reads its release."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def demo_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the release; tests must not write into it or its workspace's stages."""
    folder = tmp_path_factory.mktemp("demo")
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PREFECT_", "OPENAI_"))
    }
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", "demo", "--workspace", str(folder / "w"), "--json"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=kept | {"HOME": str(folder)},
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return Path(json.loads(done.stdout)["release"])
