"""Find names of people in names of devices and in paths: "Mira's iPhone", "/Users/mira"."""

import re

from benchloom.normalise.redaction.finders import TextFinder, spans_of
from benchloom.normalise.redaction.placeholders import is_stand_in

_DEVICE = (
    r"(?:iPhones?|iPads?|iPods?|iMac|MacBook(?:[ -]?(?:Pro|Air))?|Mac[ -]?(?:[Mm]ini|Studio|Pro)|"
    r"Apple[ -]?(?:Watch|TV)|AirPods|HomePod)"
)
_NO_NAMES = frozenset(
    {
        "to", "for", "from", "with", "find", "locate", "ping", "call", "use", "on", "via", "and",
        "or", "apple", "today", "it", "that", "this", "what", "here", "there", "where", "who",
        "let", "he", "she", "user", "users", "everyone", "anyone", "someone", "friend", "friends",
        "mom", "dad", "your", "my", "their", "our", "one", "how", "when", "why", "google",
        "samsung", "microsoft", "the", "now", "tomorrow", "owner", "kid", "kids", "child",
        "children", "people", "work", "apple's", "monday", "sunday", "world", "company",
        "student", "teacher", "boss", "uns", "meinem", "dir", "mir", "la", "las", "los", "le",
        "dem", "der", "een", "el", "al", "shared", "public", "default", "username", "yourname",
        "name", "admin", "root", "pi", "ubuntu", "runner", "linuxbrew", "me", "you",
    }
)  # fmt: skip
"""Words before a device that are not the name of a person."""
_NAME = rf"(?!(?i:{'|'.join(sorted(_NO_NAMES))})(?!\w))[A-Z\u00c0-\u00de][\w\u00c0-\u024f-]{{1,20}}"
_FORMS = (
    re.compile(
        rf"(?<![\w.])({_NAME}(?: {_NAME})?)"
        rf"(?:[\u2019'\u2018`\u02bc]s?|s[\u2019'])[ \u00a0-]{_DEVICE}(?!\w)"
    ),
    re.compile(
        rf"(?<!\w){_DEVICE}(?: \d{{1,2}})? (?:von|de|di|van|af|av|da) ({_NAME}(?: {_NAME})?)"
        r"(?!\w)"
    ),
    re.compile(r"(?<![\w.-])/(?:Users|home)/([A-Za-z][\w.-]{2,30})(?=[/\\])"),
    re.compile(r"\\Users\\{1,4}([A-Za-z][\w.-]{2,30}(?: [\w.-]{2,30}){0,2})(?=\\)"),
)
_MARK = re.compile(rf"{_DEVICE}|Users[/\\]|/home/")
_REACH = 128


def _is_name(word: str) -> bool:
    return _NO_NAMES.isdisjoint(word.lower().split()) and not is_stand_in(word)


FINDER = TextFinder(
    kinds=("device_owner",),
    hint=_MARK,
    anchors=(
        *("iphone", "ipad", "ipod", "imac", "macbook", "mac mini", "mac studio", "mac pro"),
        *("users", "/home/", "mac-", "watch", "apple tv", "airpods", "homepod"),
    ),
    find=spans_of("device_owner", *_FORMS, near=(_MARK, _REACH), is_value=_is_name),
)  # fmt: skip
