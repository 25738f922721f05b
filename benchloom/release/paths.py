"""The rule for paths in a manifest: relative, plain and inside the release on every system."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

MAX_BYTES = 255
"""Longest name that common file systems take."""
RESERVED = frozenset({"manifest.json", "manifest.sha256", "manifest.json.minisig", "latest.json"})
"""Names that the publication itself writes."""
_DRIVE = re.compile(r"[A-Za-z]:")


def path_fault(path: str) -> str | None:
    """Return why a path is not relative, plain and inside the release; None if it is."""
    if not path:
        return "is empty"
    if any(unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for letter in path):
        return "holds a control character"
    if "\\" in path:
        return "holds a backslash"
    if path.startswith("/"):
        return "is absolute"
    if _DRIVE.match(path) or ":" in path:
        return "names a drive, a scheme or a stream"
    if not unicodedata.is_normalized("NFC", path):
        return "is not in Unicode's composed form (NFC)"
    for part in path.split("/"):
        if part in {"", ".", ".."}:
            return f"has a part '{part}'"
        if part != part.rstrip(" ."):
            return "has a part that ends with a dot or a space"
        if len(part.encode()) > MAX_BYTES:
            return f"has a part of more than {MAX_BYTES} bytes"
    return "is a name of the manifest's own" if path.casefold() in RESERVED else None


def path_faults(paths: Iterable[str]) -> Iterator[str]:
    """Yield one line per path that is not plain, is repeated, or is a parent of another."""
    seen: dict[str, str] = {}
    for path in paths:
        fault = path_fault(path)
        if fault is not None:
            yield f"path {path!r} {fault}"
            continue
        # Two names that differ in case alone are one file on many systems.
        folded = path.casefold()
        if folded in seen:
            yield f"path {path!r} stands twice (as {seen[folded]!r})"
        seen.setdefault(folded, path)
    for folded, path in seen.items():
        parts = folded.split("/")
        for end in range(1, len(parts)):
            if "/".join(parts[:end]) in seen:
                yield f"path {path!r} lies in a file"
