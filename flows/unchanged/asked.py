"""What a rebuild is asked for, as one digest: the configuration, the code, and what runs it."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from benchloom.errors import RunError
from benchloom.identity import digest_of_parts
from benchloom.memory.code import code_digest
from benchloom.sealing import file_digest

_DECIDING = ("BENCHLOOM_", "OPENAI_", "REDDIT_")
"""How the variables begin that may decide what is made and by whom."""
_ALSO_DECIDING = ("HOME",)
RUN = "BENCHLOOM_RUN"
"""The variable that what a run starts is found by: another one in every run."""
_SECRET = ("_KEY", "_PASSWORD", "_SECRET", "_TOKEN")
"""How the variables end whose values are written down nowhere, not even as a digest."""


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
    return digest_of_parts("asked", [*parts, *_variables(), *_installed(), code_digest()])


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
