"""Check that a value in a reply is about the subject of the question.

A frame is the words around a value. A frame contradicts the question if both name, for example, a
place, a day or a count, and the two differ.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

import msgspec

from benchloom.worlds.answers.names import (
    CLOSED,
    FOLLOWERS,
    HEAD,
    WINDOW,
    WORD,
    Name,
    preposition_before,
    swaps_giver,
)
from benchloom.worlds.answers.question import ONE, Question
from benchloom.worlds.answers.reply import Mention, Reply
from benchloom.worlds.answers.values.moments import days_in, differ
from benchloom.worlds.answers.values.numbers import FUNCTION_WORDS, Number, stem
from benchloom.worlds.answers.values.times import numbers_beside

_FAR = 400
"""The number of characters after a value that can belong to the frame, the words around it."""
_AND = re.compile(r"\band\b|[()]")
_SORT = re.compile(r"\b(?!(?:the|this|that|a|takes?)\b)(\w+) place\b")
_OTHER = re.compile(
    r"\b(?:is|was|are|were|at|in|on|for|of|by|from|to|with) (?:an? |the |some )?"
    r"(?:other|another|different|wrong)\b(?! (?:word|way|term|name|expression))"
)
_PAST = re.compile(
    r"\b(?:was (?:going|supposed|meant|planned) to|used to|formerly|previously|former"
    r"|until (?:recently|last|lately)|in the past|once (?:lived|worked|cost|was)|had been"
    r"|moved away|had (?:[\w.]+ ){1,4}before|originally"
    r"|(?:lived|worked) (?:at|for|in|with)|before (?:he|she|it|they) moved"
    r"|last (?:week|month|year|time)|(?P<ago>(?:days?|weeks?|months?|years?) ago))\b"
)
DEED = re.compile(
    r"\bi(?:'ve| have)? (?:\w+ly |just |also |now |then )?(?!found|need|look|check|calculat|convert"
    r"|comput|search|work|add(?:ed)? up|divid|multipl|subtract|translat|replac|list|read|round|ask)"
    r"(?:\w{2,}ed|set|put|made|sent|paid)\b(?!.*(?::(?![0-9])|=|\b(?:is|are|was|were|has|have|and)\b))"
)
"""The beginning of a clause in which the agent reports its own action: `I have set it to`."""
_OF = re.compile(r"\b(\w+ of) \"?$")
_SAME_VERBS = ("mention|link|refer|nam|cit", "send|sent|writ|wrot")
_ENDING = r"(?:e|es|s|ed|d|ing|ies|ied|y|ten|red)?\b"
_PASSIVE = r"(?P<passive>(?:\b(?:is|are|was|were|been)|'s|'re) )?"
_OBJECT = re.compile(r"(?: [a-z]+){0,4} \"?")
_RELATIVE = re.compile(r"\"?,?(?: (?:is|the|an?|article|that|which|who|also|both|only|it))* ")
_HOLDS = re.compile(r" (?:holds|has|contains|counts|lives|works)\b")
_ABOUT = re.compile(r"\b(?:of|at|for|on) (?:the |your )?\"?$")
_HAS = re.compile(
    r"\"?(?:'s| (?:has|costs|uses|contains)\b)|(?: [a-z]+){0,2} (?:is|are) (?:in|at)\b"
)
_PRONOUN = re.compile(r"\b(?:it|its|he|she|they|her|his|their|there|that|this)\b")
_TAIL = re.compile(
    r"\"? (?!ones?\b)([a-z]+)(?= (?:is|are|was|were|has|have|costs?|rings?|comes?)\b|[:,])"
)
_OPENING = re.compile(r"\W*(?:on |for )?")
"""The words before a day at the beginning of a sentence: `On Friday, it is Lomm`."""
_PLACED = re.compile(r" (?:in|on|at|for) (?:the |your |my )?")
_LEFT = ("left ", "out of the ", "quit ", "moved from ", "moved away from ", "moved out of ")
_STRETCHES = frozenset(map(stem, ("hour", "day", "night", "week", "month", "year")))
_DIRECTION_QUESTION = re.compile(
    r"\b(?P<way>from|to) (?:which|whom|what|where)\b"
    r"|\b(?:who|where|which)\b.* (?P<last>from|to)\W*$"
)
_WAYS = re.compile(r"\b(?:from|to|by|at|in|on|as)\b")


def of_subject(question: Question, reply: Reply, mentions: list[Mention]) -> list[Mention]:
    """Return the mentioned values whose subject is that of the question, or is unclear."""
    frames = [_frame(question, reply, mention) for mention in mentions]
    subjects = [frame.subject() for frame in frames]
    wrong_kinds = {"rival", "elsewhere"} | ({"foreign"} if "asked" in subjects else set())
    question_name_follows = any(frame.is_next_name_in_question for frame in frames)
    return [
        frame.mention
        for frame, subject in zip(frames, subjects, strict=True)
        if subject not in wrong_kinds
        and not (question_name_follows and frame.next_names and not frame.is_next_name_in_question)
        and not frame.contradicts()
    ]


def subject_kind(question: Question, reply: Reply, mention: Mention) -> str:
    """Return the kind of the name that a value in a reply is about, or "" if it is unclear.

    The kinds are "asked" (the name is in the question), "rival" (it resembles a name in the
    question), "elsewhere" (it is in another part of the request) and "foreign" (any other name).
    """
    return _frame(question, reply, mention).subject()


def _frame(question: Question, reply: Reply, mention: Mention) -> "_Frame":
    start = reply.subject_start(mention.start)
    first, last = reply.segment(mention.start)
    end = min(max(mention.end, last), mention.end + _FAR)
    match = _PLACED.match(reply.lower, mention.end)
    names = reply.names_between(mention.end, mention.end + _FAR)
    next_names = [name for name in names if match and name.start <= match.end() <= name.end]
    frame = _Frame(question, reply, mention, start, max(start, first), end, next_names)
    if frame.is_next_name_in_question:
        # In `12 in Lomm, 14 in Choir`, the name before the second value belongs to the first.
        before = reply.names_between(start, mention.start)
        start = max([start, *(name.end for name in before if not name.opens)])
        frame = msgspec.structs.replace(frame, start=start, near=max(start, first))
    return frame


class _Frame(msgspec.Struct, frozen=True):
    """The words around a value in a reply, from position `start` to position `end`.

    `near` is the start of the comma-separated part of the sentence that contains the value.
    `next_names` contains the name directly after the value, as in `14 in Choir`, if there is one.
    """

    question: Question
    reply: Reply
    mention: Mention
    start: int
    near: int
    end: int
    next_names: list[Name]

    @property
    def is_next_name_in_question(self) -> bool:
        """Whether the name directly after the value is a name in the question."""
        return any(
            name.names(subject) for name in self.next_names for subject in self.question.subjects
        )

    def subject(self) -> str:
        """Return the kind of the name that the value is about, or "" if unclear.

        `_kind` defines the kinds. The last name before the value determines the kind, but a name
        that is in the question takes precedence. If there is no name before the value, the first
        name after it counts if it is a "rival".
        """
        if not self.question.subjects:
            return ""
        subject = ""
        for name in self._names(self.start, self.mention.start):
            kind = self._kind(name)
            if kind and (subject != "asked" or kind == "asked"):
                subject = kind
        if not subject:
            last = self.reply.sentence(self.mention.start).end
            kinds = [self._kind(name) for name in self._names(self.mention.end, last)]
            subject = "rival" if kinds[:1] == ["rival"] else ""
        return subject

    def contradicts(self) -> bool:
        """Whether a place, day, count or other detail around the value contradicts the question."""
        values = (self._other_place, self._other_day, self._other_count, self._other_choice)
        acts = (self._other_giver, self._other_way, self._other_object, self._other_time)
        return any(differs() for differs in (*values, *acts))

    def _names(self, start: int, end: int) -> Iterator[Name]:
        """Yield the names between two positions of the reply, except names in the answer."""
        for name in self.reply.names_between(start, end):
            inside = self.mention.start < name.end and name.start < self.mention.end
            masked_value = set("".join(name.sequence)) == {"x"}
            if not (inside or masked_value or name.words <= self.question.answer_words):
                yield name

    def _kind(self, name: Name) -> str:
        """Classify a name in a reply by its relation to the names in the question.

        An "asked" name is in the question. A "rival" shares a word with an asked name (`Ada Cole`,
        `Ada Hale`) or has the same neighbouring word (`Ada Cole works`, `Bo Hale works`). The kind
        is "elsewhere" if the name is in another part of the request, or is the subject of its
        clause. Any other name is "foreign". The kind is "" if the word may not be a name.
        """
        if self._has_other_tail(name):
            return "rival"
        subjects = self.question.subjects
        if any(map(name.names, subjects)):
            return "asked"
        if any(name.words & subject.words for subject in subjects):
            return "rival"
        if name.words in self.question.argument_names:
            return "asked"
        plain = name.opens and len(name.sequence) == 1
        matches = [HEAD.search(self.reply.lower, max(0, name.start - WINDOW), name.start)]
        titled = all(self.question.clause.startswith('"', subject.start) for subject in subjects)
        if not plain and not (titled and self.reply.lower.endswith("'s", 0, name.end)):
            matches.append(FOLLOWERS.match(self.reply.lower, name.end))
        groups = (word for match in matches if match is not None for word in match.groups())
        words = {stem(word.removesuffix("'s")) for word in groups if word}
        if words & self.question.neighbours:
            return "rival"
        if (
            plain
            and _HOLDS.match(self.reply.lower, name.end)
            and not (name.words & set(WORD.findall(self.question.text)))
        ):
            return "rival"
        if plain:
            elsewhere = any(name.words == other.words for other in self.question.others)
            return "elsewhere" if elsewhere else ""
        if any(map(name.names, self.question.others)) or self._is_subject(name):
            return "elsewhere"
        return "foreign"

    def _is_subject(self, name: Name) -> bool:
        """Whether a name is the subject of its clause, as in `Lomm has 40 rooms`.

        The result is false if the clause has a pronoun, which may be the real subject.
        """
        lower = self.reply.lower
        about = _ABOUT.search(lower, self.start, name.start) or _HAS.match(lower, name.end)
        verb = FOLLOWERS.match(lower, name.end)
        acts = verb is not None and verb[1].endswith("s") and stem(verb[1]) in self.question.stems
        return (acts or about is not None) and not _PRONOUN.search(lower, self.start, self.end)

    def _has_other_tail(self, name: Name) -> bool:
        """Whether a name has another noun than in the question: `Window fan`, `Window blind`."""
        tail = self.question.tails.get(name.words)
        match = _TAIL.match(self.reply.lower, name.end)
        return bool(tail and match and match[1] not in tail | FUNCTION_WORDS)

    def _other_place(self) -> bool:
        """Whether the reply is about another place or thing: `in Lomm` instead of `in Brisk`."""
        lower, question_places = self.reply.lower, self.question.places
        for name in self._names(self.start, self.end):
            preposition = preposition_before(lower, self.start, name.start)
            expected = question_places.get(preposition)
            if expected is not None and not (name.words <= expected or expected <= name.words):
                return True
        head = _OF.search(lower, self.start, self.mention.start)
        if self.mention.worded and head is not None and head[1] in self.question.clause.lower():
            return True
        sorts = set(_SORT.findall(self.question.clause))
        reply_sorts = _SORT.findall(lower, self.near, self.end)
        if sorts and reply_sorts and sorts.isdisjoint(reply_sorts):
            return True
        shares = isinstance(self.question.answer, list)
        return not shares and _OTHER.search(lower, self.start, self.end) is not None

    def _other_day(self) -> bool:
        """Whether the question names a single day, and the reply names another day."""
        question_day = self.question.clause_day
        if question_day is None:
            return False
        opening = self.reply.sentence(self.mention.start).start
        return any(
            differ(question_day, day, self.question.today)
            and day.key(self.question.today) not in self.question.other_values
            for day in self.reply.days
            if (
                self.start <= day.start < self.end
                or _OPENING.fullmatch(self.reply.lower, opening, day.start)
            )
            and not self.mention.start <= day.start < self.mention.end
            and not _AND.search(self.reply.lower, day.end, self.near)
        )

    def _other_choice(self) -> bool:
        """Whether the reply names a choice (`high`) other than an argument of the call (`low`)."""
        last = self.reply.sentence(self.mention.start).end
        words = set(WORD.findall(self.reply.lower, self.start, last))
        arguments = set(map(str, self.question.arguments.values()))
        return any(
            words & choices and not words & choices & arguments
            for choices in CLOSED
            if arguments & choices and str(self.question.answer) not in choices
        )

    def _other_count(self) -> bool:
        """Whether the value is for another count than the question: `two nights`, not `a night`."""
        lower = self.reply.lower[self.near : self.end]
        counts = {stem(match[1]): {Decimal(1)} for match in ONE.finditer(lower)}
        for number in numbers_beside(lower, days_in(lower)):
            start = self.near + number.start
            if not self.mention.start <= start < self.mention.end:
                if start < self.mention.start and self._is_several(number):
                    return True
                for noun in (*number.nouns, "day" if number.unit == "d" else number.unit):
                    counts.setdefault(stem(noun), set()).add(number.value)
        question_counts = self.question.counts
        if not question_counts or isinstance(self.question.answer, list):
            return False
        things = question_counts.keys() & counts.keys()
        if not things and _STRETCHES & question_counts.keys() and _STRETCHES & counts.keys():
            return True
        return any(question_counts[noun] not in counts[noun] for noun in things)

    def _is_several(self, number: Number) -> bool:
        """Whether a price is for several things (`two kettles`), but the question is about one."""
        things = {"ticket", *(stem(word) for tail in self.question.tails.values() for word in tail)}
        noun = stem((*number.nouns, "")[0])
        return self.question.field == "price_cents" and number.value > 1 and noun in things

    def _other_giver(self) -> bool:
        """Whether the reply swaps giver and receiver: `you ask Ada`, not `Ada asks you`."""
        clause = self.reply.lower[self.near : self.end]
        return swaps_giver(self.question.clause.lower(), clause)

    def _other_way(self) -> bool:
        """Whether the reply reverses the direction in the question: `to Ada`, not `from Ada`."""
        question_way = _DIRECTION_QUESTION.search(self.question.clause.lower())
        ways = _WAYS.findall(self.reply.lower, self.start, self.mention.start)
        way = "from" if self.question.field == "sender" else ""
        if question_way is not None and not isinstance(self.question.answer, dict):
            way = question_way["way"] or question_way["last"]
        return bool(way) and ways[-1:] == ["to" if way == "from" else "from"]

    def _other_object(self) -> bool:
        """Whether the reply exchanges the subject and the object of a verb in the question.

        For example, `Lomm mentions Ale` does not answer which article Ale mentions.
        """
        lower, start, end = self.reply.lower, self.mention.start, self.mention.end
        for verb, is_object in self.question.verbs if self.mention.worded else ():
            stems = next((stems for stems in _SAME_VERBS if verb in stems.split("|")), verb)
            pattern = re.compile(rf"{_PASSIVE}\b(?:{stems}){_ENDING}")
            for match in pattern.finditer(lower, self.start, self.end):
                first, last = match.span()
                names = [*self._names(last, self.end)]
                if last <= start and _OBJECT.fullmatch(lower, last, start):
                    return is_object is not (match["passive"] is not None)
                if end <= first and _RELATIVE.fullmatch(lower, end, first) and names:
                    return (self._kind(names[0]) == "asked") is not is_object
        return False

    def _other_time(self) -> bool:
        """Whether the value is a past one, or one that the agent itself set (`I set it to 80`).

        If the question is about the past, a past value is accepted.
        """
        lower, mention = self.reply.lower, self.mention
        match = _PAST.search(lower, self.start, self.end)
        moments = {day.start for day in self.reply.days} | {time.start for time in self.reply.times}
        is_past = match is not None and not (match["ago"] and mention.start in moments)
        has_left = mention.worded and lower.endswith(_LEFT, self.start, mention.start)
        deed = DEED.search(lower, self.near, mention.start) is not None
        return deed or ((is_past or has_left) and not self.question.asks_past)
