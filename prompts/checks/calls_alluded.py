"""Check that the text alludes to every API call of a plan."""

from collections import Counter
from functools import lru_cache

from prompts.checks import Check, Finding, dropped, passing
from prompts.checks._paraphrases import paraphrases, phrased
from prompts.language.statements import says
from prompts.language.words import POINTLESS, STOPWORDS, plain, stem, stem_set, title_words
from prompts.subject import Call, Subject

_FILLING = STOPWORDS | {stem(word) for word in STOPWORDS}
_EVERYWHERE = stem_set(
    "city date day time place location origin destination from to category first last"
)
_BOOKING = stem_set("book reserve order schedule arrange")
_DEALS = stem_set("book reserve order schedule buy play cancel")


def examine(subject: Subject) -> Finding:
    """Drops texts that contain no word, everyday phrase or value of one of the plan's API calls.

    Everyday verbs do not count, except verbs of buying or booking ("book", "buy"). They count only
    for a call that is the only one of the plan with the verb in its name.
    """
    said = {stem(word) for word in plain(subject.text).split()} - _FILLING
    said |= phrased(subject.text)
    own = [_stems(call.words) for call in subject.calls]
    deals = [_deals(call) | _name_stems(call) for call in subject.calls]
    holders = Counter(word_stem for stems in deals for word_stem in stems)
    for call, stems, verbs in zip(subject.calls, own, deals, strict=True):
        alone = {verb for verb in verbs if holders[verb] == 1}
        is_named = _names(call, stems, alone, said)
        if not is_named and not any(says(subject.text, value) for value in call.values):
            return dropped("call_not_alluded", f"nothing points at {call.words[0]}")
    return passing(f"{len(subject.calls)} calls alluded to")


@lru_cache(maxsize=4096)
def _stems(texts: tuple[str, ...]) -> frozenset[str]:
    """Return the stems of the words in texts, without stop words."""
    words = (word for text in texts for word in title_words(text).split())
    return frozenset(stem(word) for word in words) - _FILLING


def _deals(call: Call) -> frozenset[str]:
    """Return the stems of verbs of buying or booking in a call's name; "book" adds "reserve"."""
    verbs = _stems(call.words[1:2]) & _DEALS
    return verbs | _BOOKING if verbs & _BOOKING else verbs


def _name_stems(call: Call) -> frozenset[str]:
    """Return the stems of the words in the names of a call's parameters, such as "seats"."""
    names = (text for value in call.values for text in (value.name, value.label))
    return _stems(tuple(names)) - POINTLESS - _EVERYWHERE


def _names(call: Call, stems: frozenset[str], alone: set[str], said: set[str]) -> bool:
    telling = stems - POINTLESS
    if said & (alone | telling | paraphrases(frozenset(telling))):
        return True
    # API names are often written as one word: "findbus", "reserverestaurant".
    joined = [title_words(text).replace(" ", "") for text in call.words[:2]]
    return any(len(word) >= 3 and word in name for word in said - POINTLESS for name in joined)


CHECK = Check(
    name="calls_alluded",
    kinds=frozenset({"instruction", "nested"}),
    explains={"call_not_alluded": "The text does not refer to one of the calls of the plan."},
    examine=examine,
)
