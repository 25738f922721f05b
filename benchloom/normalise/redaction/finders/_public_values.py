"""Public values that look like secrets: digests of empty inputs, example keys of manuals."""

import hashlib
import re

_EMPTY = tuple(hashlib.new(name, b"", usedforsecurity=False).hexdigest()
               for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"))  # fmt: skip
_GIT = ("4b825dc642cb6eb9a060e54bf8d69288fbee4904", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
"""Git's empty tree and its empty file."""
_MANUALS = (
    "akia" + "iosfodnn7example", "asia" + "iosfodnn7example",
    "wjalrxutnfemi/k7mdeng/" + "bpxrficyexamplekey",
)  # fmt: skip
_VALUES = frozenset((*_EMPTY, *_GIT, *_MANUALS))
_ADDRESS = re.compile(
    r"[\w.+-]{1,64}@example\.(?:com|org|net|edu)|"
    r"(?:support|help|helpdesk|feedback|customer[._-]?(?:service|support|care)|no-?reply|do-?not-?reply|"
    r"postmaster|abuse|webmaster|privacy|press|security)@(?:[\w-]{1,60}\.){1,4}[a-z]{2,12}"
)
"""Addresses in manuals, and addresses of offices."""


def is_public_value(value: str) -> bool:
    """Whether a value is public and reveals nothing about any person."""
    low = value.strip().lower()
    return low in _VALUES or ("@" in low and _ADDRESS.fullmatch(low) is not None)
