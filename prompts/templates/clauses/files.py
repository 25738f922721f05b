"""Files by their names, where an action tells one: the last part of its path."""

import re

_PATH = re.compile(r'\b(?:sub)?path: "([^"\[\]]{1,120})"')
_NAME = re.compile(r"[^\W\d_](?:[^\W_]| (?=\w)|-(?=\w)){1,28}")
_PHRASES = {
    "documentpicker.open": "open my file {}",
    "documentpicker.save": "save it to my file {}",
    "file.append": "write it to my file {}",
}


def file_clause(api: str, line: str) -> str:
    """`open my file "Teas"`; empty where the action tells no name that a person would say."""
    phrase = _PHRASES.get(api)
    match = _PATH.search(line)
    if phrase is None or match is None:
        return ""
    name = match[1].rstrip("/").rpartition("/")[2].rpartition(".")[0]
    return phrase.format(f'"{name}"') if _NAME.fullmatch(name) else ""
