"""Stopwords, word stems, and groups of words that refer to the same everyday service."""

from functools import lru_cache

import snowballstemmer

_STOPWORDS = (
    "a an the and or but if then else for of to in on at by with from into is are was were be "
    "been it its this that these those i me my we us our you your he she they them their what "
    "which who when where how can could would should will shall may might must do does did "
    "have has had not no so as some any all get make use new one app please want need help "
    "let also there here about out up"
)
STOPWORDS = frozenset(_STOPWORDS.split())
_VERBS = (
    "book find search reserve look check show set order give tell buy schedule start add "
    "create list see try take put name type time date number info information service user"
)

_RELATED = (
    "restaurant dine dining eat food dinner lunch breakfast table meal cuisine",
    "hotel stay lodging room accommodation check-in night",
    "house home stay apartment rental place",
    "flight fly plane airline airfare ticket",
    "bus coach ticket ride travel",
    "train rail ticket ride travel",
    "rental rent car hire vehicle pickup",
    "ride cab taxi car lift share drive",
    "movie film cinema theater showtime show watch",
    "media movie film play watch stream",
    "music song track album listen play tune",
    "event concert show game ticket match play",
    "bank money account balance transfer send pay",
    "payment pay money send request receive transfer",
    "calendar schedule event appointment meeting agenda",
    "alarm wake reminder clock",
    "weather forecast temperature rain sunny humidity wind",
    "doctor dentist therapist physician appointment medical health",
    "service salon stylist haircut appointment dentist doctor therapist provider",
    "message text chat share send location tell",
    "travel attraction visit sight trip tourist museum park",
    "translate translation language",
    "photo picture image camera",
    "timer countdown minute",
    "note memo write",
    "mail email send",
    "route direction map navigate walk drive",
)


def _stemmed(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split()) | frozenset(text.split())


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Strip the English endings of a lower-case word with the Snowball stemmer."""
    # A stemmer works in place on a word of its own: one per word serves threads, and words repeat.
    stemmed: str = snowballstemmer.stemmer("english").stemWord(word)
    return stemmed


_GROUPS = tuple(frozenset(group.split()) for group in _RELATED)


def related(stems: set[str]) -> set[str]:
    """Return all words of each synonym group whose first word matches one of the stems."""
    related_words: set[str] = set()
    for line, group in zip(_RELATED, _GROUPS, strict=True):
        head = stem(line.split(" ", 1)[0])
        if any(head in word or word == head for word in stems):
            related_words |= group
    return related_words


POINTLESS = STOPWORDS | _stemmed(_VERBS) | _stemmed(_STOPWORDS)
"""Words and stems that fit any call and therefore point at none."""
