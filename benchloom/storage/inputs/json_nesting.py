"""How deep a JSON text is, told by its brackets before it is decoded.

A decoder's own bound is the interpreter's recursion limit: it differs between versions, and with
the depth of the call. This one does not.
"""

MAX_DEPTH = 400
"""Far below what every supported interpreter decodes, far above what people nest."""
_NO_STRUCTURE = bytes(code for code in range(256) if code not in b'[]{}"')
_ONE_KIND = bytes.maketrans(b"{}", b"[]")


def may_nest_deeper(text: bytes, max_depth: int) -> bool:
    """Whether a JSON text nests deeper than `max_depth`, or its brackets do not pair up."""
    left = without_escapes(text).translate(_ONE_KIND, _NO_STRUCTURE)
    # Most texts hold no bracket, so that their quotes now stand side by side. Where the first
    # quote of a run is the first of a text, pairs are texts; any quote left over breaks that.
    bare = left.replace(b'""', b"")
    return _peel(outside(left) if b'"' in bare else bare, max_depth)


def _peel(brackets: bytes, max_depth: int) -> bool:
    """Whether more than `max_depth` levels, or an opening bracket without its end, are left."""
    levels = 0
    while b"[]" in brackets and levels <= max_depth:
        brackets = brackets.replace(b"[]", b"")  # the innermost pairs
        levels += 1
    return levels + brackets.count(b"[") > max_depth


def without_escapes(text: bytes) -> bytes:
    """A JSON text in which every quote begins or ends a text.

    A backslash outside of texts is no JSON, and nothing after it counts.
    """
    if b"\\" not in text:
        return text
    return text.replace(b"\\\\", b"").replace(b'\\"', b"")


def outside(text: bytes) -> bytes:
    """What stands outside of quotes."""
    return b"".join(text.split(b'"')[::2])
