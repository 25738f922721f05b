"""Letters: files are UTF-8, and what is printed should be."""

import codecs
import locale
import sys
from collections.abc import Iterator

from flows.doctor.base import Finding, Needs


def look(needs: Needs) -> Iterator[Finding]:
    """The encodings of texts, of file names and of the terminal."""
    del needs
    encodings = {
        "texts": locale.getpreferredencoding(do_setlocale=False),
        "file names": sys.getfilesystemencoding(),
        "output": sys.stdout.encoding or "ascii",
    }
    others = {
        name: encoding for name, encoding in encodings.items() if _canonical(encoding) != "utf-8"
    }
    yield Finding(
        name="locale",
        state="fault" if others else "ok",
        told=", ".join(f"{name} in {encoding}" for name, encoding in others.items()) or "UTF-8",
        serves="names and texts in any language",
        mend="export LANG=C.UTF-8" if others else None,
    )


def _canonical(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return encoding
