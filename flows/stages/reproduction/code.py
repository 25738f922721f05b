"""Check whether the code that wrote a release is the installed code."""

from benchloom.release.manifest import Manifest
from benchloom.storage.memory.code import release_code


def is_reproducible(manifest: Manifest) -> bool:
    """Whether this installation writes the rows and documents of a release as they were written."""
    return manifest.made.code == release_code()
