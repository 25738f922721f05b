"""The name of a shortcut: the name inside it, else the name of its file."""

import re
import unicodedata
from pathlib import PurePosixPath
from urllib.parse import unquote

from benchloom.core.records.shortcut import FILE_NAME
from benchloom.storage.inputs import MEMBER

_NAME = "WFWorkflowName"
_SUFFIXES = frozenset({".bplist", ".json", ".plist", ".shortcut", ".wflow", ".xml"})
_GENERATED = re.compile(r"[0-9a-f]{16,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_ADDRESS = "://"
_ARCHIVES = (".zip", ".ipa", ".warc", ".gz")
"""Suffixes of archives; the part of a name before a member mark ends in one of them."""
IN_SHORTCUT = "shortcut"


def name_of(mapping: dict[str, object], source_uri: str) -> tuple[str | None, str | None]:
    """Return the name and its source, `shortcut` or `file`; both None if there is none."""
    name = mapping.get(_NAME)
    if isinstance(name, str) and name.strip():
        return name, IN_SHORTCUT
    file_name = name_of_file(source_uri)
    return file_name, FILE_NAME if file_name else None


def name_of_file(source_uri: str) -> str | None:
    """Return a file's name without suffixes and escapes, None for downloads and generated names."""
    if _ADDRESS in source_uri:
        return None
    path = PurePosixPath(file_of(source_uri))
    while path.suffix.lower() in _SUFFIXES:
        path = path.with_suffix("")
    if path.name.lower() in _SUFFIXES:
        return None
    plain = unicodedata.normalize("NFC", unquote(path.name, errors="replace"))
    name = " ".join("".join(c if c.isprintable() else " " for c in plain).split())
    return None if not name or _GENERATED.fullmatch(name) else name


def file_of(source_uri: str) -> str:
    """Return a file's own name, the last part of its path, without a containing archive."""
    name = source_uri.rpartition("/")[2]
    parts = name.split(MEMBER)
    archives = [at for at, part in enumerate(parts[:-1], 1) if part.lower().endswith(_ARCHIVES)]
    return MEMBER.join(parts[archives[-1] :]) if archives else name
