"""The language that a text is translated into, where an action holds its code or asks for it."""

import re

_INTO = re.compile(r'\bto (?:"([a-z]{2})[_-]\w{2,6}"|\[needs input: asked each time\])')
_NAMES_TEXT = """
ar:Arabic bg:Bulgarian ca:Catalan cs:Czech da:Danish de:German el:Greek en:English es:Spanish
fi:Finnish fr:French he:Hebrew hi:Hindi hr:Croatian hu:Hungarian id:Indonesian it:Italian
ja:Japanese ko:Korean nb:Norwegian nl:Dutch pl:Polish pt:Portuguese ro:Romanian ru:Russian
sv:Swedish th:Thai tr:Turkish uk:Ukrainian vi:Vietnamese zh:Chinese
"""
_NAMES = dict(entry.split(":") for entry in _NAMES_TEXT.split())


def translation(line: str) -> str:
    """`translate the text into English`; empty where no language is told."""
    match = _INTO.search(line)
    if match is None:
        return ""
    language = _NAMES.get(match[1], "") if match[1] else "a language that I name"
    return f"translate the text into {language}" if language else ""
