"""Decodes the bytes of pages, only with the encodings of browsers (WHATWG Encoding).

A server's charset label may name any Python codec: some are not text encodings, some raise on
every input. Only the fixed list of web labels is looked up.
"""

import re

import webencodings

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;,\"']{1,64})(?=[\s;,\"']|$)", re.IGNORECASE)

# Browsers show nothing at all of these; the markup between them is ASCII and can be read.
_UNSAFE = "replacement"


def web_text(body: bytes, content_type: str | None) -> str:
    """Decode the body by its byte order mark, the charset of its Content-Type, or as UTF-8.

    Bytes that are invalid in the encoding become U+FFFD; unknown charsets are ignored.
    """
    match = _CHARSET.search(content_type or "")
    encoding = webencodings.lookup(match.group(1)) if match else None
    if encoding is None or encoding.name == _UNSAFE:
        encoding = webencodings.UTF8
    text: str
    text, _ = webencodings.decode(body, encoding, errors="replace")
    return text
