"""Keys of the memory: digests of all that a value was computed from."""

import hashlib

KEY_BYTES = 16


def digest(*parts: bytes | str) -> bytes:
    """The key of some parts: two lists of parts never give the same."""
    found = hashlib.blake2b(digest_size=KEY_BYTES)
    for part in parts:
        content = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        found.update(len(content).to_bytes(8))
        found.update(content)
    return found.digest()
