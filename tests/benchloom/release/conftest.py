"""Fixture `release`: the fully described sample release, read by tests that build none."""

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def release(described_release: Path) -> Path:
    return described_release
