"""The published reader of calls, rebuilt from its known behaviour.

It takes the text on one line from `[Name(` to the last `)]`, and in it everything that looks
like `name='text'`. A quoted text ends at the next quotation mark of its kind, an unquoted one
at the next comma or white space; nothing is ever converted. So a list in quotes that holds such
marks is cut (`'[{'name'...` to `[{`), any other list stays a text.
"""

import re

_CALL = re.compile(r"\[(\w{1,200}+)\(")
_END = ")]"
_ARGUMENT = re.compile(r"\b(\w++)\s*+=\s*+(?:'([^']*+)'|\"([^\"]*+)\"|([^\s,'\"]++))")


def find_call(text: str) -> str | None:
    """The first call of a text with its brackets; None where there is none."""
    for line in text.split("\n"):
        match = _CALL.search(line)
        end = line.rfind(_END)
        if match is not None and end >= match.end():
            return line[match.start() : end + len(_END)]
    return None


def read_call(text: str) -> tuple[str, dict[str, str]] | None:
    """Return the name and arguments of a call; for equal names the last argument counts.

    None if its brackets contain something in which no argument can be read.
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
