"""Check that the text asks for a result and does not dictate the steps of a solution."""

import re
from itertools import pairwise

from prompts.checks import Check, Finding, dropped, passing
from prompts.language.words import plain, word_set
from prompts.subject import Subject

_LIST = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*\u2022])\s+\S", re.MULTILINE)
_NUMBERED = re.compile(r"(?:^|[\s(])(\d{1,2})[.)]:?\s+(?=[A-Za-z])")
_STEP = re.compile(r"\bstep (?:\d|one|two|three)", re.IGNORECASE)
_MARKERS = re.compile(
    r"(?:^|[.,;:!?]\s+|\n\s*|\band\s+)(?:and\s+)?(first(?: of all)?|firstly|second|secondly|third|"
    r"thirdly|fourth|next|then(?! the\b)|after that|afterwards|finally|lastly)\b"
    r"(?! (?:of|day|week|class)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.,;:!?\n\u2022]|\s[-*\u2013]\s|\b(?:and|then)\b", re.IGNORECASE)
_OPERATIONS = word_set(
    "get set count turn repeat show add calculate multiply divide format split combine "
    "match replace save open wait shoot crop rename upload copy paste send download "
    "extract convert filter choose pick select take make create read store append encode "
    "decode check find search fetch call run use ask play book reserve buy transfer "
    "return display print output round sort loop end exit share translate "
    "detect resize"
)
_MAKING = word_set(
    "get set count repeat calculate extract format split combine match replace append "
    "encode decode round resize return convert filter"
)
"""Operations that are only steps towards a result."""
MAX_MARKERS = 2
MAX_MAKING = 2
MAX_OPERATIONS = 4
"""Maximum number of clauses that begin with an order. A plan of many calls may have one for each
call, and one more."""


def examine(subject: Subject) -> Finding:
    """Drops texts with lists, numbered steps, "first, then, finally", or chains of commands."""
    text = subject.without_values()
    numbers = [int(digits) for digits in _NUMBERED.findall(text)]
    in_order = sum(b == a + 1 for a, b in pairwise(numbers))
    if len(_LIST.findall(text)) > 1 or _STEP.search(text) or in_order:
        return dropped("lists_steps", "a list of steps")
    markers = _MARKERS.findall(text)
    if len(markers) > MAX_MARKERS:
        return dropped("lists_steps", f"says {', '.join(markers)}")
    orders = _orders(text)
    if len(orders) > max(MAX_OPERATIONS, len(subject.calls) + 1):
        return dropped("lists_steps", f"a chain of orders: {', '.join(orders)}")
    making = [word for word in orders if word in _MAKING]
    if len(making) > MAX_MAKING:
        return dropped("lists_steps", f"a chain of operations: {', '.join(making)}")
    return passing("asks for a result")


def _orders(text: str) -> list[str]:
    """Return the verbs of operations, such as "get" or "add", that begin a clause of the text."""
    firsts = [plain(clause).split(" ", 1)[0] for clause in _CLAUSE.split(text)]
    return [word for word in firsts if word in _OPERATIONS]


CHECK = Check(
    name="step_listing",
    kinds=frozenset({"query", "instruction", "nested"}),
    explains={"lists_steps": "The text lists steps instead of naming a goal."},
    examine=examine,
)
