"""A check of the version of Python."""

import platform
import sys
from collections.abc import Iterator

from flows.doctor.base import Finding, Needs, finding

_OLDEST = (3, 11)
_NEWEST_TRIED = (3, 13)


def look(needs: Needs) -> Iterator[Finding]:
    """Check that this is a version of Python on which the whole test suite is run."""
    version = f"{platform.python_implementation()} {platform.python_version()}"
    tried = _OLDEST <= sys.version_info[:2] <= _NEWEST_TRIED
    yield finding(
        "Python",
        "everything",
        ok=version,
        fault=None if tried else f"{version}; the tests run on 3.11, 3.12 and 3.13",
        mend="make setup PYTHON=python3.13 VENV=.venv313",
        needed=needs.file is not None and sys.version_info[:2] < _OLDEST,
    )
