"""The release that tests of running models share."""

import gc
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.session_paths import shared_path


@pytest.fixture(scope="session")
def evaluation_gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small release of which every benchmark takes samples."""
    from tests.support.samples.evaluation_release import evaluation_release

    return shared_path(
        tmp_path_factory, "evaluation", lambda folder: evaluation_release(folder / "release")
    )


@pytest.fixture
def left_by_inspect() -> Iterator[None]:
    """inspect_ai leaves connections open: they are collected here, not in other tests."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
