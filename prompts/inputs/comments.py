"""The comments that authors wrote about their shortcuts, without boilerplate."""

import re

from prompts.data_block import clean_text

MAX_COMMENT = 400
MAX_COMMENTS = 8
_BOILERPLATE = re.compile(
    r"©|\(c\) ?\d{4}|copyright|licen[cs]|all rights reserved|permission is hereby|warrant|spdx|"
    r"redistribut|without limitation|^(created|made|written|built|shortcut)? ?by:? |^author|"
    r"\bversion\b ?:? *[\x22\u201c]?\d|^version *:|^v?\d+(\.\d+)+$|change ?log|"
    r"last (updated|modified|edited)|https?://|"
    r"do not (edit|remove|delete|modify|change|touch)|update check|check(s|ing)? for updates|"
    r"donat|paypal|patreon|buy me|follow me|routinehub|launchcutstags|"
    r"版权|作者|来源|更新时间|发布时间|更新检测|请勿",
    re.IGNORECASE,
)
_TAGS = re.compile(r"launchcuts", re.IGNORECASE)
"""A launcher of shortcuts keeps its tags in comments."""
_LEADING = re.compile(r"[:\uff1a]$")
_WORDS = re.compile(r"[^\W\d_]")


def author_comments(texts: list[str]) -> tuple[str, ...]:
    """Return the comments as one line each, cleaned, cut and without lines of boilerplate.

    Licences, authors, versions, addresses and notes about updating say nothing about the
    purpose of a shortcut. Equal comments are returned once.
    """
    comments: dict[str, None] = {}
    for text in texts:
        lines = [line.strip() for line in clean_text(text, 20 * MAX_COMMENT).split("\n")]
        if _TAGS.match(lines[0]):
            continue
        pairs = zip(lines, (*lines[1:], ""), strict=True)
        kept_lines = [line for line, after in pairs if _is_comment(line, after)]
        comment = clean_text(" ".join(kept_lines), MAX_COMMENT)
        if comment:
            comments.setdefault(comment)
        if len(comments) == MAX_COMMENTS:
            break
    return tuple(comments)


def _is_comment(line: str, after: str) -> bool:
    """Whether a line is kept; a line that introduces a dropped line is dropped too."""
    leads_on = _LEADING.search(line) is not None and (not after or not is_informative(after))
    return is_informative(line) and not leads_on


def is_informative(line: str) -> bool:
    """Whether a line is informative: it has words and is not boilerplate."""
    return len(_WORDS.findall(line)) > 1 and not _BOILERPLATE.search(line)
