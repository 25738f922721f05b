"""Measure how deeply a JSON text is nested by counting brackets, before the text is decoded.

A decoder's limit is the interpreter's recursion limit, which differs between versions and shrinks
with the depth of the call stack. The limit here is always the same.
"""

MAX_DEPTH = 400
"""Far below the recursion limit of every supported interpreter, and far above the depth of real
files."""
_NO_STRUCTURE = bytes(code for code in range(256) if code not in b'[]{}"')
_BRACES_TO_BRACKETS = bytes.maketrans(b"{}", b"[]")


def may_nest_deeper(text: bytes, max_depth: int) -> bool:
    """Return whether brackets in a JSON text are nested deeper than `max_depth`.

    Every unclosed bracket counts as a level, so invalid JSON may also give True.
    """
    structure = without_escapes(text).translate(_BRACES_TO_BRACKETS, _NO_STRUCTURE)
    # Only brackets and quotes are left. A string without brackets is now `""` and can be
    # removed. If quotes remain, some string contains brackets, and strings are removed by pairs.
    bare = structure.replace(b'""', b"")
    return _peel(outside(structure) if b'"' in bare else bare, max_depth)


def _peel(brackets: bytes, max_depth: int) -> bool:
    # Unclosed brackets count as levels.
    levels = 0
    while b"[]" in brackets and levels <= max_depth:
        brackets = brackets.replace(b"[]", b"")  # the innermost pairs
        levels += 1
    return levels + brackets.count(b"[") > max_depth


def without_escapes(text: bytes) -> bytes:
    """Remove escaped quotes and backslashes: then every quote begins or ends a string."""
    if b"\\" not in text:
        return text
    return text.replace(b"\\\\", b"").replace(b'\\"', b"")


def outside(text: bytes) -> bytes:
    """Return the bytes of a JSON text that are outside its strings.

    The text must contain no escaped quotes.
    """
    return b"".join(text.split(b'"')[::2])
