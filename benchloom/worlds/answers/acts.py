"""Who gives and who takes in a clause: `you owe Ada`, `Ada asks you for 12 crowns`."""

import re

_TAKES = "ask|want|request|charg|claim|demand|expect|receiv|got|collect"
_GIVES = "pay|paid|ow|send|sent|lend|lent|transfer|giv|gave"
_DEAL = re.compile(
    r"\b(?P<passive>(?:am|is|are|was|were|been|being|get|'re|'m) )?(?:last )?"
    rf"(?P<verb>(?:{_TAKES}|(?P<gives>{_GIVES}))(?:s|e|es|ed|ing|ting)?)\b"
)
_PARTICIPLE = re.compile(r"\w*(?:ed|paid|sent|lent)")


def swaps_giver(asked: str, said: str) -> bool:
    """Whether giver and receiver are swapped: `you ask Ada` for `Ada asks me`."""
    question_giver = _user_gives(asked, "i", "me")
    if question_giver is None:
        return False
    said_giver = _user_gives(said, "you", "you")
    return said_giver is not None and said_giver is not question_giver


def _user_gives(clause: str, subject: str, target: str) -> bool | None:
    """Whether the user is the giver in a clause; None if the clause does not say."""
    for match in _DEAL.finditer(clause):
        before = re.search(rf"\b{subject}\b", clause[: match.start()])
        after = re.search(rf"\b{target}\b", clause[match.end() :])
        if before is not None or after is not None:
            passive = match["passive"] is not None and _PARTICIPLE.fullmatch(match["verb"])
            user_acts = (before is not None) is not bool(passive)
            return user_acts is (match["gives"] is not None)
    return None
