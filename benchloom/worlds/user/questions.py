"""Find the facts that an agent's message asks for, by names of facts and question words."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from benchloom.worlds.answers.reply import Reply
from benchloom.worlds.answers.values.numbers import stem

_WORD = re.compile(r"[a-z]+")
_WISH = re.compile(
    r"\b(?:tell me|let me know|give me|provide|specify|share|i(?: also)? need(?: to know)?"
    r"|(?:could|can|may) i (?:know|ask|have|get))\b(?: me| with me| us)?"
)
_NOT_A_FACT = re.compile(
    r"\banything else\b|\bnow$|\bhow are you\b|\beverything\b|\bweather\b|\byou live\b"
)
_ANY = re.compile(
    r"\b(?:preferred|particular|certain|specific)\b|\bin mind\b|\burgent\b"
    r"|\b(?:add|include|leave) (?:a|an|any)\b|\bis there (?:a|an|any)\b"
)
_AND = re.compile(r",? and |, ")
_CUT = re.compile(
    r"\b(?:is|are|was|were|do|does|did|would|should|will|can|could|shall|must|has|have|works?|suits?"
    r"|for|on|in|at|with|from|to|when|if|so|that|which|you|please|i|we|it|they|share)\b"
)
_BEGINS = re.compile(
    r"(?P<before>(?:\b(?:from|to) )?)(?:\b(?P<name>what|which|whose)\b"
    r"|\b(?P<many>how (?:many|much|large|long|important|big))\b"
    r"|\b(?P<where>where)\b|\b(?P<when>when)\b|\b(?P<who>whom|who)\b|\b(?P<whether>whether)\b)"
)
_YES_NO = re.compile(r"(?:is|are|do|does|did|would|will|should|shall)\b")
_DOES = re.compile(r" *(?:is|are|was|were|has|have|will) (?!it\b|this\b|that\b|the\b|you\b)")
_BE = re.compile(r"^ *(?:(?:is|are|was|were)\b)?")
_ARTICLES = re.compile(r"^ *(?:(?:the|your|a|an|me|us)\b *)*")
_SMALL = frozenset(
    _WORD.findall(
        """
the your you for and with are was were what which whose how many much that this would like is
want need should will can could have has does did shall any please particular there mind do
prefer preferred wish them then use book get make put set give a an i it be of in on at me or so
if we they going
"""
    )
)
_GENERIC = frozenset({"name", "number", "exact", "full", "whole", "details"})
"""Words that a question may add to the words of a label: `the full name`."""
_SYNONYMS = """
time: hour clock
date: day
due: date day time deadline
city: town
login: account
until: last day end
journey: travel trip departure
track: song
new: word
old: word
intent: purpose buy rent
provider: doctor therapist dentist
type: kind sort
percent: percentage
expression: formula
check_in: date day arrive arrival
check_out: date day leave leaving
since: first day start
to_time: new
from_time: present current old
start: time begin begins starting
end: time finish finishes last until
departure: leave leaving depart departing outbound
return: back coming inbound
origin: city town from leave leaving depart departing fly flying
place: location
attendees: people persons guests invite invited
product: item article buy order
movie: film
brightness: bright
address: ship shipping deliver delivered
quantity: pieces
switch_position: off switch
words: term phrase query content
enabled: off switch
mode: transport means
thread: chat group
to_unit: convert
to_scale: convert
to_language: translate
directed_by: director
cast: actor star starring
starring: actor
from: from place origin leave leaving depart departing departure start starting pickup pick
num: number
to: to target place destination fly flying go going travel travelling arrive arriving head heading
destination: to fly flying city town go going head heading place address
location: city town area
party_size: people guests party diners person persons seats large
number_of_riders: people seats riders passengers riding
number_of_seats: people seats passengers riders
num_passengers: people tickets passengers travellers travelers
passengers: people tickets travellers travelers
travelers: people tickets passengers travellers
group_size: people tickets passengers travellers travelers
number_of_adults: people guests adults
number_of_tickets: tickets people seats
number_of_rooms: rooms
number_of_days: days long
stay_length: nights days long stay
amount: money sum transfer
recipient: receive receiver
receiver: recipient
person: recipient
contact: person recipient
title: called name call reminded remind reminder say
subject: called title
text: say body content write message wording
message: text say content write
content: text say write
smoking: smoke
luggage: baggage bags
shared: share sharing
priority: important urgent
hotel_name: place
"""
_COUNTS = frozenset(
    ["amount", "size", "number", "num", "passengers", "travelers", "length", "quantity", "count"]
)
_PLACES = frozenset(
    ["city", "location", "address", "area", "place", "destination", "origin", "from", "to", "where"]
)
_PEOPLE = frozenset(
    ["person", "recipient", "receiver", "contact", "payee", "attendees", "guest", "patient"]
)
_FROM = frozenset(["from", "origin", "pick", "pickup", "leav", "leave", "depart", "departur"])
_TO = frozenset(["to", "destination", "go", "head", "arriv", "travel", "drop"])
_MOMENTS = frozenset(["time", "date", "due", "day", "start", "end"])


def stems_in(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text; `camelCase` is split."""
    return _stems(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower())


def _stems(words: str | Sequence[str]) -> frozenset[str]:
    split = _WORD.findall(words.replace("'s", "")) if isinstance(words, str) else words
    return frozenset(stem(word) for word in split if word not in _SMALL or word in {"from", "to"})


_ALSO: Mapping[str, frozenset[str]] = {
    name: _stems(words)
    for name, _, words in (line.partition(": ") for line in _SYNONYMS.strip().splitlines())
}


class Fact(msgspec.Struct, frozen=True):
    """A fact that the user knows; `slot` is its name, and `statement` the sentence that states it.

    `is_truth` is true if the value is yes or no. `scope` distinguishes facts with the same slot,
    such as `to delete` for the note to delete.
    """

    slot: str
    statement: str
    is_truth: bool = False
    scope: str = ""

    @property
    def label(self) -> str:
        """The name of the fact with its scope, which is unique in the task."""
        return f"{self.slot} {self.scope}".strip()

    @property
    def parts(self) -> list[str]:
        """The content words of the fact's name."""
        return [part for part in self.slot.split("_") if part not in _SMALL or part == "to"]

    def names(self) -> list[frozenset[str]]:
        """Return, for each word of the slot, the stems of its synonyms."""
        return [_stems([part]) | _ALSO.get(part, frozenset()) for part in self.parts]


class Request(msgspec.Struct, frozen=True):
    """The facts that a message asks for.

    `unclear` contains facts of which the message means one, but does not say which one. `unknown`
    is true if the message asks for something that is not a fact.
    """

    facts: tuple[Fact, ...] = ()
    unclear: tuple[Fact, ...] = ()
    unknown: bool = False


class _Phrase(msgspec.Struct, frozen=True):
    """A question in a message: the kind of its question word, its noun, and the words around it.

    `does` is true if the question word is the subject, as in `who is organising it`. If the
    question lists several things, `part` contains the words of one of them.
    """

    way: str
    noun: frozenset[str]
    around: frozenset[str]
    does: bool = False
    part: frozenset[str] = frozenset()


def requested(text: str, facts: Sequence[Fact]) -> Request:
    """Return the facts that a message asks for, and whether it asks for something unknown."""
    reply = Reply(text)
    clear: dict[str, Fact] = {}
    unclear: dict[str, Fact] = {}
    unknown = False
    for sentence in reply.sentences:
        words = reply.lower[sentence.start : sentence.end].strip()
        if not sentence.is_question and not _WISH.search(words):
            continue
        phrases = [] if _NOT_A_FACT.search(words) else list(_phrases(words))
        unknown = unknown or not phrases
        for phrase in phrases:
            matches = _within(phrase.part or stems_in(words), _matches(phrase, facts))
            unknown = unknown or not matches
            group = unclear if _is_unclear(phrase, matches) else clear
            group.update((fact.label, fact) for fact in matches)
    open_facts = tuple(fact for label, fact in unclear.items() if label not in clear)
    return Request(tuple(clear.values()), open_facts if len(open_facts) > 1 else (), unknown)


def _phrases(sentence: str) -> Iterator[_Phrase]:
    begins = [match for match in _BEGINS.finditer(sentence) if not _is_relative(sentence, match)]
    wish = _WISH.search(sentence)
    if wish is not None and (not begins or begins[0].start() > wish.end()):
        between = sentence[wish.end() : begins[0].start() if begins else len(sentence)]
        if between.strip(" ,"):
            yield from _listed_things(between)
    elif not begins:
        way = "name" if _ANY.search(sentence) else "whether"
        yield _Phrase(way, frozenset(), _stems(sentence))
    for position, begin in enumerate(begins):
        end = begins[position + 1].start() if position + 1 < len(begins) else len(sentence)
        clause = sentence[begin.end() : end]
        way = next(name for name in begin.groupdict() if name != "before" and begin[name])
        around = _stems(begin["before"] + clause) | (_stems(begin[0]) if way == "many" else set())
        if begin[0].endswith("much"):
            way = "much"
        if way != "name":
            yield _Phrase(way, _stems(_head(clause)), around, _DOES.match(clause) is not None)
        else:
            yield from _listed_things(_BE.sub("", clause, count=1), around)


def _is_relative(sentence: str, begin: re.Match[str]) -> bool:
    """Whether a word such as `where` begins a relative clause, as in `a room where you smoke`."""
    before = sentence[: begin.start()].rstrip()
    return _YES_NO.match(sentence) is not None and not before.endswith((",", "and"))


def _listed_things(text: str, around: frozenset[str] = frozenset()) -> Iterator[_Phrase]:
    """Yield a question for each thing in a list such as `the city, the date and the time`."""
    parts = _AND.split(text)
    nouns = [_stems(_head(part)) for part in parts]
    if len(nouns) > 1 and all(nouns):
        for noun, part in zip(nouns, parts, strict=True):
            yield _Phrase("name", noun, frozenset(), part=stems_in(part))
    else:
        yield _Phrase("name", nouns[0], around | _stems(text))


def _head(text: str) -> str:
    bare = _ARTICLES.sub("", text)
    cut = _CUT.search(bare.replace("check in", "check.n").replace("check-in", "check..n"))
    return bare if cut is None else bare[: cut.start()]


def _matches(phrase: _Phrase, facts: Sequence[Fact]) -> list[Fact]:
    labels = {"where": _PLACES, "when": _MOMENTS, "who": _PEOPLE}.get(phrase.way)
    if (
        phrase.way == "who"
        and phrase.does
        and not any(_overlap(phrase.around, fact) for fact in facts)
    ):
        return []
    if labels is not None:
        opposite = _FROM if phrase.around & _TO else _TO if phrase.around & _FROM else frozenset()
        fitting = [
            fact
            for fact in facts
            if not labels.isdisjoint(fact.parts) and opposite.isdisjoint(fact.parts)
        ]
        return _best(fitting, lambda fact: 1 + _overlap(phrase.around, fact))
    if phrase.way == "whether":
        truths = [fact for fact in facts if fact.is_truth]
        return _best(truths, lambda fact: _overlap(phrase.around, fact))
    if phrase.way in {"many", "much"}:
        counts = [fact for fact in facts if not _COUNTS.isdisjoint(fact.slot.split("_"))]
        counts += [fact for fact in facts if fact.slot == "priority"]
        noun = phrase.noun or phrase.around
        people = _stems("people")
        best = _best(counts, lambda fact: _fit_of(noun or people, phrase.around, fact))
        if best or phrase.noun:
            return best
        amounts = [fact for fact in counts if ("amount" in fact.parts) == (phrase.way == "much")]
        return (
            _best(amounts, lambda fact: len(people & _also(fact))) or amounts[: len(amounts) == 1]
        )
    if phrase.noun:
        return _best(facts, lambda fact: _fit_of(phrase.noun, phrase.around, fact))
    return _best(facts, lambda fact: _overlap(phrase.around, fact))


def _within(words: frozenset[str], matches: Sequence[Fact]) -> Sequence[Fact]:
    if len({fact.slot for fact in matches}) != 1:
        return matches
    return _best(matches, lambda fact: len(words & stems_in(fact.scope))) or matches


def _is_unclear(phrase: _Phrase, matches: Sequence[Fact]) -> bool:
    if phrase.way != "when":
        return len(matches) > 1
    kinds = [next(part for part in fact.parts if part in _MOMENTS) for fact in matches]
    return len(set(kinds)) < len(kinds)


def _fit_of(noun: frozenset[str], around: frozenset[str], fact: Fact) -> int:
    """Return how well a noun matches a fact, or 0 if it has a word that the fact lacks."""
    names = fact.names()
    every = frozenset[str]().union(*names) | _also(fact) | stems_in(fact.scope)
    foreign = noun - every - _GENERIC
    whole = all(name & noun for name in names)
    if foreign or not names:
        return 0
    if whole:
        return 10 + len(names) + all(_stems([part]) & noun for part in fact.parts)
    if len(names) > 1 and all(name & (noun | around) for name in names):
        return 9
    if names[-1] & noun or _also(fact) & noun or (fact.parts[-1] in _LOOSE and names[0] & noun):
        return 5 + _overlap(around | noun, fact)
    return 0


_LOOSE = frozenset({"name", "type"})
"""The last words of labels that people omit: `which restaurant` asks for the restaurant's name."""


def _overlap(words: frozenset[str], fact: Fact) -> int:
    return sum(bool(name & words) for name in fact.names()) + bool(_also(fact) & words)


def _also(fact: Fact) -> frozenset[str]:
    return _ALSO.get(fact.slot, frozenset())


def _best(facts: Sequence[Fact], score_of: Callable[[Fact], int]) -> list[Fact]:
    scores = [(score_of(fact), fact) for fact in facts]
    best = max((score for score, _ in scores), default=0)
    return [fact for score, fact in scores if score == best] if best > 0 else []
