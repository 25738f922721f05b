"""A check that the encodings of file names and of the terminal are UTF-8."""

import codecs
import locale
import sys
from collections.abc import Iterator

from flows.doctor.base import Finding, Needs, finding


def look(needs: Needs) -> Iterator[Finding]:
    """Check that the encodings of file contents, of file names and of the terminal are UTF-8."""
    del needs
    encodings = {
        "texts": locale.getpreferredencoding(do_setlocale=False),
        "file names": sys.getfilesystemencoding(),
        "output": sys.stdout.encoding or "ascii",
    }
    faults = [f"{name} in {text}" for name, text in encodings.items() if not _is_utf8(text)]
    yield finding(
        "locale",
        "names and texts in any language",
        ok="UTF-8",
        fault=", ".join(faults) or None,
        mend="export LANG=C.UTF-8",
    )


def _is_utf8(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name == "utf-8"
    except LookupError:
        return False
