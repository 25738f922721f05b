"""Paths of the real inputs beside the project; tests without them are skipped, or fail in CI."""

import os
from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def shared_file(name: str) -> Path:
    """Return the path of a real input; skip the test if this machine does not have it."""
    path = SHARED_DATA / name
    if not path.exists():
        assert not real_inputs_required(), f"{name} is missing among the real inputs"
        pytest.skip(f"real input {name} is not beside the project")
    return path


def real_inputs_required() -> bool:
    """Return whether CI must not skip tests of real inputs, because the inputs are here."""
    return bool(os.environ.get("CI")) and SHARED_DATA.is_dir()
