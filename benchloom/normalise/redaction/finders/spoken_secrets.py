"""Secrets after words that announce them: "my password is ...", "the key for the map: ...".

The finder `assignments` covers texts of the form `name=value`. A password is any word that
contains a digit or a sign, a code has at least three digits, and a key is long and mixes
letters and digits.
"""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import (
    Span,
    TextFinder,
    any_of,
    changes_of_kind,
    folded,
    matches,
    parts_near,
)
from benchloom.normalise.redaction.finders._names import (
    CODE_STEMS,
    CODES,
    EDGE,
    NUMBER_STEMS,
    NUMBERS,
    PASSWORD_STEMS,
    PASSWORDS,
    PHRASES,
    SECRET_STEMS,
    is_personal_number,
)
from benchloom.normalise.redaction.placeholders import is_stand_in

_IS = (
    r"(?:[\"'\\]{0,4}\s{0,2}(?:=>|->|[:=\u2192\u2013\u2014\uff1a])\s{0,3}"
    r"|\s(?:is|are|was|ist|lautet|est|es|è|é|это)\s{0,2}[:=]?\s{0,2}|(?:是|为|為|は)\s?)"
)
"""Between a name and its value."""
_OF = r"\s(?:of|for|to|on|at|from|für|vom?|zu[mr]|de[rs]?|du|del|da|pour|para|для|от)\s"
_QUOTE = "[\"'\u201c\u2018`]"
_PASSWORD = re.compile(
    rf"(?:{PASSWORDS}|{EDGE}(?:clave|pass(?=\s?[:=])))s?"
    rf"(?:{_OF}[^\n:=.!?]{{1,40}}?|\s\([^)\n]{{1,30}}\))?"
    rf"(?:{_IS}|\s){_QUOTE}?([^\s\"'\u201d\u2019`\ufffc<>\[\]{{}}]{{4,80}})"
)
_LOGIN = re.compile(
    rf"{EDGE}(?:log-?in|credentials|zugangsdaten|identifiants|credenziali|credenciales){_IS}"
    r"[^\s:/]{2,40}\s?[:/]\s?([^\s\"'\u201d\u2019`\ufffc<>\[\]{}]{4,80})"
)
_CODE = re.compile(
    rf"(?:{CODES}|{EDGE}(?:pin|combination))"
    rf"(?:{_OF}[^\n:=.!?\d]{{1,30}}?)?"
    rf"(?:{_IS}[\"'\u201c#*]{{0,2}}(\d[\d -]{{1,12}}\d)(?![\w%.:/-]*\d)"
    r"|\s{1,2}(?:#|no\.?\s)?(\d[\d -]{1,12}\d)(?=\s*(?:$|[\n.,;!?)\"'])))"
)
_NUMBER = re.compile(
    rf"(?:{NUMBERS})\.?(?:{_IS}|\s)"
    r"((?:[a-z]{1,2} )?[a-z0-9./-]{0,30}\d[a-z0-9./-]{0,30}(?: \d[\da-z]{0,5}){0,8}"
    r"(?: [a-z](?!\w))?)"
)
_PHRASE = re.compile(rf"(?:{PHRASES})(?:{_IS}|[\s/])((?:[a-z]{{3,8}},? ){{11,23}}[a-z]{{3,8}})")
_KEY = re.compile(
    r"(?:(?:keys?|tokens?|secrets?|credentials?|\bapi|schlüssel|clé|clave|chave|ключ|токен)\b|令牌|密钥)"
    rf"(?:{_OF}[^\n:=]{{1,48}}?|\s?\([^)\n]{{1,40}}\)|"
    r"(?:\s(?!(?:is|are)\s)[\w\u2019']{1,12}){1,4}?)?"
    rf"(?:{_IS}|\s{{1,2}})(?:{_QUOTE}|[<(])?([a-z0-9][a-z0-9_.~+/=:-]{{15,400}})"
)
_IN_PATH = re.compile(r"/(?:api[_-]?)?(?:key|token|secret|auth)s?/([a-z0-9][a-z0-9_.~-]{15,400})")
_LABELLED_PATH = re.compile(rf"(?:{PASSWORDS}|{CODES}|{NUMBERS})s?/([^/?&#\s\"']{{4,80}})")
_OPTION = re.compile(
    r"(?:sshpass|docker login|mysql(?:dump|admin)?|mariadb|7z|redis-cli)\b[^\n|;]{0,80}?"
    rf" -(?:pass|[pa])\s?{_QUOTE}?([^\s\"'\u201d\u2019`\ufffc<>$\[\]{{}}]{{4,80}})"
)
_MARK = re.compile(
    any_of(
        (
            rf"{SECRET_STEMS}|api\b|clave|clé|chave|ключ|токен|令牌|密钥|log-?in|zugangsd|identifiants|"
            r"credenzial|credencial|docker login|mysql|mariadb|7z|redis-cli"
        ).split("|")
    )
)
"""Every match contains one of these, in the folded text."""
_VALUE = re.compile(r"\d|\w[!#%&*?@$^+~]\w")
"""A text without a digit, or a sign inside a word, has only a phrase."""
_REACH = 640
_TRAILING = ".,;:!?)>\"'\u201d\u2019"
_WORDS = re.compile(r"[a-z-]+|[A-Z][a-z]+")
_LINK = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}:|www\.|\S{1,60}\.(?:com|org|net|io|html?|json|txt)\b", re.IGNORECASE
)


def _is_password(value: str) -> bool:
    if _LINK.match(value) or "(" in value:
        return False
    if any(character.isdigit() for character in value):
        return not value.isdigit() or len(value) >= 4
    return len(value) >= 6 and any(character in "!#%&*?@$^+~" for character in value[:-1])


def _is_option(value: str) -> bool:
    return _is_password(value) or changes_of_kind(value) > 3


def _is_code(value: str) -> bool:
    return 3 <= sum(character.isdigit() for character in value) <= 10


def _is_key(value: str) -> bool:
    if _LINK.match(value) or "//" in value or value.count(".") > 4:
        return False
    digits = sum(character.isdigit() for character in value)
    words = [part for part in re.split(r"[^A-Za-z0-9]", value) if part]
    longest = max(words, key=len, default="")
    if digits < 3 and changes_of_kind(longest) <= len(longest) / 3:
        return False
    return digits > 0 and len(longest) >= 12 and not all(map(_WORDS.fullmatch, words))


_FORMS = (
    (_PASSWORD, re.compile(any_of(f"{PASSWORD_STEMS}|clave".split("|"))), _is_password),
    (_LOGIN, re.compile(r"login|log-in|creden|zugangsd|identifiants"), _is_password),
    (_CODE, re.compile(any_of(CODE_STEMS.split("|"))), _is_code),
    (_NUMBER, re.compile(any_of(NUMBER_STEMS.split("|"))), is_personal_number),
    (_PHRASE, re.compile("phrase|words|mnemonic"), bool),
    (_KEY,
     re.compile(r"(?:keys?|tokens?|secrets?|credentials?|api|schlüssel|clé|clave|chave|ключ|токен)\b|令牌|密钥"),
     _is_key),
    (_LABELLED_PATH, re.compile(any_of(f"{PASSWORD_STEMS}|{CODE_STEMS}|{NUMBER_STEMS}".split("|"))),
     _is_password),
    (_OPTION, re.compile("sshpass|docker login|mysql|mariadb|7z|redis-cli"), _is_option),
    (_IN_PATH, re.compile(r"(?:key|token|secret|auth)s?/"), _is_key),
)  # fmt: skip
"""Each form, a mark that all its matches contain, and the test of its value."""


def _find(text: str) -> Iterable[Span]:
    low = folded(text)
    for pattern, mark, is_value in _FORMS:
        for match in matches(pattern, low, parts_near(mark, low, _REACH)):
            start, end = match.span(match.lastindex or 0)
            value = text[start:end].rstrip(_TRAILING)
            if value and not is_stand_in(value) and is_value(value):
                yield Span(start, start + len(value), "spoken_secret")


FINDER = TextFinder(
    kinds=("spoken_secret",),
    hint=_MARK,
    folded=True,
    glance=lambda text, low: any((_VALUE.search(text), _PHRASE.search(low), _OPTION.search(low))),
    find=_find,
    in_rendered=False,
    general=("spoken_secret",),
)
