"""Labels of secrets: revealing names of parameters, variables and questions.

All finders that judge a value by its label share this vocabulary. It is matched in folded texts.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import msgspec

from benchloom.core.plain_words import NAME_WORD, title_words
from benchloom.normalise.redaction.finders import any_of, folded
from benchloom.normalise.redaction.placeholders import is_instruction, is_stand_in, unnamed

EDGE = r"(?<![a-zà-ÿ])"
_J = "[ _'\u2019-]"
PASSWORDS = (
    r"pass(?:word|wort|code|phrase|wd)|kennwort|mots? de passe|palavra.passe|contrase[ñn]a|senha|"
    rf"(?:db|ftp|imap|mail|root|smtp|ssh|sudo|user){_J}?pass(?![a-z])|(?:backup|recovery){_J}codes?|"
    r"wachtwoord|parola(?: d.ordine)?|hasło|пароль|密码|密碼|口令|パスワード|비밀번호|암호|"
    r"contrasenya|lösenord|passord|adgangskode|salasana|heslo|jelszó|şifre|κωδικός|mật khẩu|"
    r"kata sandi|รหัสผ่าน|סיסמה|كلمة (?:السر|المرور)|पासवर्ड|"
    rf"(?:wi.?fi|wlan|network|netzwerk){_J}?(?:key|schlüssel)|"
    r"(?:clé|clave|chave|chiave) (?:(?:de|da|do|du|del|della) )?(?:la |l.)?(?:wi.?fi|red|rede)"
)
_LOCK = (
    r"(?:door|gate|garage|garaje|garagem|coffre|cassaforte|setup|pairing|alarm|building|house|home|entry|entrance|access|lock|safe|locker|security|"
    r"pass|key ?pad|key ?box|lock ?box|unlock|voicemail|office|elevator|card|bank|atm|sim|parking|"
    r"wi.?fi|guest|gym|bike|tür|haus(?:tür)?|tor|garagen|zugangs?|zutritts?|tresor|schloss|"
    r"porte|portail|alarme|immeuble|accès|entrée|puerta|alarma|entrada|acceso|tarjeta|caja|porta|"
    r"portão|acesso|cartão|cancello|portone|allarme|accesso|carta|двери|домофона|подъезда|сейфа|карты)"
)
_LOCK_OF = rf"(?:{_J}[\w\u2019']{{1,7}}){{0,3}}?{_J}(?:[dl].)?{_LOCK}(?![a-zà-ÿ])"
CODES = (
    rf"{EDGE}(?:{_LOCK}{_J}?(?:code|pin|puk|combination|combo|kombination)|"
    rf"(?:code|codice|c[óo]digo|pin|[ck]ombination|combinaison|combinación|код){_LOCK_OF}|"
    rf"code{_J}pin|pin{_J}?(?:code|number|nummer)|puk|cv[vc]2?|digicode|geheimzahl|пин.?код)|"
    r"暗証番号|门禁码|門禁碼"
)
NUMBERS = (
    rf"{EDGE}(?:imei|meid|iccid|udid|ssn|nino|dni|cpf|bsn|iban|(?:device|advertising){_J}?id|idf[av]|"
    rf"date{_J}of{_J}birth|birth{_J}?date|geburtsdatum|date{_J}de{_J}naissance|data{_J}di{_J}nascita|"
    rf"fecha{_J}de{_J}nacimiento|дата рождения|codice{_J}fiscale|"
    rf"serial{_J}?n(?:umber|o)|passport(?:{_J}?n(?:umber|o))?|national{_J}insurance(?:{_J}n(?:umber|o))?|"
    rf"(?:credit|debit|bank){_J}?card(?:{_J}?n(?:umber|o))?|driver.?s{_J}licen[cs]e|"
    rf"(?:card|account|routing|tax|insurance|social{_J}security|licen[cs]e){_J}?n(?:umber|o)|license{_J}?plate|kfz-kennzeichen|"
    rf"n[uú]m[ée]ro{_J}d\w{{1,3}}{_J}(?:l[a']{_J}?)?(?:s[ée]rie|sécurité sociale|seguridad social|"
    r"passe?port|pasaporte|passaporto|compte|cuenta|conto|conta|carte|carta|tarjeta|cartão)|"
    rf"(?:serien|(?:reise)?pass|(?:personal)?ausweis|steuer|sozialversicherungs|versicherten|konto|"
    rf"kreditkarten){_J}?n(?:umme)?r|steuer{_J}?id|инн|снилс|паспорт|"
    r"номер (?:карты|счета))|"
    r"身份证号?|护照号码?|序列号|银行卡号?|シリアル番号|マイナンバー|口座番号|パスポート番号|出生日期|生年月日"
)
PHRASES = rf"(?:recovery|seed|backup|secret|wallet){_J}(?:phrase|words)|mnemonic|security{_J}answer"
_WORDS = {"password": f"{PASSWORDS}|{CODES}|{PHRASES}", "personal_number": NUMBERS}
_IN_QUESTIONS = {kind: re.compile(words) for kind, words in _WORDS.items()}
_AT_THE_END = {kind: re.compile(rf"(?:{words})s?\Z") for kind, words in _WORDS.items()}
_PASSWORDS = frozenset({"psk", "pwd"})
_SHORT_PASSWORDS = frozenset({"pin", "pass", "pw", "clave"})
_OWNERS = frozenset({"", "my", "phone", "wfssh", "user"})
_QUALIFIERS = re.compile(
    r"(?i)(?:[\s_.-]*(?:\d+|wi.?fi|wlan|admin|root|prod(?:uction)?|staging|ssh|ftp|smtp|imap|nas|db)"
    r"(?![^\W\d_]))+\s*\Z"
)
"""What a secret is for, behind its name: "password_wifi", "token 2"."""
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


def words_of(name: str) -> tuple[str, ...]:
    """Split a camel-case, snake-case or spoken name into lower-case words."""
    return tuple(word.lower() for word in NAME_WORD.findall(name))


@lru_cache(maxsize=1 << 14)
def secret_kind(name: str) -> str | None:
    """Return the kind of secret that a value with this name is, or None.

    "api_key", "Access Token" and "door code" name secrets; "max_tokens" and "key" do not.
    """
    if len(name) > 64:
        return None
    name = _QUALIFIERS.sub("", unnamed(name))
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
    text = title_words(name)
    return next((kind for kind, label in _AT_THE_END.items() if label.search(text)), None)


def question_kind(question: str) -> str | None:
    """Return the kind of secret that a question asks for: "Enter your Todoist token"."""
    low = folded(question)
    if not SECRET_HINT.search(low):
        return None
    kinds = [secret_kind(" ".join(pair)) for pair in pairwise(["", *words_of(question)])]
    kinds += [kind for kind, label in _IN_QUESTIONS.items() if label.search(low)]
    return next((kind for kind in kinds if kind is not None), None)


def literal_text(value: object) -> str | None:
    """Return the text of a dictionary key, None if the key is not a literal."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        inner = value.get("Value")
        inner = inner.get("string") if isinstance(inner, dict) else inner
        return inner if isinstance(inner, str) else None
    return None


def literal_of(encoded: str) -> str:
    """Return the text or number that an author typed into an encoded argument, or nothing."""
    value = msgspec.json.decode(encoded)
    text = str(value) if isinstance(value, int) else literal_text(value)
    return (text or "").strip()


def is_personal_number(value: str) -> bool:
    """Whether a value can be the number of a device, a document or an account."""
    letters = [character for character in value if character.isalnum()]
    return len(letters) >= _LEAST_NUMBER and sum(map(str.isdigit, letters)) * 4 >= len(letters)


class Label(NamedTuple):
    """Which texts, and which numbers as texts, are values in a field with a label of this kind."""

    is_value: Callable[[str], bool]
    is_number: Callable[[str], bool]
    needs_digit: bool = True


_LINK = re.compile(r"(?:app-)?prefs:|[a-z][a-z0-9+.-]{1,20}://", re.IGNORECASE)
"""A link is not a password; patterns find the secrets in it."""


def _is_password(value: str) -> bool:
    return not (is_instruction(value) or _LINK.match(value))


def _is_generated(value: str) -> bool:
    # Nobody's generated token is a sentence: "Enter your login, please" asks for one.
    words = value.split()
    is_sentence = len(words) > 2 and all(map(str.isalpha, words))
    return len(value) > 3 and not (is_sentence or is_stand_in(value) or _LINK.match(value))


# A number behind "token" or "session" counts something; behind "password" it is one.
_GENERATED = Label(_is_generated, lambda _: False)
LABELS = {
    "password": Label(_is_password, bool, needs_digit=False),
    "personal_number": Label(is_personal_number, is_personal_number),
    "secret": _GENERATED,
    "token": _GENERATED,
}
"""The kinds that `secret_kind` returns."""


def is_labelled_number(kind: str, number: float) -> bool:
    """Whether a number in a field of this kind is a value."""
    return kind in LABELS and LABELS[kind].is_number(str(number))


PASSWORD_STEMS = (
    "pass|kennwort|mots? de|palavra|contrase|senha|wachtwoord|parola|hasło|密|口令|パス|пароль|"
    "비밀번호|암호|lösen|adgangs|salasana|heslo|jelszó|şifre|κωδικ|mật |"
    "kata sandi|รหัส|סיסמה|كلمة|पास|wi.?fi|wlan|network|netzwerk|clé |clave |chave |chiave |codes"
)
CODE_STEMS = "code|codice|c[óo]digo|код|pin|puk|cv[vc]|comb|komb|geheimzahl|пин|暗証|门禁|門禁"
NUMBER_STEMS = (
    "imei|meid|iccid|udid|ssn|nino|dni|cpf|bsn|iban|idf[av]|device.?id|advertising|serial.?n|serien|"
    "insurance|card|driver.?s|account.?n|routing.?n|tax.?n|security.?n|licen[cs]e.?[np]|kfz|"
    "n[uú]m[ée]ro.d|passport|pass.?n|ausweis|steuer|sozialv|versicherten|konto|kredit|birth|geburts|"
    "naissance|nascita|nacimiento|рожд|инн|снилс|паспорт|номер|身份证|护照|序列号|银行卡|シリアル|"
    "マイナンバー|口座|パスポート|出生|生年|fiscale"
)
SECRET_STEMS = (
    f"{PASSWORD_STEMS}|{CODE_STEMS}|{NUMBER_STEMS}|pwd|psk|phrase|words|mnemonic|security.?answer|"
    "token(?<!wftexttoken)|bearer|jwt|cookie|session|auth|secret|key(?<!wfkey)(?<!dictionarykey)|"
    "credential|sig"
)
SECRET_HINT = re.compile(any_of(SECRET_STEMS.split("|")))
"""A necessary condition on a folded text that holds such a name."""
