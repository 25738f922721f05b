"""This module parses untrusted markup to a tree, in bounded time and memory.

The time of a browser's parser is quadratic in the depth of the tree and in the number of attributes
of a tag. The parser also copies unclosed formatting elements into every following block. How deep a
page is becomes known only by parsing. So markup that is too small to be costly is parsed directly.
All other markup is first parsed in a separate process, whose time and memory the system limits.
"""

import subprocess
import sys
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from benchloom.core.errors import RunError
from scrapers.errors import PageRefusedError
from scrapers.pages import markup_probe

DEEPEST = 512
MAX_MARKS = 1_000_000
MAX_NODES = 400_000
TRIAL_SECONDS = 2
TRIAL_BYTES = 1 << 30

# Below these limits even the costliest markup takes less than a second and 600 MB.
_FEW_MARKS = 8_000
_FEW_TAGS = 2_500
_FEW_COPIED_BYTES = 250_000_000
_FEW_ATTRIBUTE_STEPS = 4_000_000_000
_TOO_COSTLY = "parsing the page takes too much time or memory"


def parsed_markup(text: str) -> LexborHTMLParser:
    """Parse markup as browsers do.

    Raises:
        PageRefusedError: the tree has more than 512 levels or 400,000 nodes, or parsing takes more
            than two seconds or one GiB of memory.
        RunError: the process that tests the markup failed.
    """
    marks = text.count("<")
    if marks > MAX_MARKS:
        raise PageRefusedError(f"the page has more than {MAX_MARKS} tags and comments")
    if not is_small(text):
        _try_out(text)
    return LexborHTMLParser(text)


def is_small(text: str) -> bool:
    """Whether markup is so small that parsing cannot be costly, whatever the markup contains."""
    marks = text.count("<")
    tags = marks - text.count("</")
    if marks > _FEW_MARKS or tags > _FEW_TAGS or tags * len(text) > _FEW_COPIED_BYTES:
        return False
    # The longest run of attributes is between two "<", or counts as several shorter tags.
    pieces = text.split("<")
    if max(map(len, pieces)) * len(text) <= _FEW_ATTRIBUTE_STEPS:
        return True
    return sum(len(piece) ** 2 for piece in pieces) <= _FEW_ATTRIBUTE_STEPS


def _try_out(text: str) -> None:
    limits = (TRIAL_SECONDS, TRIAL_BYTES, MAX_NODES, DEEPEST)
    # Run as a file, the module imports nothing of the project and needs no search path.
    command = [sys.executable, "-I", str(Path(markup_probe.__file__)), *map(str, limits)]
    trial = subprocess.run(  # noqa: S603  our own interpreter and module
        command, input=text.encode("utf-8", "replace"), capture_output=True, check=False
    )
    if trial.returncode == markup_probe.REFUSED:
        raise PageRefusedError(trial.stdout.decode())
    if trial.returncode < 0:
        raise PageRefusedError(_TOO_COSTLY)
    if trial.returncode:
        raise RunError(
            "the process that tests whether a page can be parsed failed; run again: "
            f"{trial.stderr.decode()[-300:]}"
        )
