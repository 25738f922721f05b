"""Check that a label or request is about its shortcut, with words that the shortcut contains."""

import re
from functools import lru_cache

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from benchloom.normalise.shortcuts.languages import english_confidence
from prompts.checks import Check, Finding, dropped, passing
from prompts.checks._paraphrases import paraphrases
from prompts.checks._supported import LEAST_CONFIDENCE, OTHER_SCRIPT, own_words, texts_about
from prompts.checks.placeholder_label import EMPTY
from prompts.language.actions import PHRASES
from prompts.language.words import plain, stem, stem_set, title_words
from prompts.subject import Subject

_SHORTEST = 3
_WORD = re.compile(rf"[a-z]{{{_SHORTEST},}}")
_GENERAL = stem_set(
    "show tell open copy work play list save find ask let turn read write choose current pick get "
    "say look put create send give take display see use start check add type text file link page "
    "word number value item content own each new first next last day time way left down back two "
    "three several many more much long short add enter return keep come stop contain "
    "today tomorrow right wrong end run pull push again once together between same different other "
    "still soon later early late minute hour week month year part person people friend yourself "
    "small big large high low best select option tap change set good bad real whole half thing "
    "split share property count combine match random code screen device download finder "
    "straight recent second"
)
"""General words, which occur in labels and actions about any subject."""
_SYNONYMS_TEXT = (
    "photo picture image camera video photograph wallpaper clip screenshot",
    "expense spending spend spent paid pay price cost amount euro money spese importo",
    "website site web url http page internet browser",
    "navigation map waze drive route location place directions address",
    "dictionary definition vocabulary pronounce phonetic meaning word wotd translate language",
    "flashlight torch blink flash",
    "spreadsheet table xls xlsx csv excel sheet",
    "game score player win guess",
    "encode decode base64 hash cipher encrypt scramble",
    "network wifi carrier router",
    "remind reminder alert notification timer alarm",
    "delete remove erase destroy clear shred",
    "position location latitude longitude coordinates",
    "encyclopedia wiki wikipedia baike",
)
_SYNONYMS = tuple(stem_set(text) for text in _SYNONYMS_TEXT)
_SERVICES = stem_set("mail email install pdf print upload translate weather alarm playlist invoice")
"""Words for services and results that have no other name, so that a shortcut about them contains
the word."""
_CLAIMS = _SERVICES | stem_set(
    "rain forecast album delete erase post publish book remind reminder timer vote wallpaper "
    "recipe grocery birthday presentation instagram lock week month"
)
"""Words for things that a label mentions only if its shortcut does them. A request may also mention
them as the user's reason."""
_PREFIX, _COGNATE = 4, 5
_SPELLED, _ALIKE, _COMMON = 1, 0.6, 0.35
"""Weights of a word of a label: if the shortcut has the same word, if it has a similar word, and if
the word is a general one."""
_LEAST, _LEAST_OF_LITTLE = 0.14, 0.1
"""Minimum average weight of a label's words. The second number is for shortcuts with little
text."""
_LEAST_IN_REQUESTS = 0.05
_LEAST_WORDS = 8
"""A service counts as missing only if the shortcut has at least this many different words."""
_LITTLE = 25
"""A shortcut with fewer different words than this has little text."""
_UNREADABLE = 3
"""A shortcut counts as not English if it has more than this many letters of another script per
Latin word."""


def examine(subject: Subject) -> Finding:
    """Drops a text whose words are hardly supported by the shortcut's texts, actions and apps.

    The text is a request, or a label (the name and description that a model gives a shortcut). A
    shortcut in another language has few words of an English label. So a smaller share of the words
    is enough for it, and for a shortcut that has few words.
    """
    is_label = subject.kind == "category"
    words = {stem(word): word for word in _WORD.findall(plain(subject.text))}
    target = _stems(_texts(subject))
    common = words.keys() & target & _GENERAL
    specific = [
        stemmed for stemmed, word in words.items() if stemmed not in _GENERAL and word not in EMPTY
    ]
    if not specific or not target:
        return passing("nothing to compare")
    supports = {word: _support(word, target) for word in specific}
    for word in specific:
        if (
            word in (_CLAIMS if is_label else _SERVICES)
            and not supports[word]
            and len(target) >= _LEAST_WORDS
        ):
            return dropped("foreign_service", f"nothing is about {words[word]!r}")
    author_words = own_words(subject)
    latin_words = set(_WORD.findall(author_words.lower()))
    if len(OTHER_SCRIPT.findall(author_words)) > _UNREADABLE * (len(latin_words) or 1):
        return passing("the target's own words are in another script")
    share = (_COMMON * len(common) + sum(supports.values())) / (len(specific) + len(common))
    evidence = f"little about {words[specific[0]]!r} and the like"
    has_little_text = len(target) < _LITTLE or english_confidence(author_words) < LEAST_CONFIDENCE
    if is_label and share < (_LEAST_OF_LITTLE if has_little_text else _LEAST):
        return dropped("unrelated_label", evidence)
    # The values that a request must state show its subject.
    if not (is_label or subject.required) and share < _LEAST_IN_REQUESTS:
        return dropped("unrelated_request", evidence)
    return passing(f"the target supports {share:.0%} of the words")


def _texts(subject: Subject) -> tuple[str, ...]:
    names = (name.removeprefix(SYSTEM_PREFIX) for name in subject.technical)
    return (*texts_about(subject), *(PHRASES[name] for name in names if name in PHRASES))


@lru_cache(maxsize=64)
def _stems(texts: tuple[str, ...]) -> frozenset[str]:
    spelled = (form for text in texts for form in (plain(text), title_words(text)))
    words = {word for form in spelled for word in _WORD.findall(form)} - EMPTY
    return frozenset(map(stem, words))


def _support(word: str, target: frozenset[str]) -> float:
    """Return how well a word is supported: 1 for the same word, less for a similar word, else 0.

    A similar word is a synonym, a word that contains the other one, or one with the same first
    letters.
    """
    if word in target:
        return _SPELLED
    alike = (
        word in paraphrases(target)
        or any(word in group and group & target for group in _SYNONYMS)
        or any(
            (len(word) >= _PREFIX and word in other)
            or (len(other) >= _PREFIX and word.startswith(other))
            or (min(len(word), len(other)) > _COGNATE and word[:_COGNATE] == other[:_COGNATE])
            for other in target
        )
    )
    return _ALIKE if alike else 0


CHECK = Check(
    name="unrelated_label",
    kinds=frozenset({"category", "query"}),
    explains={
        "unrelated_label": "The label is about another subject than the shortcut.",
        "foreign_service": "The text asks for a service that the shortcut does not use.",
        "unrelated_request": "The request is about another subject than the shortcut.",
    },
    examine=examine,
)
