"""Decodes the bytes of pages, only with the encodings of browsers (WHATWG Encoding).

A server's charset label may name any Python codec: some are not text encodings, some raise on
every input. Only the fixed list of web labels is looked up.
"""

import re

import webencodings

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;,\"']{1,64})(?=[\s;,\"']|$)", re.IGNORECASE)

# Browsers show nothing in this encoding; its markup is ASCII and can be read.
_UNSAFE = "replacement"


def web_text(body: bytes, content_type: str | None) -> str:
    """Decode by byte order mark or Content-Type, else as UTF-8; invalid bytes become U+FFFD."""
    match = _CHARSET.search(content_type or "")
    encoding = webencodings.lookup(match.group(1)) if match else None
    if encoding is None or encoding.name == _UNSAFE:
        encoding = webencodings.UTF8
    text: str
    text, _ = webencodings.decode(body, encoding, errors="replace")
    return text
