"""Names of parameters, keys and variables that mark their value as a secret."""

import re
from functools import lru_cache

from benchloom.core.plain_words import NAME_WORD
from benchloom.normalise.redaction.placeholders import unnamed

_PASSWORDS = frozenset(
    {
        "password", "passwords", "passwd", "psk", "passwort", "kennwort", "pwd", "passphrase",
        "passcode",
        "pincode", "cvv", "cvc", "contraseña", "contrasena", "senha", "wachtwoord",
        "密码", "密碼", "パスワード", "пароль", "비밀번호",
    }
)  # fmt: skip
_PIN_OWNERS = frozenset({"", "my", "card", "sim", "bank", "atm", "door", "phone", "wfssh", "user"})
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


def words_of(name: str) -> tuple[str, ...]:
    """Split a camel-case, snake-case or spoken name into lower-case words."""
    return tuple(word.lower() for word in NAME_WORD.findall(name))


@lru_cache(maxsize=1 << 14)
def secret_kind(name: str) -> str | None:
    """Return "password", "token" or "secret" if a name marks its value as one, else None.

    "api_key" and "Access Token" do; "max_tokens", "token_type" and "key" do not.
    """
    if len(name) > 64:
        return None
    words = words_of(unnamed(name))
    while words and words[-1].isdigit():
        words = words[:-1]
    if not words:
        return None
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last in _PASSWORDS or (last in {"word", "code", "phrase"} and before == "pass"):
        return "password"
    if last == "pin" and before in _PIN_OWNERS:
        return "password"
    if last in _SECRETS or (last == "key" and before in _KEY_OWNERS):
        return "secret"
    if last == "id" and before == "session":
        return "token"
    if last in _TOKENS and before not in _NOT_BEFORE_TOKEN:
        return "token"
    return None


SECRET_HINT = re.compile(
    "pass|pwd|psk|kennwort|contrase|senha|wachtwoord|密码|密碼|パスワード|пароль|비밀번호|pin|cvv|cvc|"
    "token(?<!wftexttoken)|bearer|jwt|cookie|session|auth|secret|key(?<!wfkey)(?<!dictionarykey)|credential|sig"
)
"""A necessary condition on a folded text that holds such a name; each branch starts with a letter,
so that the search can skip to it."""
