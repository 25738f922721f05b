"""Kinds of secrets in the published formats of their providers, with random values."""

import string
from collections.abc import Callable
from random import Random
from typing import Literal, NamedTuple

from tests.support.samples.redaction import ALNUM, DIGITS, HEX, LOWER, UPPER, name, pick, word

Half = Literal["tuning", "held_out"]
Form = Literal["prefixed", "generated", "worded"]
URL_SAFE = ALNUM + "-_"


class SecretKind(NamedTuple):
    """A kind of secret.

    `make` returns a text that contains the secret, and the secret. A `prefixed` secret has the
    format of its provider, a `generated` secret is long and random, and a `worded`
    secret is named by the words around it.
    """

    name: str
    service: str
    form: Form
    half: Half
    make: Callable[[Random], tuple[str, str]]


def _token(pattern: str) -> Callable[[Random], tuple[str, str]]:
    """Return a maker of values for a pattern: `abc_{a36}` is "abc_" and 36 random characters."""
    alphabets = {"a": ALNUM, "h": HEX, "u": URL_SAFE, "l": LOWER + DIGITS, "U": UPPER + DIGITS,
                 "d": DIGITS, "H": HEX.upper()}  # fmt: skip

    def make_secret(chance: Random) -> tuple[str, str]:
        secret = ""
        for literal, field, _, _ in string.Formatter().parse(pattern):
            secret += literal
            if field:
                characters = pick(chance, alphabets[field[0]], int(field[1:]))
                characters = characters.replace("__", "_b").replace("--", "-b")
                characters = "b" + characters[1:] if characters[0] in "-_" else characters
                secret += characters[:-1] + "x" if characters[-1] in "-_" else characters
        return secret, secret

    return make_secret


def _worded(sentence: str, make: Callable[[Random], str]) -> Callable[[Random], tuple[str, str]]:
    def make_text(chance: Random) -> tuple[str, str]:
        secret = make(chance)
        return sentence.replace("{}", secret), secret

    return make_text


def _password(chance: Random) -> str:
    return name(chance) + chance.choice("!#%&*?") + pick(chance, DIGITS, 3) + word(chance, 3)


def _digits(length: int) -> Callable[[Random], str]:
    def make_digits(chance: Random) -> str:
        return str(chance.randint(1, 9)) + pick(chance, DIGITS, length - 1)

    return make_digits


def _kinds(half: Half, form: Form, rows: dict[str, tuple[str, str]]) -> list[SecretKind]:
    return [
        SecretKind(kind, service, form, half, _token(pattern))
        for kind, (service, pattern) in rows.items()
    ]


def _sentences(
    half: Half, rows: dict[str, tuple[str, Callable[[Random], str]]]
) -> list[SecretKind]:
    return [
        SecretKind(kind, "Home", "worded", half, _worded(sentence, make))
        for kind, (sentence, make) in rows.items()
    ]


KINDS = [
    *_kinds("tuning", "prefixed", {
        "google_refresh": ("Google", "1//0{u60}"),
        "google_client_secret": ("Google", "GOCSPX-{u28}"),
        "mailgun": ("Mailgun", "key-{h32}"),
        "twilio_pair": ("Twilio", "AC{h32}:{h32}"),
        "supabase": ("Supabase", "sbp_{h40}"),
        "npm": ("npm", "npm_{a36}"),
        "xai": ("Grok", "xai-{a80}"),
        "github": ("GitHub", "ghp_{a36}"),
        "openai": ("OpenAI", "sk-proj-{u48}"),
        "stripe": ("Stripe", "sk_live_{a24}"),
        "telegram": ("Telegram", "{d9}:AA{u33}"),
        "notion": ("Notion", "ntn_{a46}"),
        "todoist_oauth": ("Grafana", "glsa_{a32}_{h8}"),
        "doppler": ("Doppler", "dp.pt.{a43}"),
        "docker": ("Docker", "dckr_pat_{u27}"),
        "pushbullet": ("Pushbullet", "o.{a32}"),
        "hubspot": ("HubSpot", "pat-na1-{h8}-{h4}-4{h3}-a{h3}-{h12}"),
        "digitalocean": ("DigitalOcean", "dop_v1_{h64}"),
        "figma": ("Figma", "figd_{u40}"),
        "vault": ("Vault", "hvs.{u90}"),
        "ntfy_topic": ("ntfy", "https://ntfy.sh/{l14}"),
        "plaid": ("Plaid", "access-production-{h8}-{h4}-4{h3}-a{h3}-{h12}"),
    }),
    *_kinds("tuning", "generated", {
        "todoist": ("Todoist", "{h40}"),
        "cloudflare": ("Cloudflare", "{u40}"),
        "pushover": ("Pushover", "{a30}"),
        "spotify_refresh": ("Spotify", "AQ{u129}"),
        "openweather": ("OpenWeather", "{h32}"),
        "readwise": ("Readwise", "{a50}"),
    }),
    *_sentences("tuning", {
        "password": ("my password is {}", _password),
        "door_code": ("door code: {}", _digits(6)),
        "pin": ("The PIN is {}", _digits(4)),
        "iphone": ("{}'s iPhone", name),
        "wifi": ("WiFi password: {}", _password),
        "tuercode": ("Türcode: {}", _digits(6)),
        "chinese": ("密码是{}", _password),
        "imei": ("my phone's IMEI is {}", _digits(15)),
        "login_pair": ("login: mira / {}", _password),
    }),
    *_kinds("held_out", "prefixed", {
        "google_access": ("Google", "ya29.{u120}"),
        "resend": ("Resend", "re_{a8}_{a24}"),
        "brevo": ("Brevo", "xkeysib-{h64}-{a16}"),
        "netlify": ("Netlify", "nfp_{a40}"),
        "planetscale": ("PlanetScale", "pscale_tkn_{u43}"),
        "databricks": ("Databricks", "dapi{h32}"),
        "airtable": ("Airtable", "pat{a14}.{h64}"),
        "anthropic": ("Claude", "sk-ant-api03-{u93}"),
        "gitlab": ("GitLab", "glpat-{u20}"),
        "linear": ("Linear", "lin_api_{a40}"),
        "postman": ("Postman", "PMAK-{h24}-{h34}"),
        "terraform": ("Terraform", "{a14}.atlasv1.{u67}"),
        "trello": ("Trello", "ATTA{h72}"),
        "sonar": ("Sonar", "squ_{h40}"),
        "adafruit": ("Adafruit", "aio_{a28}"),
        "square": ("Square", "sq0atp-{u22}"),
        "deepl": ("DeepL", "{h8}-{h4}-4{h3}-a{h3}-{h12}:fx"),
        "elevenlabs": ("ElevenLabs", "sk_{h48}"),
        "shopify": ("Shopify", "shpat_{h32}"),
        "tavily": ("Tavily", "tvly-{a32}"),
        "asana": ("Asana", "1/12{d14}:{h32}"),
        "sentry": ("Sentry", "sntryu_{h64}"),
    }),
    *_kinds("held_out", "generated", {
        "strava": ("Strava", "{h40}"),
        "toggl": ("Toggl", "{h32}"),
        "unsplash": ("Unsplash", "{u43}"),
        "oura": ("Oura", "{U32}"),
        "trakt": ("Trakt", "{h64}"),
        "line": ("LINE", "{a60}"),
    }),
    *_sentences("held_out", {
        "passcode": ("the passcode of the safe is {}", _digits(6)),
        "gate": ("Gate code {}", _digits(4)),
        "login": ("login with password {}", _password),
        "macbook": ("{}\u2019s MacBook Pro", name),
        "alarm": ("alarm PIN = {}", _digits(4)),
        "porte": ("Code de la porte : {}", _digits(6)),
        "japanese": ("パスワードは{}", _password),
        "passport": ("Passport number: {}", _digits(9)),
        "sshpass": ("sshpass -p {} ssh root@box", _password),
        "booking": ("Buchungscode: {}", _digits(7)),
        "cliente": ("número de cliente {}", _digits(8)),
        "named_behind": ("{} is the code for the gate", _digits(5)),
        "finnish": ("reitittimen salasana on {} ja tunnus mira", _password),
        "opened": ("Beim Tor einfach Code {} eintippen", _digits(5)),
        "script": ("document.querySelector('#pass').value = '{}'", _password),
    }),
]  # fmt: skip
