"""The interpreter."""

import platform
import sys
from collections.abc import Iterator

from flows.doctor.base import Finding, Needs

OLDEST = (3, 11)
NEWEST_TRIED = (3, 13)


def look(needs: Needs) -> Iterator[Finding]:
    """Whether it is one that the whole suite is tried with."""
    version = f"{platform.python_implementation()} {platform.python_version()}"
    tried = OLDEST <= sys.version_info[:2] <= NEWEST_TRIED
    yield Finding(
        name="Python",
        state="ok" if tried else "fault",
        told=version if tried else f"{version}; tried are 3.11, 3.12 and 3.13",
        serves="everything",
        mend=None if tried else "make setup PYTHON=python3.13 VENV=.venv313",
        needed=needs.configured and sys.version_info[:2] < OLDEST,
    )
