"""Whether the code that wrote a release is the code that runs."""

from benchloom.memory.code import release_code
from benchloom.release.manifest import Manifest


def is_reproducible(manifest: Manifest) -> bool:
    """Whether this installation writes the rows and documents of a release as they were written."""
    return manifest.made.code == release_code()
