"""Secrets that follow words for them: "my password is ...", "the key for the map: ...".

The finder `assignments` covers texts of the form `name=value`. A password is any word that
contains a digit or a sign, a code has at least three digits, and a key is long and mixes
letters and digits.
"""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finder import Span, TextFinder, folded, matches, parts_near
from benchloom.normalise.redaction.finders._randomness import changes_of_kind
from benchloom.normalise.redaction.placeholders import is_stand_in

_IS = (
    r"(?:\s{0,2}(?:=>|->|[:=\u2192\u2013\u2014\uff1a])\s{0,3}"
    r"|\s(?:is|are|was|ist|lautet|est|es|è|é)\s{0,2}[:=]?\s{0,2})"
)
"""Between a name and its value."""
_OF = r"\s(?:of|for|to|on|at|from|für|von|de|du|del|da|pour|para)\s"
_QUOTE = "[\"'\u201c\u2018`]"
_PASSWORD = re.compile(
    r"(?:pass(?:word|wort|code|phrase|wd)|kennwort|mot de passe|contrase[ñn]a|senha|wachtwoord|"
    r"parola|hasło|пароль|密码|密碼|パスワード|비밀번호)s?"
    rf"(?:{_OF}[^\n:=.!?]{{1,40}}?|\s\([^)\n]{{1,30}}\))?"
    rf"(?:{_IS}|\s){_QUOTE}?([^\s\"'\u201d\u2019`\ufffc<>\[\]{{}}]{{4,80}})"
)
_LOCKS = (
    r"(?:door|gate|garage|alarm|building|house|home|entry|entrance|access|lock|safe|locker|"
    r"security|pass|key ?pad|key ?box|lock ?box|unlock|voicemail|"
    r"office|elevator|card|atm|sim|parking|wi-?fi|"
    r"guest|gym|bike|tür|haus|tor|garagen|zugangs)[ -]?(?:code|pin|combination|combo)"
)
_CODE = re.compile(
    rf"(?:{_LOCKS}|\bpin(?:[ -]?(?:code|number))?|\bpuk|combination|"
    r"code (?:de|du|d[\u2019']) ?(?:la |l[\u2019'])?(?:porte|portail|alarme|immeuble)|"
    r"c[óo]digo de (?:la )?(?:puerta|alarma|entrada))"
    rf"(?:{_OF}[^\n:=.!?\d]{{1,30}}?)?"
    rf"(?:{_IS}[\"'\u201c#*]{{0,2}}(\d[\d -]{{1,12}}\d)(?![\w%.:/-]*\d)"
    r"|\s{1,2}(?:#|no\.?\s)?(\d[\d -]{1,12}\d)(?=\s*(?:$|[\n.,;!?)\"'])))"
)
_KEY = re.compile(
    r"(?:keys?|tokens?|secrets?|credentials?|\bapi|schlüssel|clé|clave|chave)\b"
    rf"(?:{_OF}[^\n:=]{{1,48}}?|\s?\([^)\n]{{1,40}}\)|"
    r"(?:\s(?!(?:is|are)\s)[\w\u2019']{1,12}){1,4}?)?"
    rf"(?:{_IS}|\s{{1,2}})(?:{_QUOTE}|[<(])?([a-z0-9][a-z0-9_.~+/=:-]{{15,400}})"
)
_IN_PATH = re.compile(r"/(?:api[_-]?)?(?:key|token|secret|auth)s?/([a-z0-9][a-z0-9_.~-]{15,400})")
_MARK = re.compile(
    r"pass[wcp]|kennwort|mot de passe|contrase|senha|wachtwoord|parola|hasło|пароль|密码|密碼|"
    r"パスワード|비밀번호|code\b|pin\b|puk\b|combination|combo\b|código de|token(?<!wftexttoken)|"
    r"key(?<!wfkey)(?<!dictionarykey)s?\b|secret|credential|api\b|schlüssel|clé\b|clave\b|chave\b|auth/"
)
"""Every match contains one of these, in the folded text."""
_VALUE = re.compile(r"\d|\w[!#%&*?@$^+~]\w")
"""A text without a digit, or a sign inside a word, has no match."""
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
    (_PASSWORD,
     re.compile("pass[wcp]|kennw|mot de|contras|senha|wachtw|parola|hasł|парол|密|パス|비밀"),
     _is_password),
    (_CODE, re.compile(r"code\b|pin\b|puk\b|comb|digo"), _is_code),
    (_KEY, re.compile(r"(?:keys?|tokens?|secrets?|credentials?|api|schlüssel|clé|clave|chave)\b"),
     _is_key),
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
    glance=lambda text, _low: _VALUE.search(text) is not None,
    find=_find,
    in_rendered=False,
)
