"""Check whether the code that wrote a release is the installed code."""

from benchloom.release.manifest import Manifest
from benchloom.storage.code import release_code


def is_reproducible(manifest: Manifest) -> bool:
    """Whether the installed code writes a release's rows and documents in the same way."""
    return manifest.made.code == release_code()
