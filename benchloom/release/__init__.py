"""Build, check and read releases: versioned folders of tables and documents that never change."""

from benchloom.release.building import ReleaseTable, build_release
from benchloom.release.checking import check_release
from benchloom.release.manifest import Manifest, read_manifest
from benchloom.release.versions import list_releases

__all__ = [
    "Manifest",
    "ReleaseTable",
    "build_release",
    "check_release",
    "list_releases",
    "read_manifest",
]
