"""What a rebuild is asked for, as one digest: the configuration, the code, and what runs it."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from benchloom.code_digests.packages import PACKAGES, package_folder
from benchloom.data_files import tables_folder
from benchloom.errors import RunError
from benchloom.identity import digest_of_parts
from benchloom.sealing import file_digest, files_in

_DECIDING = ("BENCHLOOM_", "OPENAI_", "REDDIT_")
"""How the variables begin that may decide what is made and by whom."""
_ALSO_DECIDING = ("HOME",)
RUN = "BENCHLOOM_RUN"
"""The variable that what a run starts is found by: another one in every run."""
_SECRET = ("_KEY", "_PASSWORD", "_SECRET", "_TOKEN")
"""How the variables end whose values are written down nowhere, not even as a digest."""
_COMPILED = frozenset({"__pycache__"})


def asked_for(config: Path) -> str:
    """The digest of everything but inputs that decides a release.

    Of secrets it holds only whether they are set. A release made by other code, another Python
    or another package beside ours was asked for in another way, whatever it says.

    Raises:
        RunError: the configuration cannot be read.
    """
    try:
        said = file_digest(config)
    except OSError as error:
        raise RunError(f"{config}: {error.strerror}") from error
    parts = [str(config.resolve().parent), said, sys.version, sys.platform]
    return digest_of_parts("asked", [*parts, *_variables(), *_installed(), *_code()])


def code_digest() -> str:
    """The digest of every file of our packages and tables."""
    return digest_of_parts("code", _code())


def _variables() -> Iterator[str]:
    # A server that somebody named may hold secrets; one of our own holds none.
    yield f"server={RUN not in os.environ and bool(os.environ.get('PREFECT_API_URL'))}"
    for name in sorted(os.environ):
        if name != RUN and (name.startswith(_DECIDING) or name in _ALSO_DECIDING):
            value = os.environ[name]
            yield f"{name}={bool(value) if name.endswith(_SECRET) else value}"


def _installed() -> Iterator[str]:
    """Names and versions of what is installed, as the folders say that hold the facts about it."""
    for place in sys.path:
        try:
            names = sorted(os.listdir(place))  # noqa: PTH208  names alone, of many
        except OSError:
            continue
        yield from (name for name in names if name.endswith((".dist-info", ".egg-info")))


def _code() -> Iterator[str]:
    """Path and digest of every file of ours, tables, templates and prompts included."""
    for folder in _folders():
        for path in files_in(folder, apart=_COMPILED):
            if path.suffix != ".pyc" and path.is_file():
                yield f"{folder.name}/{path.relative_to(folder).as_posix()} {file_digest(path)}"


def _folders() -> Iterator[Path]:
    for package in PACKAGES:
        yield package_folder(package)
    yield tables_folder()
