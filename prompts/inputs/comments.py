"""What authors wrote about their shortcuts, without what is boilerplate."""

import re

from prompts.data_block import clean_text

MAX_COMMENT = 400
MAX_COMMENTS = 8
_BOILERPLATE = re.compile(
    r"©|\(c\) ?\d{4}|copyright|licen[cs]|all rights reserved|permission is hereby|warrant|spdx|"
    r"redistribut|without limitation|^(created|made|written|built|shortcut)? ?by:? |^author|"
    r"\bversion\b ?:? ?\d|^v?\d+(\.\d+)+$|change ?log|last (updated|modified|edited)|https?://|"
    r"do not (edit|remove|delete|modify|change|touch)|update check|check(s|ing)? for updates|"
    r"donat|paypal|patreon|buy me|follow me|routinehub|launchcutstags|"
    r"版权|作者|来源|更新时间|发布时间|更新检测|请勿",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W\d_]")


def told_by_author(texts: list[str]) -> tuple[str, ...]:
    """The comments as one line each, cleaned, cut and without lines of boilerplate.

    Licences, authors, versions, addresses and notes about updating tell nothing about what a
    shortcut is for. Equal comments stand once.
    """
    found: dict[str, None] = {}
    for text in texts:
        lines = clean_text(text, 20 * MAX_COMMENT).split("\n")
        kept = [line.strip() for line in lines if is_told(line.strip())]
        told = clean_text(" ".join(kept), MAX_COMMENT)
        if told:
            found.setdefault(told)
        if len(found) == MAX_COMMENTS:
            break
    return tuple(found)


def is_told(line: str) -> bool:
    """Whether a line is worth telling: it has words and is no boilerplate."""
    return len(_WORDS.findall(line)) > 1 and not _BOILERPLATE.search(line)
