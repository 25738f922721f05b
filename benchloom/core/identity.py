"""Ids as tagged digests, `<kind>:<algorithm>:<hex>`, and random choices fixed by a seed."""

import hashlib
from collections.abc import Iterable

ALGORITHM = "sha256"


def tagged_digest(kind: str, payload: bytes) -> str:
    """Return the digest of `payload` as `<kind>:sha256:<64 hex digits>`."""
    return f"{kind}:{ALGORITHM}:{hashlib.sha256(payload).hexdigest()}"


def digest_of_parts(kind: str, parts: Iterable[str]) -> str:
    """Return the digest of a sequence of texts; ("ab", "c") and ("a", "bc") get different ones."""
    hasher = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        hasher.update(len(encoded).to_bytes(8, "big"))
        hasher.update(encoded)
    return f"{kind}:{ALGORITHM}:{hasher.hexdigest()}"


def hex_of(digest: str) -> str:
    """Return the hex part of a tagged digest."""
    return digest.rsplit(":", 1)[-1]


def dialogue_id(source: str, source_split: str, source_id: str) -> str:
    """Return the id of a dialogue: its dataset, and its split and id in that dataset."""
    return digest_of_parts("dialogue", [source, source_split, source_id])


def pick(seed: int, number: int, use: str, size: int) -> int:
    """Return a pseudo-random index below `size`, determined by the other three arguments.

    `use` is the purpose of the index, so that one `number` gives unrelated indices.
    """
    digest = hashlib.sha256(f"{seed}/{number}/{use}".encode("utf-8", "backslashreplace")).digest()
    return int.from_bytes(digest[:8], "big") % size


def rank(seed: int, key: str) -> str:
    """Return a pseudo-random sort key, determined by `seed` and `key` alone."""
    return hashlib.sha256(f"{seed}/{key}".encode("utf-8", "backslashreplace")).hexdigest()
