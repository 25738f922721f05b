"""A release with rows of every kind, made once in a process and shared by what reads it."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def described_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release; tests must not write into it."""
    from tests.support.samples.described import full_release

    return full_release(tmp_path_factory.mktemp("described"))
