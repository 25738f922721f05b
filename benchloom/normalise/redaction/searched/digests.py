"""Digests by which it is known what was searched."""

import hashlib

DIGEST_BYTES = 16


def text_digest(text: str, how: bytes = b"") -> bytes:
    """The digest of a text as it is searched: `how` tells ways apart that find something else."""
    found = hashlib.blake2b(how, digest_size=DIGEST_BYTES)
    found.update(b"\0")
    found.update(text.encode("utf-8", "surrogatepass"))
    return found.digest()


def looked_at(row: bytes, how: bytes) -> bytes:
    """The digest of a row, by its own, as it is looked at.

    `how` tells who looks at it, and digests of what it is held against.
    """
    return hashlib.blake2b(how + b"\0row\0" + row, digest_size=DIGEST_BYTES).digest()
