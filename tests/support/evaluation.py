"""The release that tests of running models share."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def evaluation_gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small release of which every benchmark takes samples."""
    from tests.support.samples.evaluation_release import evaluation_release

    return evaluation_release(tmp_path_factory.mktemp("evaluation") / "release")
