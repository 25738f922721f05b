"""What describing earlier releases found out in a workspace, so that it is not found out again."""

import sys
from contextlib import AbstractContextManager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchloom.cleaning import REUSED
from benchloom.code_digests.packages import package_folder
from benchloom.code_digests.remembered import digests_of
from benchloom.code_digests.stage_code import DECIDING
from benchloom.data_files import tables_folder
from benchloom.identity import digest_of_parts
from benchloom.release.describing.remembering import remembering_results
from flows.stages.sharded import stage_path

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


def remembering_descriptions(workspace: Path) -> AbstractContextManager[None]:
    """Know what was found out for the documents of releases in a workspace, and leave it there.

    A run forgets what it did not meet again, so the store grows with the newest release alone.
    """
    return remembering_results(stage_path(workspace / REUSED, "described", _code()))


@cache
def _code() -> str:
    """The digest of what decides documents: all of the core, whatever of it they need.

    To follow definitions takes longer than all that changes seldom is worth.
    """
    told = [f"{name} {_version(name)}" for name in (*DRAWING, *DECIDING.values())]
    files = digests_of(package_folder("benchloom")) + digests_of(tables_folder())
    return digest_of_parts("described", [sys.version, *told, *files])


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "none"
