"""The real inputs beside the project: tests without them are skipped, in CI they fail."""

import os
from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def shared_file(name: str) -> Path:
    """The path of a real input; skips the test on a machine that does not have it."""
    path = SHARED_DATA / name
    if not path.exists():
        assert not real_inputs_required(), f"{name} is missing among the real inputs"
        pytest.skip(f"real input {name} is not beside the project")
    return path


def real_inputs_required() -> bool:
    """Whether the real inputs are here, so that CI must not skip the tests that read them."""
    return bool(os.environ.get("CI")) and SHARED_DATA.is_dir()
