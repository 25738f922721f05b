"""The digest of the code that decides tables and documents of a release.

A release carries it, so that `release check` knows whether this installation would write the same
rows and documents again: a release of other code is not at fault for being written differently.
"""

from functools import cache

from benchloom.code_digests.packages import package_folder
from benchloom.code_digests.remembered import digests_of
from benchloom.code_digests.stage_code import DECIDING, installed_version
from benchloom.data_files import tables_folder
from benchloom.identity import digest_of_parts

DRAWING = (
    "jinja2",
    "markupsafe",
    "matplotlib",
    "msgspec",
    "noto-cjk-sans-otc",
    "numpy",
    "pillow",
    "pyarrow",
    "pyyaml",
)
"""Distributions that decide what documents say and how they look."""
_WRITING = ("benchloom", "parsers", "prompts")
"""Packages that decide rows and documents; commands and crawlers change neither."""


@cache
def describing_code() -> str:
    """The digest of what decides documents: all of the core, whatever of it they need.

    To follow definitions takes longer than all that changes seldom is worth.
    """
    return _digest("described", ("benchloom",))


@cache
def release_code() -> str:
    """The digest of what decides the rows and documents of a release, wherever it is installed."""
    return _digest("release_code", _WRITING)


def _digest(kind: str, packages: tuple[str, ...]) -> str:
    versions = [f"{name} {installed_version(name)}" for name in (*DRAWING, *DECIDING.values())]
    folders = [*map(package_folder, packages), tables_folder()]
    files = [line for folder in folders for line in digests_of(folder)]
    return digest_of_parts(kind, [*versions, *files])
