"""The published reader of calls, rebuilt from its known behaviour.

The reader takes the text on one line from `[Name(` to the last `)]`, and in it everything that
looks like `name='text'`. A quoted text ends at the next quotation mark of its kind, an unquoted
text at the next comma or white space; nothing is ever converted. So a list in quotes that
contains quotation marks is cut (`'[{'name'...` becomes `[{`); any other list stays a text.
"""

import re

_CALL = re.compile(r"\[(\w{1,200}+)\(")
_END = ")]"
_ARGUMENT = re.compile(r"\b(\w++)\s*+=\s*+(?:'([^']*+)'|\"([^\"]*+)\"|([^\s,'\"]++))")


def find_call(text: str) -> str | None:
    """Return the first call of a text with its brackets, None if there is no call."""
    for line in text.split("\n"):
        match = _CALL.search(line)
        end = line.rfind(_END)
        if match is not None and end >= match.end():
            return line[match.start() : end + len(_END)]
    return None


def read_call(text: str) -> tuple[str, dict[str, str]] | None:
    """Return the name and arguments of a call, or None if no argument in it can be read.

    If a name occurs more than once, the last argument counts. A call with empty brackets has no
    arguments and is valid.
    """
    call_match = _CALL.match(text)
    if call_match is None:
        return None
    inside = text[call_match.end() : -len(_END)]
    arguments = {
        name: quoted_text or other or bare
        for name, quoted_text, other, bare in _ARGUMENT.findall(inside)
    }
    if inside.strip() and not arguments:
        return None
    return call_match[1], arguments
