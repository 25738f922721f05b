"""A release with rows of every kind, made once in a session and shared by all its tests."""

from pathlib import Path

import pytest

from tests.support.session_paths import shared_path


@pytest.fixture(scope="session")
def described_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the release, which tests must not write into."""
    from tests.support.samples.described import full_release

    return shared_path(tmp_path_factory, "described", full_release)
