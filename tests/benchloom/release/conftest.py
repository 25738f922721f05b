"""The release that tests of this folder read, where they make none of their own."""

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def release(described_release: Path) -> Path:
    return described_release
