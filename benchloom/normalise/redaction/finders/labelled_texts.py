"""Find secrets after a label in a text: `api_key = ...`, "my password is ...", "PIN 4711".

In an assignment, the name before the sign is judged like the name of a field. In sentences a
password is any word that contains a digit or a sign, a code has at least three digits, and a key is
long and mixes letters and digits.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from benchloom.normalise.redaction.finders import (
    UUID_FORM,
    Span,
    Stems,
    TextFinder,
    any_of,
    changes_of_kind,
    folded,
    looks_random,
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
    LOCKS,
    LOGIN_STEMS,
    LOGINS,
    NAMES,
    NUMBER_STEMS,
    NUMBERS,
    ORDINARY,
    PASSWORD_STEMS,
    PASSWORDS,
    PHRASE_STEMS,
    PHRASES,
    PREPOSITIONS,
    VERBS,
)
from benchloom.normalise.redaction.finders._names import (
    LABELS,
    NAME_HINT,
    SECRET_HINT,
    is_personal_number,
    secret_kind,
)
from benchloom.normalise.redaction.placeholders import is_stand_in

_SIGN = (
    r"(?:\s?\([^()\n]{1,30}\))?(?:\\{0,3}[\"'\u201d\u2019`*_\]]{1,3})?\s{0,3}"
    r"(?:=>|[-\u2013—]?>{1,2}|[:=\uff1a→⇒|\u2013—…]|\.{3}|(?<=\s)-(?=\s)|#\s?(?=\w)|(?<=[\]*])(?=\s)|"
    rf"(?<=\s)(?:{VERBS})(?=\s)|[は是为為은는]|\((?=[^()\n]{{4,40}}\))|"
    r"(?<=\s)(?=[\w#*-]*\d[\w#*-]*(?:[ -][\d-]{1,8}){0,4}[.!]?\s*(?:\n|$))|"
    r"(?<=\s)(?=[a-z-]{0,12}\d[a-z-]{0,12}\d[\w-]{0,30}[\s,]))[*_]{0,2}\s{0,3}"
)
"""Matches the signs between a name and its value. Quotes may be escaped, as in JSON inside a
text."""
_ASSIGNED = re.compile(rf"[\w' -]{{0,30}}?({_SIGN})")
"""Matches the rest of a name and the sign after it. The match starts after a stem of the name, in
the lower-case text."""
_NAME = re.compile(r" {0,4}([\w'-]*(?: [\w'.-]+){0,5})")
"""Matches a name in the reversed text before a sign, because only the end of the name is known."""
_FOR = re.compile(rf"\s(?:{PREPOSITIONS})\s")
_LONGEST_NAME = 64
_LONGEST_BARE = 2000
_DIGIT = re.compile(r"\d")
_QUOTED = re.compile(r"\\{0,3}[\"'\u201c]([^\"'\u201d\n\ufffc\[{<$\\]{3,2000})\\{0,3}[\"'\u201d]")
_BARE = re.compile(r"([^\s\"'\ufffc\[\]{}<$(,;&\\\u3040-\u9fff\uac00-\ud7af]{4,2000})")
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
_LETTER = r"[^\W\d_\u3040-\u9fff\uac00-\ud7af]"
_PLAIN_WORDS = re.compile(
    rf"({_LETTER}{{4,24}}(?:[ -]{_LETTER}{{4,16}}){{0,5}})[!.]?[ \t]*(?:\n|\Z)"
)
"""Matches a password that consists of words, up to the end of its line."""
_NO_PLAIN_WORDS = re.compile(
    r"(?i)(?:\w+(?:ed|ing|able|ible|ful|ten|iert|lich|ato|ado|ée?)|required|wrong|correct|"
    r"incorrect|empty|missing|none|null|unknown|here|text|string|number|boolean|optional|mandatory|"
    r"valid|invalid|strong|weak|same|different|reset|change|enter|type|your|with|must|please|this|"
    r"that|from|when|forgot|forget|show|hide|copy|paste|open|save|saved|name|user|username|"
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


_PLAIN_SIGNS = frozenset({":", "=", "\uff1a", "\u2192", "->", "=>"})
_REST_OF_LINE = re.compile(r"[,.]?[ \t]+\w")


def _assigned(text: str, low: str) -> Iterator[Span]:
    position = digit = 0
    for mark in NAME_HINT.finditer(low):
        assigned = _ASSIGNED.match(low, mark.end()) if mark.start() >= position else None
        if assigned is None:
            continue
        position = assigned.end()
        before = text[max(0, mark.start() - _LONGEST_NAME) : assigned.start(1)]
        kind = _kind_of_name(before)
        if kind is None:
            continue
        label = LABELS[kind]
        quoted = _QUOTED.match(text, position)
        if quoted is None and label.needs_digit:
            # Bare values without a digit are words. The position of the next digit is kept, so that
            # a list of names is not searched again for each name.
            digit = digit if digit >= position else _next_digit(text, position)
            if digit - position > _LONGEST_BARE:
                continue
        sign = assigned[1].strip()
        is_verb = sign.isalpha()
        words = None if label.needs_digit else _PLAIN_WORDS.match(text, position)
        if words is not None and _are_password(words[1]) and sign in _PLAIN_SIGNS:
            yield Span(words.start(1), words.end(1), kind)
            continue
        value_match = quoted or _FORMS_BY_KIND.get(kind, _BARE).match(text, position)
        if value_match is None:
            continue
        value = value_match[1].rstrip(_TRAILING)
        is_sentence = not sign and _REST_OF_LINE.match(text, value_match.end()) is not None
        is_vague = is_sentence and kind != "personal_number" and not looks_random(value)
        if not value or is_stand_in(value) or is_vague:
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
    has_digit = _DIGIT.search(value) is not None
    return (has_sign or has_digit) and _SOURCE_CODE.match(value) is None


def _next_digit(text: str, position: int) -> int:
    match = _DIGIT.search(text, position)
    return match.start() if match is not None else len(text) + _LONGEST_BARE + 1


_IS = (
    r"(?:[\"'\\]{0,4}\s{0,2}(?:=>|->|[:=\u2192\u2013\u2014\uff1a])\s{0,3}"
    rf"|\s(?:{VERBS}|to)\s{{0,2}}[:=]?\s{{0,2}}"
    r"|(?:是|为|為|は|은|는)\s?)"
)
"""Matches the signs or verbs between a name and its value."""
_QUOTE = "[\"'\u201c\u2018`]"
_LOGIN = re.compile(
    rf"(?:{LOGINS}){_IS}(?!\d+[:/])"
    r"[^\s:/]{2,40}\s?[:/]\s?([^\s\"'\u201d\u2019`\ufffc<>\[\]{}]{6,80})"
)
_IN_PATH = re.compile(r"/(?:api[_-]?)?(?:key|token|secret|auth)s?/([a-z0-9][a-z0-9_.~-]{15,400})")
_PASSWORD_PATH, _NUMBER_PATH = (
    re.compile(rf"(?:{label})s?/([^/?&#\s\"']{{4,80}})")
    for label in (f"{PASSWORDS}|{CODES}", NUMBERS)
)
_LOCK_CODE = re.compile(
    rf"(?:{LOCKS})\s{{0,2}}[:=]?\s{{0,2}}([#*]\d{{3,8}}[#*]?|\d{{3,8}}[#*]|\d{{3,5}}[a-f](?!\w))"
)
_TOOL_NAMES = (
    "sshpass", "docker login", "mysql", "mariadb", "7z", "redis-cli", "security ", "unzip", "zip ",
    "htpasswd", "openssl", "gpg", "smbclient", "ldap", "mosquitto", "keytool", "hdiutil", "qpdf",
    "ssh-keygen", "| sudo", "| su ", "<<<", "btoa(", "b64encode(", "|sudo", "net use", "kinit",
)  # fmt: skip
_SCRIPTED = re.compile(
    r"(?:pass(?:word|wd|code)?|pwd|token|secret|pin|api[_-]?key)[\"')\]]{1,4}"
    r"(?:\.\w{3,12}\s?=|,)\s?[\"']([^\"'\n\ufffc]{4,80})[\"']"
)
"""Matches code that fills in a field or stores a value: `querySelector("#pass").value = ...`."""
_PIPED = re.compile(
    rf"(?:echo|printf)\s{{1,4}}(?:-n\s{{1,4}})?{_QUOTE}?([^\s\"'|$`]{{4,80}}){_QUOTE}?"
    r"\s{0,4}\|\s{0,4}(?:\S{1,60}/)?"
    r"(?:sudo|su|passwd|openssl|kinit|cryptsetup|gpg|docker login|security)(?!\w)"
)
_TYPED = re.compile(
    rf"<<<\s{{0,4}}{_QUOTE}?([^\s\"'$`]{{4,80}})|\bpass:([^\s\"'$]{{4,80}})|"
    r"-u\s{1,4}[^\s%]{2,40}%([^\s\"'$]{4,80})|"
    r"(?:btoa|b64encode)\(\s{0,4}b?[\"']([^\"'\n:]{1,80}:[^\"'\n]{3,80})[\"']"
)
_OPTION = re.compile(
    rf"(?:{'|'.join(map(re.escape, _TOOL_NAMES))})[^\n|;]{{0,80}}?"
    rf" -{{1,2}}(?:pass(?:word|phrase|in)?|[pa]|hp)[\s=:]?{_QUOTE}?"
    r"([^\s\"'\u201d\u2019`\ufffc<>$\[\]{}]{4,80})"
)
_TOOLS = Stems(map(re.escape, _TOOL_NAMES))
_MARK = Stems(
    *(LOGIN_STEMS, KEY_STEMS),
    (*map(re.escape, _TOOL_NAMES), "#(?<=\\d#)", "\\*(?<=\\d\\*)"),
    ("opens? (?:with|by) \\d", "unlock"),
    ("disarm", "keypad", "kombi", "wants \\d", "type \\d", "dial \\d", "enter \\d", "press \\d"),
    ("קוד", "رمز", "كود"),
)  # fmt: skip
"""Stems for the patterns in `_FORMS` whose marks are not in `SECRET_HINT`. Every match of such a
pattern contains one of these stems."""
_VALUE = re.compile(r"\d|\w[!#%&*?@$^+~]\w")
"""A text in which this pattern does not match can contain no secret except a recovery phrase."""
_REACH = 640
_TRAILING = ".,;:!?)>\"'\u201d\u2019"
_WORDS = re.compile(r"[a-z-]+|[A-Z][a-z]+")
_GROUPS = re.compile(r"(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}")
"""Matches a licence key, which is a series of groups of characters."""
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
    return re.compile(rf"(?:{any_of(stem for group in stems for stem in group)})[^/\n]{{0,24}}/")


_FORMS = (
    (_LOGIN, Stems(LOGIN_STEMS), _is_password),
    (_PASSWORD_PATH, _before_slash(PASSWORD_STEMS, CODE_STEMS), _is_password),
    (_NUMBER_PATH, _before_slash(NUMBER_STEMS), is_personal_number),
    (_OPTION, _TOOLS, _is_option),
    (_LOCK_CODE, re.compile(r"[#*]|\d[a-f](?!\w)"), bool),
    (_PIPED, _TOOLS, _is_option),
    (_TYPED, _TOOLS, _is_option),
    (_SCRIPTED, Stems(PASSWORD_STEMS, ("pwd", "token", "secret", "pin", "key")), _is_option),
    (_IN_PATH, re.compile(r"(?:key|token|secret|auth)s?/"), _is_key),
)
"""Tuples of a pattern, a mark that all its matches contain, and the test of the value."""


_END = re.compile(r"[.!?\u2026](?=\s|$)|\n|;")
_LONGEST_GAP = 90
_BEHIND_LABEL = re.compile(r"[\s:=\uff1a*_-]*")
_NEAR = re.compile(
    r"\W*(?:[^\W\d_]+(?:[-'\u2019][^\W\d_]+)?\W*)?|.*(?:[:=\u2192>\uff1a]|"
    rf"(?<=\s)(?:{VERBS}|je|on|e|είναι|היא|هي|é|to|c'est|ons|die is))\W*",
    re.DOTALL,
)
"""Matches text between a label and a value that belong together: at most a word, or any text before
a sign or a verb."""
_CODE_SIGN = re.compile(r"\S=|[&?{}\[\]<>\\;$]|(?<! )/|/(?! )|\",\s*\"")
"""Matches signs that no sentence contains. The last alternative separates members of JSON."""
_ABOUT_FORMS = re.compile(
    r"(?<!\w)(?:must|should|at least|minimum|looks?|formats?|like|for example|e\.g|such as|"
    r"mindestens|muss|müssen|z\.b|doit|doivent|debe|deben|deve|devono|devem|moet|expires?|renew|valid)(?!\w)"
)
_TECHNICAL = re.compile(
    r"(?:wpa\d?|user\d*|admin\d*|fritz!?box|wep|ipv\d|mp\d|h\.?26\d|utf-?\d+|sha-?\d+|md5|aes-?\d*|rsa-?\d*|base\d\d|2fa|"
    r"1password\W?s?|(?:ios|ipados|macos|watchos|iphone|ipad|windows|office|oauth|usb|web|level|"
    r"page|step|version|v|http|html|css|es|python|php|java)-?\d[\w.]*|\d+(?:st|nd|rd|th|x|px|ms|"
    r"min|std|sec|gb|mb|kb|[gmk]hz|-?bit|-?stellig\w*|-?digits?|-?char\w*|-?zeichen|-?step)|"
    r"\d{1,2}[.:h]\d{2}(?:uhr|h|am|pm)?|[a-z]+\.[a-z]{2,4}\d?)",
    re.IGNORECASE,
)
"""Matches words with digits that are not passwords."""
_DATE_LIKE = re.compile(
    r"(?:19|20)\d\d(?:[-./ ]\d{1,2}){0,2}|(?:19|20)\d\d-(?:19|20)\d\d|"
    r"(?:0?[1-9]|[12]\d|3[01])[-./ ](?:0?[1-9]|1[0-2])[-./ ](?:19|20)?\d\d"
)


_ODD_CAPITALS = re.compile(r"[A-Z]{3,}[a-z]{3,}")


_FAR = "more than three words"
"""Stands for text between a label and a value that is long and does not end with a quote."""


def _is_near(gap: str) -> bool:
    return _NEAR.fullmatch(gap) is not None


def _is_password_behind(value: str, gap: str) -> bool:
    if _TECHNICAL.fullmatch(value) or _SOURCE_CODE.match(value) or "=" in value:
        return False
    if _DATE_LIKE.fullmatch(value) and len(value) > 4:
        return False
    is_quoted = gap[-1:] in _QUOTE and len(gap.split()) < 8
    if is_quoted or _is_near(gap):
        parts = value.split("-")
        is_joined = len(parts) > 2 and len(value) > 11 and all(map(str.isalpha, parts))
        is_mixed = (
            value.isalpha()
            and len(value) > 7
            and (changes_of_kind(value) > 3 or _ODD_CAPITALS.fullmatch(value) is not None)
        )
        return _is_password(value) or is_joined or is_mixed
    return len(value) > 5 and _is_password(value) and any(map(str.isalpha, value))


_PLAIN_NAME = re.compile(r"[\w.-]+")


def _is_login_behind(value: str, _gap: str) -> bool:
    is_odd = not value.isalnum() and (value != value.lower() or not _PLAIN_NAME.fullmatch(value))
    return is_odd and value[0].isalpha() and "@" not in value and _is_password_behind(value, _FAR)


def _is_code_behind(value: str, gap: str) -> bool:
    digits = sum(map(str.isdigit, value))
    is_far = not _is_near(gap)
    if _DATE_LIKE.fullmatch(value) and (is_far or len(value) > 8):
        return False
    return (3 + is_far) <= digits <= 10


def _is_number_behind(value: str, gap: str) -> bool:
    is_date = _DATE_LIKE.fullmatch(value) is not None
    digits = sum(map(str.isdigit, value))
    return not is_date and digits >= 6 + 2 * (not _is_near(gap)) and is_personal_number(value)


def _is_key_behind(value: str, gap: str) -> bool:
    is_grouped = " " in value and value.isupper() and any(map(str.isdigit, value))
    return is_grouped or (_is_key(value) and (not UUID_FORM.fullmatch(value) or _is_near(gap)))


_UNIT = (
    r"(?:px|ms|s|sec\w*|min\w*|h|hours?|std|km|m|cm|mm|kg|g|eur|usd|euros?|ft|sq|lines?|words?|"
    r"times|characters?|digits?|stellen|stellig\w*|zeichen|ziffern|chiffres|d[ií]gitos|cifre|cijfers|"
    r"days?|tage|jours|uhr|am|pm|[gmk]b|[gmk]?hz|w|v|steps?|people|points?|years?|weeks?|of)"
)
_SECRET_WORD = re.compile(
    r"(\d{4,8}(?:[ ,]{1,2}\d{4,8})+|"
    r"(?![@/&.])[^\s\"'\u201c\u201d\u2018\u2019`\ufffc<>\[\]{}()|,\u3040-\u9fff\uac00-\ud7af]"
    r"{4,80}+)(?!\()"
)
_CODE_WORD = re.compile(
    r"(?<![\w.,:/+@-])([#*]?(?:\d(?:[ -]?\d){2,9}|\d{1,4}[a-f]\d{0,4}|[a-f]\d{3,6})[a-f]?[#*]?)"
    rf"(?![\w%°€$£]|[.,:/-]\d|\s?{_UNIT}(?!\w))"
)
_NUMBER_WORD = re.compile(
    r"(?<![\w.+/#=@-])((?:[a-z]{1,3}[ -])?[a-z0-9./-]{0,30}\d[a-z0-9./-]{0,30}"
    r"(?: (?=[a-z]{0,4}\d)[\da-z-]{1,6}){0,8})"
)
_KEY_WORD = re.compile(
    r"(?<![\w/.@!-])([a-z0-9]{4}(?: [a-z0-9]{4}){3,15}|[a-z0-9][a-z0-9_.~+/=:-]{15,400})"
)
_PHRASE_WORDS = re.compile(r"(?<!\w)((?:[^\W\d_]{3,9},? ){11,23}[^\W\d_]{3,9})")
_PASSWORD_LABEL = (
    rf"(?:{PASSWORDS}|{EDGE}(?:clave|pass(?=\s?[:=]|\s(?:is|ist|for|fürs?|wi.?fi|wlan)\s)))"
    r"[^\W\d_]{0,8}"
)
_SENTENCES = tuple(
    (re.compile(label), Stems(*stems), value, is_value)
    for label, stems, value, is_value in (
        (_PASSWORD_LABEL, (PASSWORD_STEMS, ("clave",)), _SECRET_WORD, _is_password_behind),
        (rf"(?:{CODES}|{EDGE}(?:pin|puk|kombi|combo|combina[a-zãç]{{1,12}})(?!\w))",
         (CODE_STEMS, ("pin", "puk", "kombi", "combo", "combina")), _CODE_WORD, _is_code_behind),
        (rf"(?:{LOGINS}|{EDGE}zugang)", (LOGIN_STEMS, ("zugang",)), _SECRET_WORD, _is_login_behind),
        (NUMBERS, (NUMBER_STEMS,), _NUMBER_WORD, _is_number_behind),
        (KEYS, (KEY_STEMS,), _KEY_WORD, _is_key_behind),
        (PHRASES, (PHRASE_STEMS,), _PHRASE_WORDS, lambda _value, _gap: True),
    )
)  # fmt: skip
"""Tuples of a pattern for a label, the stems of such labels, a pattern for a value, and the test of
the value."""
_LONGEST_LABEL = 80
_OPENER = re.compile(
    rf"{EDGE}(?:codes?|kod(?:en)?|kode[nr]?|koodi|k[óo]d|c[óo]digo|codice|код|(?:zahlen)?kombi\w*|"
    r"combina\w+|opens? (?:with|by)|unlocks?(?: with)?|wants|types?|dial|"
    r"enter|press|punch in|drück\w*|tipp\w*|gib|eingeben|öffne\w* mit|tape[rz]?|compose[rz]?|"
    r"s'ouvre avec|marca\w*|pulsa\w*|teclea\w*|digita\w*|digite|abre com|toets\w*|wybierz|"
    r"набе\w*|наби\w*|ה?קוד|(?:ال)?(?:رمز|كود)|wpisz|zadej\w*|slå|näppäile)(?!\w)"
)
_LOCKED = re.compile(rf"(?:{LOCKS})")
_WEAK_LOCKS = frozenset(
    {"home", "house", "office", "card", "bank", "pass", "setup", "pool", "entry", "access", "lift",
     "storage", "guest", "panel", "parking", "gym", "sim", "haus", "carta", "porta", "caja", "slot"}
)  # fmt: skip
"""Words that name a lock only together with "code"."""
_NETWORK = re.compile(r"router|wi.?fi|wlan|вай.?фа")


def _in_sentences(text: str, low: str) -> Iterator[Span]:
    """Yield, for each label in a sentence, the first value after it that looks like a secret."""
    for label, stems, form, is_value in _SENTENCES:
        for match in matches(label, low, parts_near(stems, low, _LONGEST_LABEL)):
            if low[match.start() - 1 : match.start()] != "1":  # The name of a program: 1Password.
                yield from _first_value(text, low, match.end(), form, is_value)


def _opening_codes(text: str, low: str) -> Iterator[Span]:
    """Yield codes in sentences about a door or an alarm: "type 4711 at the gate"."""
    for match in _OPENER.finditer(low):
        start = low.rfind("\n", 0, match.start()) + 1
        sentence = low[max(start, match.start() - 120) : match.end() + _LONGEST_GAP]
        before = low[max(start, match.start() - 24) : match.start()].split()[-1:]
        is_code = match[0].startswith(("c", "k", "к"))
        is_public = is_code and any(ORDINARY.search(word) and len(word) > 3 for word in before)
        if is_public or not _names_lock(sentence.partition("\n")[0]):
            continue
        yield from _first_value(
            text, low, match.end(), _CODE_WORD,
            lambda value, gap: len(gap.split()) < 4 and _is_code_behind(value, _FAR),
        )  # fmt: skip
        if _NETWORK.search(sentence):
            yield from _first_value(text, low, match.end(), _SECRET_WORD, _is_password_behind)


def _names_lock(sentence: str) -> bool:
    return any(match[0] not in _WEAK_LOCKS for match in _LOCKED.finditer(sentence))


def _first_value(
    text: str, low: str, start: int, form: re.Pattern[str], is_value: Callable[[str, str], bool]
) -> Iterator[Span]:
    begin = _BEHIND_LABEL.match(low, start)
    first = begin.end() if begin is not None else start
    end = _END.search(low, first, first + _LONGEST_GAP)
    stop = end.start() if end is not None else first + _LONGEST_GAP
    for match in form.finditer(low, first, stop + 400):
        if match.start(1) > stop:
            return
        gap = low[start : match.start(1)]
        inner = low[first : match.start(1)]
        if _CODE_SIGN.search(inner) or _ABOUT_FORMS.search(inner):
            return
        value = text[match.start(1) : match.end(1)].rstrip(_TRAILING)
        if value and not is_stand_in(value) and is_value(value, gap):
            yield Span(match.start(1), match.start(1) + len(value), "spoken_secret")
            return


_NAMED_BEHIND = re.compile(
    r"(?<![^\s\"'\u201c\u2018(])([^\s\"'\u201c\u2018()=]{4,80})[\"'\u201d\u2019]?"
    r"(?:\s?\(|\s=\s|\s(?:is|as|ist|als|est|es|è|é|come|como|comme)\s)(?=([^\n:=.,;()]{2,48}))"
)


def _named_behind(text: str, low: str) -> Iterator[Span]:
    """Yield values that precede their label: "4711 is the PIN", "4711 (PIN)"."""
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
    yield from _in_sentences(text, low)
    if _VALUE.search(text) or _OPTION.search(low):
        yield from _spoken(text, low)
        yield from _opening_codes(text, low)


_WORD_HINT = Stems(SECRET_HINT.stems, _MARK.stems)
LABEL_HINT = Stems(NAME_HINT.stems, _MARK.stems, ("header",))
"""The hint of two finders: of secrets after labels, and of secret fields. Sharing it means that a
text is searched only once for both."""


@lru_cache(maxsize=1 << 12)
def _may_be_label(label: str) -> bool:
    return _WORD_HINT.search(folded(label)) is not None


def is_value_of_neighbour(label: str, value: str) -> bool:
    """Return whether a text is the secret value of a short label beside it.

    They may be neighbours in a list or an alert.
    """
    is_label = len(label) <= _LONGEST_NAME and not _DIGIT.search(label)
    return is_label and _DIGIT.search(value) is not None and is_labelled_secret(label, value)


def is_labelled_secret(label: str, value: str) -> bool:
    """Return whether the whole value is a secret if it follows this label."""
    start = len(label) + 2
    if not _may_be_label(label):
        return False
    spans = _find(f"{label}: {value}")
    return any(span.start <= start and span.end >= start + len(value.rstrip()) for span in spans)


FINDER = TextFinder(
    kinds=(*LABELS, "spoken_secret"),
    hint=LABEL_HINT,
    folded=True,
    find=_find,
    in_rendered=False,
    general=("spoken_secret", *NAMES),
)
