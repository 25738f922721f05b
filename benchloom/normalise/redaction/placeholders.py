"""Make placeholders such as `[redacted:kind]`, and test for values that need no replacement."""

import hashlib
import re
from collections.abc import Iterator
from urllib.parse import unquote

PLACEHOLDER = re.compile(r"\[redacted:[a-z_]+\]")
TOKEN = "\ufffc"
"""The character that marks the position of a token (an inserted output) in a text. It never belongs
to a literal value."""

PLACEHOLDERS_AND_TOKENS = re.compile(rf"{PLACEHOLDER.pattern}|{TOKEN}")
"""Matches everything that separates the literal parts of a text."""
_SCHEME = re.compile(
    r"(?:authorization\s*:\s*)?(?:bearer|basic|digest|token|apikey|api[-_ ]?key|key|oauth|appcode)"
    r"(?:\s*[:=]\s*|\s+|$)",
    re.IGNORECASE,
)
_EDGE = " \t\r\n\"'`,;:=&?<>(){}[]"
_STAND_IN = re.compile(
    r"(?i)(?:[<\[{(\uff08\u300c\u3010]\D{0,60}[>\]})\uff09\u300d\u3011]|[x*._\-#?]+|\D{0,20}[x*]{6,}|"
    r"(?:your|(?:[dm]eine?|ihre?|votre|tu|su|tuo|seu|sua|jouw|uw|je|ваш|твой|di[tn]t?|twoj[ea]|tvoje?|"
    r"vaše|senin|sinun)[ _-])\D{0,60}|"
    r"(?:vul|ingres[ae]|introduce|inserisci|insira|saisi\w+|gib|geben|skriv|ange|wpisz|zadejte|введите|"
    r"укажите|girin|syötä) \D{0,60}|!secret\b.{0,60}|(?:process\.)?env\.\w+|secrets?\.\w+|op://.*|"
    r"(?:你的|您的|请输入|在此|填入|输入|あなたの)\D{0,60}|"
    r"(?:enter|insert|paste|put|add|type|replace|change|set|use)(?:[ _-]\D{0,60}|me)?|"
    r"\D{0,60}[ _-](?:here|hier|ici|aqu[ií]|qui|h[äe]r|tähän|tutaj|zde|buraya|сюда|здесь)|"
    r"null|nil|none|true|false|n/?a|"
    r"\$[A-Z_]{1,40}|\$[A-Za-z_]{1,40}\$|\$?\{{1,2}[^{}]{0,60}\}{0,2}|%[A-Za-z_]{1,40}%|__[A-Za-z_]{1,40}__)"
)
"""Matches stand-ins such as "YOUR_API_KEY". They have no digits, because a text with digits is
probably a value."""
_OWN_NAME = re.compile(
    r"(?i)(?:(?:my|demo|test|sample|example|dummy|fake)[ _\-]?)?"
    r"(?:api|access|auth|client|private|secret)?[ _\-]?"
    r"(?:password|passwort|passcode|token|secret|key|apikey|id)|ask|todo|yes|no|on|off"
)


def unnamed(text: str) -> str:
    """Remove the kinds from placeholders, so that "[redacted:phone]" does not mention a phone."""
    return PLACEHOLDER.sub(TOKEN, text) if "[redacted:" in text else text


def placeholder(kind: str) -> str:
    """Return the text that replaces a value of this kind."""
    return f"[redacted:{kind}]"


def is_stand_in(value: str) -> bool:
    """Return whether a text stands for a secret: "YOUR_API_KEY", "<token>", "none", "token"."""
    return is_instruction(value) or _OWN_NAME.fullmatch(value.strip()) is not None


def is_instruction(value: str) -> bool:
    """Return whether a text tells the user what to write, as "YOUR_API_KEY" does.

    The word "password" does not, because it can be a value.
    """
    return _STAND_IN.fullmatch(unquote(value.strip())) is not None


_GENERIC = re.compile(
    r"(?i)(?:(?:your|my)[ _-]?)?(?:e-?mail|mail|user|"
    r"user[ _-]?name|name|login|account|admin|root|id|"
    r"pass|password|passwd|pwd|token|secret|key|api[ _-]?key|x-oauth-basic)?"
)


def is_login_stand_in(login: str) -> bool:
    """Return whether a login is only an example: "email:password", "$NAME$:$TOKEN$"."""
    return all(is_stand_in(part) or _GENERIC.fullmatch(part) for part in login.split(":"))


def literal_runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each part of a text that the author typed.

    Tokens, placeholders and words such as "Bearer" are left out.
    """
    position = 0
    for start, end in [
        *(match.span() for match in PLACEHOLDERS_AND_TOKENS.finditer(text)),
        (len(text), len(text)),
    ]:
        run = text[position:start]
        left = position + len(run) - len(run.lstrip(_EDGE))
        scheme = _SCHEME.match(text, left, start)
        if scheme is not None:
            left = scheme.end()
        right = left + len(text[left:start].rstrip(_EDGE))
        if any(character.isalnum() for character in text[left:right]):
            yield left, right
        position = end


_DIGESTS = tuple(
    hashlib.new(name, text.encode(), usedforsecurity=False).hexdigest()
    for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
    for text in (
        "",
        "a",
        "abc",
        "foo",
        "bar",
        "test",
        "hello",
        "hello world",
        "Hello World",
        "password",
    )
)
"""Digests of the empty text and of texts that manuals use. They are public."""
_GIT = ("4b825dc642cb6eb9a060e54bf8d69288fbee4904", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
"""Git's ids of an empty tree and of an empty file."""
_MANUALS = (
    "akia" + "iosfodnn7example", "asia" + "iosfodnn7example",
    "wjalrxutnfemi/k7mdeng/" + "bpxrficyexamplekey",
)  # fmt: skip
_VALUES = frozenset((*_DIGESTS, *_GIT, *_MANUALS))
_ADDRESS = re.compile(
    r"[\w.+-]{1,64}@(?:example\.(?:com|org|net|edu|co\.[a-z]{2})|(?:your|my)?[_-]?(?:domain|company|e?mail|site|foo|bar|test|xyz)\.\w{2,10}|"
    r"[\w.-]{1,60}\.(?:example|invalid|test))|"
    r"(?:support|help|helpdesk|feedback|customer[._-]?(?:service|support|care|relations)|kunden(?:service|dienst)|service[._-]?clients?|"
    r"(?:servicio|atencion)[._-]?(?:al[._-]?)?clientes?|assistenza|suporte|klantenservice|presse|enquir(?:y|ies)|billing|orders?|media|careers|newsletter|no-?reply|do-?not-?reply|"
    r"postmaster|abuse|webmaster|privacy|press|security|info|contact|hello|sales|team|office|service|kontakt|jobs|legal)@(?:[\w-]{1,60}\.){1,4}[a-z]{2,12}"
)
"""Matches e-mail addresses from manuals, and addresses of offices."""


def is_public_value(value: str) -> bool:
    """Return whether a value is public and reveals nothing about any person."""
    low = value.strip().lower()
    return low in _VALUES or ("@" in low and _ADDRESS.fullmatch(low) is not None)
