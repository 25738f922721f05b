"""Decide whether a text states a boolean: "a shared ride" states `shared_ride=True`.

`shared_ride=False` is stated by "not shared" or "a private ride".
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from prompts.language.statements.hints import singular
from prompts.language.statements.items import Item, folded
from prompts.language.statements.reading import Reading
from prompts.language.statements.times import clocks_of
from prompts.language.words import stem, title_words, word_set
from prompts.subject import Value

TRUE = {"true", "false"}
_WEAK = word_set(
    "whether flag boolean indicating indicates if is are has have to be the a an of or not in "
    "on at for with allowed allows allow welcome service services option options offer offers "
    "serve serves add added include included includes good available availability require "
    "required requires should do does want wanted desired needed place property restaurant "
    "hotel house apartment flight booking reservation fare user this that it its they them as "
    "from by any enable enabled use used visibility entry ride unit house salon dentist movie "
    "transaction attraction seating passenger other trip fee show set get kid's like make ask "
    "wf check value state setting select choose list action"
)
_TOPICS = (
    "wifi wi-fi internet wireless online wlan",
    "pet dog cat animal puppy kitten pup pooch",
    "smoking smoke smoker cigarette cigar smokefree",
    "shared share sharing pool carpool pooled",
    "private privately secret hidden confidential discreet privacy",
    "nonstop direct directly stop layover stopover",
    "refundable refund refunded refunds",
    "insurance insured insure coverage cover uninsured",
    "vegetarian vegan veggie meatless plant-based",
    "alcohol alcoholic beer wine cocktail booze liquor drink",
    "outdoor outdoors outside patio terrace alfresco open-air",
    "furnished furniture furnishing furnishings unfurnished",
    "kid child children family toddler",
    "free complimentary gratis",
    "subtitle subtitled caption captioned captions",
    "laundry washer washing dryer laundromat",
    "garage carport",
    "luggage baggage bag suitcase",
    "redeye red-eye overnight",
    "cosmetic cosmetics aesthetic",
    "protection protected protect insurance",
    "unisex",
    "recurring repeat repeating recurrent",
    "notify notification alert notifications",
    "live",
    "music musician band concert",
    "additional extra excess more another",
    "multiple several many some few those all",
    "flashlight torch light lamp",
)
_OPPOSITES = {
    "shared": "private alone myself", "private": "public publicly visible everyone everybody",
    "nonstop": "layover stopover connecting connection transfer stop stops layovers",
    "refundable": "nonrefundable", "smoking": "smokefree", "furnished": "unfurnished empty",
    "insurance": "uninsured", "redeye": "daytime", "outdoor": "indoor indoors inside",
    "public": "private privately secret", "free": "paid", "indoor": "outdoor outdoors",
    "on": "off", "live": "recorded",
}  # fmt: skip
_COSTS = {"to", "pay", "paying", "charge", "cost", "fee", "fees", "admission", "needn't"}
"""Words that mean "free of charge" only if they are negated, as in "no fee"."""
_ONE_PERSON_WORDS = {"myself", "alone"}
_PHRASES = {
    "free": ("free of charge", "for free"),
    "refundable": ("money back",),
    "nonstop": ("non stop", "without any stops", "without stops", "no stops", "without stopping"),
    "private": ("nobody else should see", "no one else should see", "only me to see"),
    "redeye": ("red eye",),
    "wifi": ("wi fi",),
    "outdoor": ("open air", "al fresco", "in the open"),
    "unisex": ("men and women", "any gender"),
    "shared": ("with others", "with other people", "with other passengers"),
}  # fmt: skip
_AGAINST = {
    "shared": ("just for me", "to myself", "by myself", "my own", "only for me", "only me"),
    "refundable": ("final sale",),
    "private": ("visible to everyone", "anyone can see", "everyone can see", "anybody can see"),
    "free": (
        "entrance fee", "entry fee", "admission fee", "to pay", "pay to", "paying", "charge",
        "cost", "fee", "fees", "admission", "needn't pay",
    ),
    "smoking": ("smoke free",),
}  # fmt: skip
_NOT = word_set(
    "not no never without don't doesn't isn't aren't won't can't cannot needn't nor neither skip "
    "avoid decline hate rather wouldn't shouldn't nobody none disable dont didn't non un forgo "
    "hide except off remove nothing kill shut"
)
_UNDONE = {"mind", "forget", "hesitate", "only", "matter", "problem", "problems", "issue"}
_AFTER = {"not", "isn't", "aren't", "off", "false", "no", "unnecessary", "don't", "doesn't"}
_BREAKS = {".", ";", ",", "!", "?", "but", "\u2026"}
_BACK, _ON, _NEAR = 6, 3, 6
"""Maximum words between a feature and a negation before it, between a feature and a negation after
it, and between the words of a feature's name."""


_YES_NO_LABEL = re.compile(
    r"(?<=\w) yes(?: or)? no$|^(?:turn |switch )(?=.* on off$)|(?<=\w) on off$"
)
"""Matches yes-no phrases in names of switches: "pets allowed, yes or no", "turn subtitles on
off"."""


class Topic(msgspec.Struct, frozen=True):
    """The feature that a switch turns on or off.

    `heads` are the main words of its name, and `parts` the synonyms of each of these words.
    """

    parts: tuple[frozenset[str], ...]
    heads: tuple[str, ...]


@lru_cache(maxsize=1024)
def topic_of(entry: Value) -> Topic:
    """Derive the feature that a switch controls from its name, or from its label.

    The parameter's description is used if name and label have no usable word.
    """
    for text in (entry.name, entry.label, entry.about):
        topic_text = _YES_NO_LABEL.sub("", folded(title_words(text)))
        words = [word for word in topic_text.split() if word not in _WEAK]
        if "stops" in words or "direct" in words:
            words = ["nonstop"]
        if words:
            return Topic(tuple(_synonyms(word) for word in words), tuple(map(_head, words)))
    return Topic((), ())


def states_switch(reading: Reading, expected: bool, entry: Value) -> bool:
    """Whether a text asks for a switch to be on (if `expected`) or to be off.

    To state that the switch is on, the text must mention the feature ("a shared ride"). To state
    that it is off, the text must deny the feature ("a private ride").
    """
    if not expected and "all day" in title_words(entry.name) and clocks_of(reading.plain):
        return True
    topic = topic_of(entry)
    if not topic.parts:
        return expected or any(item.word == str(expected).casefold() for item in reading.plain)
    return any(denied is not expected for denied in _mentions(reading, topic))


def _mentions(reading: Reading, topic: Topic) -> Iterator[bool]:
    """Yield for each mention of a topic whether the mention is negated."""
    items = [item for item in reading.plain if item.word not in "-\u2018'\"()" or item.word == ""]
    words = [item.word for item in items]
    head = topic.heads[0]
    if len(topic.heads) == 1:
        yield from _by_phrase(items, _PHRASES.get(head, ()), denies=False)
        yield from _by_phrase(items, _AGAINST.get(head, ()), denies=True)
    against = set(_OPPOSITES.get(head, "").split()) if len(topic.heads) == 1 else set()
    positions = [{i for i, word in enumerate(words) if _hits(word, part)} for part in topic.parts]
    if not all(positions):
        positions = [set()]
    for i in sorted(positions[0]):
        if head == "free" and not _costs_nothing(words, i):
            continue
        if any(others.isdisjoint(range(i - _NEAR, i + _NEAR + 1)) for others in positions[1:]):
            continue
        if words[i] in against:
            continue
        reverse = words[i].startswith("un") and _hits(words[i][2:], topic.parts[0])
        yield _is_denied(items, i) != (reverse or words[i] == "smokefree")
    if positions[0]:
        # "A shared ride just for myself" is shared all the same.
        against -= _ONE_PERSON_WORDS
    for i, word in enumerate(words):
        if word in against and not (word in {"stop", "stops"} and _zero(words, i)):
            denied = _is_denied(items, i)
            yield not denied
        elif word.startswith("non") and len(word) > 6 and _hits(word[3:], topic.parts[0]):
            yield head != "nonstop"


def _zero(words: Sequence[str], i: int) -> bool:
    return bool({"no", "non", "without", "zero", "any"} & set(words[max(0, i - 2) : i]))


def _costs_nothing(words: Sequence[str], i: int) -> bool:
    """Whether "free" is about a price, unlike in "I am free on Monday" and "feel free"."""
    before = words[i - 1] if i else ""
    after = words[i + 1] if i + 1 < len(words) else ""
    if before == "are" and i > 1 and words[i - 2] in {"we", "you"}:
        return False
    return before not in {"am", "i'm", "feel", "i", "we're", "you're"} and (
        after not in {"on", "at", "time", "tomorrow", "wifi", "wi", "parking", "breakfast", "of"}
    )


def _by_phrase(items: Sequence[Item], phrases: tuple[str, ...], *, denies: bool) -> Iterator[bool]:
    words = [item.word for item in items]
    for phrase in phrases:
        sought = phrase.split()
        for i, word in enumerate(words):
            if word == sought[0] and words[i : i + len(sought)] == sought:
                if denies and "free" in words[max(0, i - 2) : i]:
                    continue
                denied = _is_denied(items, i) or word == "needn't"
                is_question = {"is", "there"} <= set(words[max(0, i - 4) : i])
                if denied or not (is_question or sought[0] in _COSTS):
                    yield denies != denied


def _is_denied(items: Sequence[Item], i: int) -> bool:
    """Whether a negation precedes item `i` in its clause, or directly follows the item."""
    for j in range(i - 1, max(-1, i - 1 - _BACK), -1):
        word = items[j].word
        if word in _BREAKS:
            break
        if word in _NOT:
            following = {item.word for item in items[j + 1 : i]}
            return not following & _UNDONE
    for j in range(i + 1, min(len(items), i + 1 + _ON)):
        word = items[j].word
        if word in _BREAKS or word in {"and", "or", "with"}:
            break
        if word in _AFTER:
            return True
        if word == "free" and items[j].glued:
            return True
    return False


def _hits(word: str, part: frozenset[str]) -> bool:
    return word in part or singular(word) in part or stem(word) in part


@lru_cache(maxsize=2048)
def _synonyms(word: str) -> frozenset[str]:
    synonyms = {word, singular(word), stem(word)}
    for group in _TOPICS:
        names = group.split()
        if {word, singular(word)} & set(names):
            synonyms.update(names)
            synonyms.update(name.replace("-", "") for name in names)
    return frozenset(synonyms)


def _head(word: str) -> str:
    for group in _TOPICS:
        names = group.split()
        if word in names or singular(word) in names:
            return names[0]
    return word
