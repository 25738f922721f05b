"""Decide from the name of a parameter, variable or question whether its value is a secret."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import msgspec

from benchloom.core.plain_words import NAME_WORD, title_words
from benchloom.normalise.redaction.finders import Stems, folded, looks_random
from benchloom.normalise.redaction.finders._labels import (
    CODE_STEMS,
    CODES,
    LOCK_NAME,
    NAME_STEMS,
    NAMES,
    NUMBER_STEMS,
    NUMBERS,
    ORDINARY,
    PASSWORD_STEMS,
    PASSWORDS,
    PHRASE_STEMS,
    PHRASES,
)
from benchloom.normalise.redaction.placeholders import is_instruction, is_stand_in, unnamed

_WORDS = {
    "seed_phrase": PHRASES,
    "password": f"{PASSWORDS}|{CODES}",
    "personal_number": NUMBERS,
}
_IN_QUESTIONS = {kind: re.compile(words) for kind, words in _WORDS.items()}
_AT_THE_END = {kind: re.compile(rf"(?:{words})s?\Z") for kind, words in _WORDS.items()}
_PASSWORDS = frozenset({"psk", "pwd", "pw", "psw", "passwd"})
_SHORT_PASSWORDS = frozenset({"pin", "pass", "clave", "contra", "ww", "пас"})
_OWNERS = frozenset({"", "my", "phone", "wfssh", "user"})
_QUALIFIERS = re.compile(
    r"(?i)(?:[\s_.-]*(?:\d+|wi.?fi|wlan|admin|root|prod(?:uction)?|staging|ssh|ftp|smtp|imap|nas|db)"
    r"(?![^\W\d_]))+\s*\Z"
)
"""Matches the purpose of a secret at the end of its name: "password_wifi", "token 2"."""
_TOKENS = frozenset({"token", "bearer", "jwt", "cookie", "cookies", "sessionid", "session", "auth",
                     "authorization", "accesstoken", "authtoken", "apitoken"})  # fmt: skip
_SECRETS = frozenset({"secret", "apikey", "appkey", "clientsecret", "secretkey", "accesskey",
                      "privatekey", "appsecret", "licensekey", "authkey", "credentials",
                      "credential", "sig", "signature", "webhookkey"})  # fmt: skip
_KEY_OWNERS = frozenset({"api", "app", "secret", "access", "private", "auth", "subscription",
                         "license", "licence", "client", "developer", "dev", "personal", "security",
                         "encryption", "account", "service", "webhook", "signing"})  # fmt: skip
_NOT_BEFORE_TOKEN = frozenset({"next", "page", "continuation", "max", "sync", "count", "cursor",
                               "device", "start", "last", "stop"})  # fmt: skip
_LEAST_NUMBER = 6
_LEAST_SERIAL = 9
_DECIMAL = re.compile(r"0x[0-9A-Fa-f]+|-?\d+[.,]\d+|\d+(?:\.\d+){2,}")
"""Matches a measure or a version, which is no number of a person or device."""


def words_of(name: str) -> tuple[str, ...]:
    """Split a name in camel case, snake case or plain words into lower-case words."""
    return tuple(word.lower() for word in NAME_WORD.findall(name))


@lru_cache(maxsize=1 << 14)
def secret_kind(name: str) -> str | None:
    """Return the kind of secret in a field with this name, or None if the name means no secret.

    "api_key", "Access Token" and "door code" name secrets; "max_tokens" and "key" do not.
    """
    if len(name) > 64:
        return None
    whole, name = unnamed(name), _QUALIFIERS.sub("", unnamed(name))
    words = words_of(name)
    if not words:
        return None
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last in _PASSWORDS or (last in _SHORT_PASSWORDS and before in _OWNERS):
        return "password"
    if last in _SECRETS or (last == "key" and (before in _KEY_OWNERS or before.endswith("api"))):
        return "secret"
    if last == "id" and before == "session":
        return "token"
    if last in _TOKENS and before not in _NOT_BEFORE_TOKEN:
        return "token"
    # `title_words` splits words of some scripts at combining marks, which are no letters.
    texts = {title_words(whole), title_words(name), folded(name).strip()}
    ends = (kind for kind, label in _AT_THE_END.items() if any(map(label.search, texts)))
    modified = (kind for kind in NAMES if any(_has_private_modifier(kind, text) for text in texts))
    if whole.startswith("WF"):
        return next(ends, None)  # A parameter of the file format: "WFNumberActionNumber".
    is_lock = any(map(LOCK_NAME.match, texts))
    return next(ends, None) or ("access_code" if is_lock else next(modified, None))


def _has_private_modifier(kind: str, name: str) -> bool:
    match = NAMES[kind].match(name)
    return match is not None and ORDINARY.search(match["behind"] or match["before"]) is None


def question_kind(question: str) -> str | None:
    """Return the kind of secret for which a question asks, as in "Enter your Todoist token".

    Returns None if the question asks for no secret.
    """
    low = folded(question)
    if not NAME_HINT.search(low):
        return None
    words = words_of(question)
    kinds = [
        secret_kind(" ".join(words[max(0, end - 3) : end])) for end in range(1, len(words) + 1)
    ]
    kinds += [kind for kind, label in _IN_QUESTIONS.items() if label.search(low)]
    return next((kind for kind in kinds if kind is not None), None)


def literal_text(value: object) -> str | None:
    """Return the literal text of an encoded value, such as a dictionary key, or None."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        inner = value.get("Value")
        inner = inner.get("string") if isinstance(inner, dict) else inner
        return inner if isinstance(inner, str) else None
    return None


def literal_of(encoded: str) -> str:
    """Return the text or number that the author typed as an argument, given as JSON.

    Returns an empty text for any other argument.
    """
    value = msgspec.json.decode(encoded)
    text = str(value) if isinstance(value, int) else literal_text(value)
    return (text or "").strip()


def is_personal_number(value: str) -> bool:
    """Return whether a text can be the number of a device, a document or an account."""
    if _DECIMAL.fullmatch(value) or "//" in value or len(set(filter(str.isdigit, value))) == 1:
        return False
    letters = [character for character in value if character.isalnum()]
    digits = sum(map(str.isdigit, letters))
    is_serial = value.isupper() and value.isalnum() and len(value) >= _LEAST_SERIAL
    return len(letters) >= _LEAST_NUMBER and digits * (len(letters) if is_serial else 4) >= len(
        letters
    )


class Label(NamedTuple):
    """Tests for the values of fields with a label such as "password".

    `is_value` tests a text, and `is_number` tests a number as text.
    """

    is_value: Callable[[str], bool]
    is_number: Callable[[str], bool]
    needs_digit: bool = True


_LINK = re.compile(r"(?:app-)?prefs:|[a-z][a-z0-9+.-]{1,20}://", re.IGNORECASE)
"""Matches a link, which is not a password. Other finders search links for secrets."""


def _is_password(value: str) -> bool:
    return not (is_instruction(value) or _LINK.match(value))


def _is_generated(value: str) -> bool:
    # Nobody's generated token is a sentence: "Enter your login, please" asks for one.
    words = value.split()
    is_sentence = len(words) > 2 and all(map(str.isalpha, words))
    return len(value) > 3 and not (is_sentence or is_stand_in(value) or _LINK.match(value))


# A number after "token" or "session" is a count; after "password" it is a password.
_GENERATED = Label(_is_generated, lambda _: False)
_SEED_PHRASE = re.compile(r"(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}")
_CODE = re.compile(r"[#*]?[a-f]?\d[\d -]{1,12}\d[a-f*#]?|[#*]?\d{1,6}[#*]\d{1,8}", re.IGNORECASE)
_MOST_DIGITS = 10


def _is_code(value: str) -> bool:
    value = value.strip()
    is_code = _CODE.fullmatch(value) is not None and sum(map(str.isdigit, value)) <= _MOST_DIGITS
    return is_code or looks_random(value)


LABELS = {
    "seed_phrase": Label(
        lambda value: _SEED_PHRASE.fullmatch(value.lower()) is not None, lambda _: False
    ),
    "password": Label(_is_password, bool, needs_digit=False),
    "personal_number": Label(is_personal_number, is_personal_number),
    "secret": _GENERATED,
    "token": _GENERATED,
    "access_code": Label(_is_code, _is_code),
    "access_key": Label(looks_random, lambda _: False),
}
"""Maps each kind that `secret_kind` returns to the tests of its values."""


def is_labelled_number(kind: str, number: float) -> bool:
    """Return whether a number is a secret if its field has a label of this kind."""
    return kind in LABELS and LABELS[kind].is_number(str(number))


_SECRET_STEMS = (
    *PASSWORD_STEMS, *CODE_STEMS, *NUMBER_STEMS, *PHRASE_STEMS,
    "pwd", "psk", "token(?<!wftexttoken)", "bearer", "jwt", "cookie", "session", "auth", "secret",
    "key(?<!wfkey)(?<!dictionarykey)", "credential", "sig",
)  # fmt: skip
SECRET_HINT = Stems(_SECRET_STEMS)
"""Matches in every lower-case text that contains a word of `_labels`, except names in `NAMES`."""
NAME_HINT = Stems(_SECRET_STEMS, NAME_STEMS)
"""Matches in every lower-case text that contains a word of `_labels` or a name in `NAMES`."""
