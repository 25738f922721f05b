"""Secrets behind a label in a text: `api_key = ...`, "my password is ...", "PIN 4711".

A name to which something is assigned is judged as the name of a field. In sentences a password is
any word that contains a digit or a sign, a code has at least three digits, and a key is long and
mixes letters and digits.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from benchloom.normalise.redaction.finders import (
    Span,
    TextFinder,
    changes_of_kind,
    folded,
    matches,
    parts_near,
)
from benchloom.normalise.redaction.finders._labels import (
    CODE_STEMS,
    CODES,
    DATE,
    EDGE,
    KEY_STEMS,
    KEYS,
    LOGIN_STEMS,
    LOGINS,
    NAMES,
    NUMBER_STEMS,
    NUMBERS,
    PASSWORD_STEMS,
    PASSWORDS,
    PHRASE_STEMS,
    PHRASES,
    hint,
)
from benchloom.normalise.redaction.finders._names import (
    LABELS,
    NAME_HINT,
    SECRET_HINT,
    is_personal_number,
    secret_kind,
)
from benchloom.normalise.redaction.placeholders import is_stand_in

_VERB = r"is(?: now)?|are|was|will be|changed to|now|ist|lautet|heißt|est|es|è|é|är|er|jest|это"
_SIGN = (
    r"(?:\s?\([^()\n]{1,30}\))?(?:\\{0,3}[\"'\u201d\u2019`*_\]]{1,3})?\s{0,3}"
    r"(?:=>|[-\u2013—]?>{1,2}|[:=\uff1a→⇒|\u2013—…]|\.{3}|(?<=\s)-(?=\s)|#(?=\w)|(?<=[\]*])(?=\s)|"
    rf"(?<=\s)(?:{_VERB})(?=\s)|[は是为為은는]|\((?=[^()\n]{{4,40}}\))|"
    r"(?<=\s)(?=[\w#*-]*\d[\w#*-]*(?:[ -][\d-]{1,8}){0,4}[.!]?\s*(?:\n|$)))[*_]{0,2}\s{0,3}"
)
"""Between name and value; quotes may be escaped, as in JSON inside a text."""
_ASSIGNED = re.compile(rf"(?:{NAME_HINT.pattern})[\w' -]{{0,30}}?({_SIGN})")
"""Searched in the folded text."""
_NAME = re.compile(r" {0,4}([\w'-]*(?: [\w'.-]+){0,5})")
"""Matched backwards from the end of the name, because its start is unknown."""
_FOR = re.compile(
    r"\s(?:of|for|to|on|at|from|fürs?|vom?|zu[mr]|beim|[ia]m|ins?|de[rslm]?|du|del(?:la?|lo)?|"
    r"d[aoi]|pour|para|per|sur|en|van|voor|op|til|för|od|do|dla|на|для|от|к|на|до)\s"
)
_LONGEST_NAME = 64
_LONGEST_BARE = 2000
_DIGIT = re.compile(r"\d")
_QUOTED = re.compile(r"\\{0,3}[\"'\u201c]([^\"'\u201d\n\ufffc\[{<$\\]{3,2000})\\{0,3}[\"'\u201d]")
_BARE = re.compile(r"([^\s\"'\ufffc\[\]{}<$(,;&\\]{4,2000})")
_NUMBER_FORM = (
    rf"({DATE}|(?!(?:i[nlm]|a[mt]|on|to|of|le|el) )"
    r"(?:[a-z]{1,3}[ -])?(?:[a-z]{1,2} )?[a-z0-9./-]{0,30}\d[a-z0-9./-]{0,30}"
    r"(?: \d[\da-z]{0,5}){0,8}(?: [a-z]{1,3}(?=\s*(?:$|[\n.,;!?)\"'])))?)"
)
_CODE_FORM = r"([#*]?[a-f]?\d[\d #*-]{1,12}\d[a-f*#]?(?![\w%.:/-]*\d)|[a-z0-9#*-]{4,40}(?!\w))"
_FORMS_BY_KIND = {
    "personal_number": re.compile(_NUMBER_FORM, re.IGNORECASE),
    "access_code": re.compile(_CODE_FORM, re.IGNORECASE),
}
_PLAIN_WORDS = re.compile(r"([^\W\d_]{4,24}(?:[ -][^\W\d_]{4,16}){0,5})[!.]?[ \t]*(?:\n|\Z)")
"""A password of words, up to the end of its line."""
_NO_PLAIN_WORDS = re.compile(
    r"(?i)(?:\w+(?:ed|ing|able|ible|ful|ten|iert|lich|ato|ado|ado|ée?)|required|wrong|correct|"
    r"incorrect|empty|missing|none|null|unknown|here|text|string|number|boolean|optional|mandatory|"
    r"valid|invalid|strong|weak|same|different|reset|change|enter|type|your|with|must|please|this|"
    r"that|from|when|please|forgot|forget|show|hide|copy|paste|open|save|saved|name|user|username|"
    r"email|login|logout|sign|false|true|void|varchar|char|default|example|sample|test|yours|mine|"
    r"manager|generator|settings?|keychain|pflicht|falsch|richtig|leer|hier|eingeben|anzeigen|"
    r"siehe|obligatoire|incorrecte?|requise?|vide|votre|requerid[ao]|incorrecta|aquí|vacío|"
    r"obrigatória|richiesta|errata|verplicht|vergeten|password|passwort|contraseña|senha|input|"
    r"private|hidden|secret|secure|masked|plain|field|value|asks?|later|never|always|only|also)"
)
_SOURCE_CODE = re.compile(
    r"[\w.]+\(|(?:await|new|return|function|document|window|this|self|args|input)\b|https?:|//"
    r"|[A-Za-z_]+(?:\.[A-Za-z_]+)+;?$|[a-z][a-z0-9+.-]{1,20}://|(?:app-)?prefs:"
)


def _assigned(text: str, low: str) -> Iterator[Span]:
    position = digit = 0
    while (assigned := _ASSIGNED.search(low, position)) is not None:
        position = assigned.end()
        before = text[max(0, assigned.start() - _LONGEST_NAME) : assigned.start(1)]
        kind = _kind_of_name(before)
        if kind is None:
            continue
        label = LABELS[kind]
        quoted = _QUOTED.match(text, position)
        if quoted is None and label.needs_digit:
            # Bare values without a digit are words: a run of names is not read at each of them.
            digit = digit if digit >= position else _next_digit(text, position)
            if digit - position > _LONGEST_BARE:
                continue
        is_verb = assigned[1].strip().isalpha()
        words = None if label.needs_digit else _PLAIN_WORDS.match(text, position)
        if words is not None and _are_password(words[1]) and assigned[1].strip() in ":=\uff1a":
            yield Span(words.start(1), words.end(1), kind)
            continue
        value_match = quoted or _FORMS_BY_KIND.get(kind, _BARE).match(text, position)
        if value_match is None:
            continue
        value = value_match[1].rstrip(_TRAILING)
        if not value or is_stand_in(value):
            continue
        is_shaped = quoted is not None or _is_bare(value, needs_digit=label.needs_digit or is_verb)
        if is_shaped and label.is_value(value):
            yield Span(value_match.start(1), value_match.start(1) + len(value), kind)
            position = value_match.end()


def _kind_of_name(before: str) -> str | None:
    match = _NAME.match(before[::-1])
    if match is None:
        return None
    name = match[1][::-1].strip()
    return secret_kind(name) or secret_kind(_FOR.split(name, maxsplit=1)[0])


def _are_password(words: str) -> bool:
    return not any(map(_NO_PLAIN_WORDS.fullmatch, words.split()))


def _is_bare(value: str, *, needs_digit: bool) -> bool:
    is_word = value.isalpha() and changes_of_kind(value) <= len(value) / 3
    has_sign = not (needs_digit or is_word)
    return (has_sign or _DIGIT.search(value) is not None) and _SOURCE_CODE.match(value) is None


def _next_digit(text: str, position: int) -> int:
    match = _DIGIT.search(text, position)
    return match.start() if match is not None else len(text) + _LONGEST_BARE + 1


_IS = (
    r"(?:[\"'\\]{0,4}\s{0,2}(?:=>|->|[:=\u2192\u2013\u2014\uff1a])\s{0,3}"
    r"|\s(?:is|are|was|ist|lautet|heißt|est|es|è|é|är|er|to|jest|это)\s{0,2}[:=]?\s{0,2}"
    r"|(?:是|为|為|は|은|는)\s?)"
)
"""Between a name and its value."""
_OF = (
    r"\s(?:of|for|to|on|at|from|fürs?|vom?|zu[mr]|beim|[ia]m|ins?|my|de[rslm]?|du|del(?:la?|lo)?|d[aoi]|"
    r"das|pour|para|per|sur|en|nel|al|van|voor|op|til|för|od|do|dla|na|для|от|к|на|до)\s"
)
_QUOTE = "[\"'\u201c\u2018`]"
_PASSWORD = re.compile(
    rf"(?:{PASSWORDS}|{EDGE}(?:clave|pass(?=\s?[:=])))s?"
    rf"(?:{_OF}[^\n:=.!?]{{1,40}}?|\s\([^)\n]{{1,30}}\))?"
    rf"(?:{_IS}|\s(?=\S{{0,80}}?(?:\d|[!#$%&*?@^+~]\w)))"
    rf"{_QUOTE}?([^\s\"'\u201d\u2019`\ufffc<>\[\]{{}}]{{4,80}})"
)
_LOGIN = re.compile(
    rf"(?:{LOGINS}){_IS}(?!\d+[:/])"
    r"[^\s:/]{2,40}\s?[:/]\s?([^\s\"'\u201d\u2019`\ufffc<>\[\]{}]{6,80})"
)
_CODE = re.compile(
    rf"(?:{CODES}|{EDGE}(?:pin|puk|combination|kombination|combinaison|combinación|combinazione))"
    rf"(?:{_OF}[^\n:=.!?\d]{{1,30}}?)?"
    rf"(?:{_IS}[\"'\u201c#*]{{0,2}}(\d[\d -]{{1,12}}\d[a-f*#]?|\d[\da-f]{{3,7}}(?!\w))"
    r"(?![\w%.:/-]*\d)|\s{1,2}(?:#|no\.?\s)?(\d[\d -]{1,12}\d|\d[\da-f]{3,7})"
    r"(?=\s*(?:$|[\n.,;!?)\"']))|\s{1,2}(\d{3,8}[#*]))"
)
_NUMBER = re.compile(rf"(?:{NUMBERS})\.?(?:{_OF}[^\n:=.!?\d]{{1,30}}?)?(?:{_IS}|\s){_NUMBER_FORM}")
_PHRASE = re.compile(
    rf"(?:{PHRASES})(?:{_OF}[^\n:=.!?]{{1,30}}?)?(?:{_IS}|[\s/])"
    r"((?:[a-z]{3,8},? ){11,23}[a-z]{3,8})"
)
_KEY = re.compile(
    rf"(?:{KEYS})"
    rf"(?:{_OF}[^\n:=]{{1,48}}?|\s?\([^)\n]{{1,40}}\)|"
    r"(?:\s(?!(?:is|are)\s)[\w\u2019']{1,12}){1,4}?)?"
    rf"(?:{_IS}|\s{{1,2}})(?:{_QUOTE}|[<(])?([a-z0-9][a-z0-9_.~+/=:-]{{15,400}})"
)
_IN_PATH = re.compile(r"/(?:api[_-]?)?(?:key|token|secret|auth)s?/([a-z0-9][a-z0-9_.~-]{15,400})")
_PASSWORD_PATH, _NUMBER_PATH = (
    re.compile(rf"(?:{label})s?/([^/?&#\s\"']{{4,80}})")
    for label in (f"{PASSWORDS}|{CODES}", NUMBERS)
)
_OPTION = re.compile(
    r"(?:sshpass|docker login|mysql(?:dump|admin)?|mariadb|7z|redis-cli)\b[^\n|;]{0,80}?"
    rf" -(?:pass|[pa])\s?{_QUOTE}?([^\s\"'\u201d\u2019`\ufffc<>$\[\]{{}}]{{4,80}})"
)
_TOOLS = hint(("sshpass", "docker login", "mysql", "mariadb", "7z", "redis-cli"))
_MARK = hint(LOGIN_STEMS, KEY_STEMS, ("docker login", "mysql", "mariadb", "7z", "redis-cli"))
"""Every match of a form whose mark is not in `SECRET_HINT` contains one of these."""
_VALUE = re.compile(r"\d|\w[!#%&*?@$^+~]\w")
"""A text without a digit, or a sign inside a word, has only a phrase."""
_REACH = 640
_TRAILING = ".,;:!?)>\"'\u201d\u2019"
_WORDS = re.compile(r"[a-z-]+|[A-Z][a-z]+")
_GROUPS = re.compile(r"(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}")
"""The key of a licence."""
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
    return _is_password(value) or changes_of_kind(value) > 1


def _is_code(value: str) -> bool:
    return 3 <= sum(character.isdigit() for character in value) <= 10


def _is_key(value: str) -> bool:
    if _LINK.match(value) or "//" in value or value.count(".") > 4:
        return False
    if _GROUPS.fullmatch(value):
        return True
    digits = sum(character.isdigit() for character in value)
    words = [part for part in re.split(r"[^A-Za-z0-9]", value) if part]
    longest = max(words, key=len, default="")
    if digits < 3 and changes_of_kind(longest) <= len(longest) / 3:
        return False
    return digits > 0 and len(longest) >= 12 and not all(map(_WORDS.fullmatch, words))


def _before_slash(*stems: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:{hint(*stems).pattern})[^/\n]{{0,24}}/")


_FORMS = (
    (_PASSWORD, hint(PASSWORD_STEMS, ("clave",)), _is_password),
    (_LOGIN, hint(LOGIN_STEMS), _is_password),
    (_CODE, hint(CODE_STEMS), _is_code),
    (_NUMBER, hint(NUMBER_STEMS), is_personal_number),
    (_PHRASE, hint(PHRASE_STEMS), bool),
    (_KEY, hint(KEY_STEMS), _is_key),
    (_PASSWORD_PATH, _before_slash(PASSWORD_STEMS, CODE_STEMS), _is_password),
    (_NUMBER_PATH, _before_slash(NUMBER_STEMS), is_personal_number),
    (_OPTION, _TOOLS, _is_option),
    (_IN_PATH, re.compile(r"(?:key|token|secret|auth)s?/"), _is_key),
)
"""Each form, a mark that all its matches contain, and the test of its value."""


_NAMED_BEHIND = re.compile(
    r"(?<![^\s\"'\u201c\u2018(])([^\s\"'\u201c\u2018()=]{4,80})[\"'\u201d\u2019]?"
    r"(?:\s?\(|\s=\s|\s(?:is|as|ist|als|est|es|è|é|come|como|comme)\s)([^\n:=.,;()]{2,48})"
)


def _named_behind(text: str, low: str) -> Iterator[Span]:
    """Yield values whose name follows them: "4711 is the PIN", "4711 (PIN)"."""
    for match in _NAMED_BEHIND.finditer(low):
        value = text[match.start(1) : match.end(1)].rstrip(_TRAILING)
        name = _LEADING.sub("", match[2]).strip()
        if len(value) < 4 or not _DIGIT.search(value) or is_stand_in(value):
            continue
        kind = secret_kind(name) or secret_kind(_FOR.split(name, maxsplit=1)[0])
        if kind is not None and _is_bare(value, needs_digit=True) and LABELS[kind].is_value(value):
            yield Span(match.start(1), match.start(1) + len(value), kind)


_LEADING = re.compile(r"^(?:the|my|our|your|de[rmn]|die|das|mein|unser|le|la|il|el|os?|as?) ")


def _spoken(text: str, low: str) -> Iterator[Span]:
    for pattern, mark, is_value in _FORMS:
        for match in matches(pattern, low, parts_near(mark, low, _REACH)):
            start, end = match.span(match.lastindex or 0)
            value = text[start:end].rstrip(_TRAILING)
            if value and not is_stand_in(value) and is_value(value):
                yield Span(start, start + len(value), "spoken_secret")


def _find(text: str) -> Iterable[Span]:
    low = folded(text)
    if NAME_HINT.search(low):
        yield from _assigned(text, low)
        yield from _named_behind(text, low)
    yield from _worded(text, low)


def _worded(text: str, low: str) -> Iterator[Span]:
    if not _WORD_HINT.search(low):
        return
    if _VALUE.search(text) or _PHRASE.search(low) or _OPTION.search(low):
        yield from _spoken(text, low)


_WORD_HINT = re.compile(f"{SECRET_HINT.pattern}|{_MARK.pattern}")


@lru_cache(maxsize=1 << 12)
def _may_be_label(label: str) -> bool:
    return _WORD_HINT.search(folded(label)) is not None


def is_labelled_secret(label: str, value: str) -> bool:
    """Whether a value behind a label is a secret as a whole."""
    start = len(label) + 2
    if not _may_be_label(label):
        return False
    spans = _find(f"{label}: {value}")
    return any(span.start <= start and span.end >= start + len(value.rstrip()) for span in spans)


FINDER = TextFinder(
    kinds=(*LABELS, "spoken_secret"),
    hint=re.compile(f"{NAME_HINT.pattern}|{_MARK.pattern}"),
    folded=True,
    find=_find,
    in_rendered=False,
    general=("spoken_secret", *NAMES),
)
