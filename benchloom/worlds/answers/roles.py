"""Determine which of several opposite roles a value has, such as begin and end.

The word for a role that is nearest to the value decides.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from benchloom.worlds.answers.names import unquoted
from benchloom.worlds.answers.question import Question
from benchloom.worlds.answers.reply import Mention, Reply

_DONE = (
    r"(?:is|are|was|'s|already|been) (?:already )?(?:done|completed|finished|paid|settled)"
    r"|(?:ticked|checked|crossed) off"
)
_BY_FIELD = (
    {
        "start|departs|opens|since|from_.*|origin_.*|.*_departure_time": r"begin(?:s|ning)?"
        r"|start(?:s|ing)?|(?:from|the)(?= ?$)|(?:busy|full|booked|taken) (?:until|till|to)"
        r"|dep(?:art\w*)?|leav(?:es?|ing)|left at|takes? off|opens?|since",
        "end|arrives|closes|until|to_station|destination_.*|.*_arrival_time": r"end(?:s|ing)?|over"
        r"|(?:busy|full|booked|taken) from|until|till|arr(?:iv\w*)?|lands?|clos(?:es|ing)"
        r"|finish\w*|gets? (?:in|to|off|there)"
        r"|pulls in\w*|reach(?:es|ing)?|(?:is|you're|be) (?:there|in)",
    },
    {
        "high_.*": r"high(?:est)?|max\w*|at most|warm\w*|up to|hot\w*|ris\w+|reach\w*",
        "low_.*": r"low(?:est)?|min\w*|at least|cold\w*|down to|cool\w*|fall\w*|drop\w*",
    },
    {
        "": r"(?:open(?:s|ed)?|serv\w+)(?! (?:every|all|any))",
        "closed_on": r"clos(?:ed|es|ing)|day off|(?:not|\w+n't|never) open"
        r"|open (?:every|all|any)\w*",
    },
    {
        "total|sum": r"total\w*|sum|altogether|together|adds? up",
        "mean|average": r"mean|average",
        "median": r"median",
        "smallest|lowest|min\\w*": r"smallest|lowest|least|min\w*",
        "largest|highest|max\\w*": r"largest|highest|biggest|greatest|max\w*",
    },
    {"outbound_.*": r"outbound|outward", "inbound_.*": r"inbound|return\w*|back"},
    {
        "rain.*|precip.*": r"rain\w*|precipitation",
        "humidity": r"humid\w*",
        "wind.*": r"wind\w*",
        "": r"cloud cover|no rain|dry",
    },
    {"direct.*": r"direct\w*", "starring|cast|actors": r"stars?|starring|cast|featur\w*|actors?"},
    {"pieces": r"stock|left|available", "": r"baskets?|cart|ordered"},
    {"price.*|night.*": r"each|apiece", "": r"together|altogether|(?:in )?total"},
    {
        "limit.*": r"limit\w*|cap\w*|up to|max\w*",
        "balance.*": r"balance|left|leav\w+|remain\w*",
        "": r"used|spent",
    },
    {
        "due|due_date": r"due|payable|set for",
        "sent_at": r"sent|came|arrived|received|written|wrote",
        "changed_at": r"changed|edited|updated|touched",
        "": r"issued|answered|read|replied|created|made|set on|opened|closed|printed|paid on|done"
        r"|completed|finished",
    },
)
"""Sets of opposite roles, such as begin and end.

Each set maps a pattern of the result fields with a role to a pattern of the words for this role.
"""
_BY_WORDS = (
    (r"dearest|most expensive|costliest|priciest", r"cheapest|least expensive"),
    (
        r"dearest|most expensive|warmest|coldest|cheapest",
        r"(?:comes?|in|is) (?:only )?second|runner-up|next(?: one)? is",
    ),
    (r"warmest|hottest", r"coldest|coolest"),
    (
        r"(?:many|of|calendar|weekend) days?",
        r"(?:working|work|business|week) ?days?|(?:without|excluding) (?:the )?weekends?",
    ),
    (r"bus", r"train", r"flight|plane", r"ferry"),
    (r"dry|(?:no|without) rain", r"rain\w*|wet|showers?"),
    (r"open|unpaid|to do|still|(?:not|n't) (?:\w+ )?(?:done|finished)|unfinished", _DONE),
    (r"left|free|available", r"taken|booked|occupied|gone"),
    (
        r"next|first(?=\W*$)",
        r"then(?= \"?$)|last|previous|after that|afterwards|after it|second|later",
    ),
    (r"last|latest|most recent|(?<!not )(?:until|till)", r"first|earliest|before that"),
    (r"opposites?|antonyms?|contrary", r"(?:an)?other word|synonyms?|similar|same as"),
    (r"lives?|living", r"works?|working|employed|born"),
    (
        r"did (?:\w+ ){1,3}pay|(?<!not )(?<!n't )(?<!be )(?<!to )(?<!no )paid|spent",
        r"owe[sd]?|owing|outstanding|unpaid|open|to pay|left|leaves|ask(?:s|ed)? for|request",
        r"refund\w*|reimburs\w*|(?:gave|paid|sent) back",
    ),
    (
        r"(?:minutes?|hours?|min|h) (?:after|before|later)",
        r"(?:begin|start)s?(?: at)?(?= ?$)",
    ),
)
"""Sets of opposite roles, such as bus and train, as patterns of the words for each role.

The words of the question select the role, whatever the result field is.
"""
_PATTERNS = [
    re.compile(
        r"\b(?:" + "|".join(f"(?P<_{role}>{word})" for role, word in enumerate(words)) + r")\b"
    )
    for words in (*map(dict.values, _BY_FIELD), *_BY_WORDS)
]
_RANGED = 2
"""The number of the first sets whose two roles can be the ends of a range such as `8 to 9`."""
_RANGE = re.compile(
    r" ?(?:to|until|till|and|--?) ?|(?: [a-z' ]{1,30})? ?(?:->|\u2192|:) ?(?:[a-z' ]{1,30} )?"
)
_EXTREMES = re.compile(r"(?:high|low|limit|max|min|due|until|closes)(?:est|_.*)?")
SUPERLATIVE = re.compile(r"\b\w{3,}est\b")
"""Matches a superlative such as `dearest`, which asks for one of several things."""
_PASSED = re.compile(
    r"(?:(?:n't|\b(?:not|never|no|cannot|nowhere|nothing|none))(?: \w+){0,3}"
    r" (?:(?:more|less|\w+er) than|above|below|over|under)|\bat (?:most|least))(?: in)?(?: the)? $"
)
_BUSY = re.compile(r"\b(?:busy|full|booked|taken) (?:from )?$")
_NEAR = 20
_OPEN = re.compile(r"\b(?:open|eat|dine|serv\w+|book|go|come|visit)\b")


def of_role(question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Return the mentioned values with the requested role, such as begin, or an unknown role."""
    for index, role in _requested_roles(question):
        ranges: dict[int, int] = _ranges(reply, mentions, index) if index < _RANGED else {}
        roles = {
            mention.start: ranges.get(mention.start, _role(reply, mention, index))
            for mention in mentions
        }
        mentions = [
            mention
            for mention in mentions
            if roles[mention.start] in {-1, role} or says_opposite(question, reply, mention)
        ]
    return mentions


def says_opposite(question: Question, reply: Reply, mention: Mention) -> bool:
    """Whether a value answers the question although the value is negated or a bound.

    For example, `not open on Mondays` means closed, and `at least 5` states a minimum.
    """
    stance = reply.stance(mention.start, mention.end)
    start, end = reply.segment(mention.start)
    if question.field == "closed_on":
        return stance == "negated" and _OPEN.search(reply.lower, start, end) is not None
    return (
        (_EXTREMES.fullmatch(question.field) or SUPERLATIVE.search(question.clause)) is not None
        and stance in {"affirmed", "negated"}
        and _PASSED.search(reply.lower, start, mention.start) is not None
    )


def _requested_roles(question: Question) -> Iterator[tuple[int, int]]:
    """Yield each role that the question asks for, as two indices.

    The first is the index of a set of opposite roles in `_PATTERNS`, the second that of the role in
    this set.
    """
    clause = unquoted(question.clause.lower())
    for index, pattern in enumerate(_PATTERNS):
        match = pattern.search(clause)
        roles = [] if match is None else [_role_of(match)]
        if index < len(_BY_FIELD):
            fields = enumerate(_BY_FIELD[index])
            roles = [
                role for role, field in fields if field and re.fullmatch(field, question.field)
            ]
        yield from ((index, role) for role in roles)


def _ranges(reply: Reply, mentions: Sequence[Mention], index: int) -> dict[int, int]:
    """Return a mapping from the start of each value in a range to the index of its role.

    `index` selects the set of opposite roles in `_PATTERNS`. The first value of a range is the
    begin or the minimum. After a word such as `busy` the roles are exchanged, because the open time
    ends where the busy time begins.
    """
    roles = {}
    for first, second in pairwise(mentions):
        between = _RANGE.fullmatch(reply.lower, first.end, second.start)
        opens = reply.lower.endswith("between ", 0, first.start)
        if between is not None and (opens or "and" not in between[0]):
            busy = _BUSY.search(reply.lower, max(0, first.start - _NEAR), first.start)
            role = index if busy is None else 1 - index
            roles[first.start], roles[second.start] = role, 1 - role
    return roles


def _role(reply: Reply, mention: Mention, index: int) -> int:
    """Return the index of the role whose word is nearest to a value in its clause, or -1.

    `index` selects the set of opposite roles in `_PATTERNS`.
    """
    start = reply.subject_start(mention.start)
    segment_start, end = reply.segment(mention.start)
    lower = unquoted(reply.lower)
    words = _PATTERNS[index].finditer(lower, start, mention.start)
    before = [
        word
        for word in words
        if not mention.worded
        or (word[0] != "the" and "xxx" not in lower[word.end() : mention.start])
    ]
    joint = reply.lower.find(" and ", mention.end, end)
    first = mention.start if mention.nouns else mention.end
    next_word = _PATTERNS[index].search(lower, first, end if joint < 0 else joint)
    nearer = before and before[-1].start() >= segment_start
    if next_word is not None and not (
        nearer and " and " not in reply.lower[before[-1].end() : mention.start]
    ):
        return _role_of(next_word)
    return _role_of(before[-1]) if before else -1


def _role_of(match: re.Match[str]) -> int:
    return int((match.lastgroup or "_0")[1:])
