"""Compute ids, which are digests `<kind>:<algorithm>:<hex>`, and choices that a seed determines."""

import hashlib
from collections.abc import Iterable

ALGORITHM = "sha256"


def tagged_digest(kind: str, payload: bytes) -> str:
    """Return the digest of `payload` as `<kind>:sha256:<64 hex digits>`."""
    return f"{kind}:{ALGORITHM}:{hashlib.sha256(payload).hexdigest()}"


def digest_of_parts(kind: str, parts: Iterable[str]) -> str:
    """Return a digest of a list of texts. ("ab", "c") and ("a", "bc") have different digests."""
    hasher = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        hasher.update(len(encoded).to_bytes(8, "big"))
        hasher.update(encoded)
    return f"{kind}:{ALGORITHM}:{hasher.hexdigest()}"


def hex_of(digest: str) -> str:
    """Return the hex digits of a digest `<kind>:<algorithm>:<hex>`."""
    return digest.rsplit(":", 1)[-1]


def dialogue_id(source: str, source_split: str, source_id: str) -> str:
    """Return the id of a dialogue, a digest of its dataset, and of its split and id there."""
    return digest_of_parts("dialogue", [source, source_split, source_id])


def pick(seed: int, number: int, use: str, size: int) -> int:
    """Return a pseudo-random index below `size`, which the other arguments determine.

    `use` is the purpose of the index, so that one `number` gives unrelated indices.
    """
    digest = hashlib.sha256(f"{seed}/{number}/{use}".encode("utf-8", "backslashreplace")).digest()
    return int.from_bytes(digest[:8], "big") % size


def rank(seed: int, key: str) -> str:
    """Return a pseudo-random text to sort by, which `seed` and `key` determine."""
    return hashlib.sha256(f"{seed}/{key}".encode("utf-8", "backslashreplace")).hexdigest()
