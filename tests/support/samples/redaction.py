"""Invented secrets and personal data, drawn from a seed so that no file contains them.

For each text finder `TEXTS` makes a text with a secret. For each field and flow finder `ACTIONS`
makes actions that contain a secret by their structure. Both return the kind of the secret, the text
or actions, and the secret.
"""

import base64
import plistlib
import string
from collections.abc import Callable
from random import Random

from stdnum import luhn
from stdnum.iso7064 import mod_97_10

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM = LOWER + UPPER + DIGITS
HEX = "0123456789abcdef"
PREFIX = "is.workflow.actions."

Action = dict[str, object]
TextMaker = Callable[[Random], tuple[str, str, str]]
ActionMaker = Callable[[Random], tuple[str, list[Action], str]]


def pick(chance: Random, alphabet: str, length: int) -> str:
    """Return random characters; if the alphabet has digits and letters, both occur."""
    while True:
        value = "".join(chance.choice(alphabet) for _ in range(length))
        kinds = {c.isdigit() for c in alphabet}, {c.isdigit() for c in value}
        cases = {c.isupper() for c in alphabet}, {c.isupper() for c in value}
        if length < 6 or (kinds[0] == kinds[1] and cases[0] == cases[1]):
            return value


def word(chance: Random, length: int = 7) -> str:
    return "".join(
        chance.choice("bdfgklmnprstvz" if i % 2 == 0 else "aeiou") for i in range(length)
    )


def name(chance: Random) -> str:
    return word(chance, chance.randint(5, 8)).capitalize()


def action(identifier: str, **parameters: object) -> Action:
    return {
        "WFWorkflowActionIdentifier": PREFIX + identifier,
        "WFWorkflowActionParameters": parameters,
    }


def token_text(text: str, attachments: dict[str, object] | None = None) -> dict[str, object]:
    return {
        "Value": {"string": text, "attachmentsByRange": attachments or {}},
        "WFSerializationType": "WFTextTokenString",
    }


def dictionary(**entries: object) -> dict[str, object]:
    items = [
        {
            "WFItemType": 0,
            "WFKey": token_text(key.replace("__", "-")),
            "WFValue": token_text(value) if isinstance(value, str) else value,
        }
        for key, value in entries.items()
    ]
    return {
        "Value": {"WFDictionaryFieldValueItems": items},
        "WFSerializationType": "WFDictionaryFieldValue",
    }


def plain(kind: str, make: Callable[[Random], str]) -> TextMaker:
    """Return a maker of texts that consist of the secret."""

    def make_text(chance: Random) -> tuple[str, str, str]:
        secret = make(chance)
        return kind, secret, secret

    return make_text


def inside(kind: str, form: str, make: Callable[[Random], str]) -> TextMaker:
    """Return a maker of texts that contain the secret in a form such as `password: {}`."""

    def make_text(chance: Random) -> tuple[str, str, str]:
        secret = make(chance)
        return kind, form.replace("{}", secret), secret

    return make_text


def card(chance: Random) -> str:
    prefix, length, groups = chance.choice(
        [("4", 16, (4, 4, 4, 4)), ("52", 16, (4, 4, 4, 4)), ("37", 15, (4, 6, 5)), ("4", 16, (16,))]
    )
    digits = prefix + pick(chance, DIGITS, length - 1 - len(prefix))
    digits += luhn.calc_check_digit(digits)
    parts, start = [], 0
    for size in groups:
        parts.append(digits[start : start + size])
        start += size
    return chance.choice(" -").join(parts)


def iban(chance: Random) -> str:
    country, length = chance.choice([("DE", 18), ("NL", 14), ("AT", 16)])
    bank = pick(chance, DIGITS, length)
    if country == "NL":
        bank = "".join(chance.choice(UPPER) for _ in range(4)) + pick(chance, DIGITS, 10)
    value = country + mod_97_10.calc_check_digits(bank + country) + bank
    if chance.random() < 0.5:
        return value
    return " ".join(value[i : i + 4] for i in range(0, len(value), 4))


def phone(chance: Random) -> str:
    area = f"{chance.randint(2, 7)}{chance.randint(0, 9)}{chance.randint(2, 9)}"
    line = f"{chance.randint(2, 9)}{pick(chance, DIGITS, 2)}", pick(chance, DIGITS, 4)
    return chance.choice(
        [
            f"+1 {area} {line[0]} {line[1]}",
            f"({area}) {line[0]}-{line[1]}",
            f"{area}-{line[0]}-{line[1]}",
            f"+49 151 {chance.randint(2, 9)}{pick(chance, DIGITS, 6)}",
            f"+44 7{chance.randint(4, 9)}{pick(chance, DIGITS, 2)} {pick(chance, DIGITS, 6)}",
            f"+8613{pick(chance, DIGITS, 9)}",
            "06 " + " ".join(pick(chance, DIGITS, 2) for _ in range(4)),
        ]
    )


def ip_address(chance: Random) -> str:
    if chance.random() < 0.3:
        return "2a0" + ":".join(f"{chance.randint(256, 65535):x}" for _ in range(8))[3:]
    return f"{chance.randint(11, 99)}." + ".".join(str(chance.randint(2, 250)) for _ in range(3))


def street(chance: Random) -> str:
    number = chance.randint(2, 999)
    return chance.choice(
        [
            f"{number} {name(chance)} Street",
            f"{number} {name(chance)} Ave",
            f"{number} North {name(chance)} Road, {name(chance)}, CA {pick(chance, DIGITS, 5)}",
            f"{name(chance)}straße {number}",
            f"{name(chance)}weg {chance.randint(2, 99)}",
            f"{number} rue de {name(chance)}",
            f"Via {name(chance)} {number}",
            f"Calle {name(chance)}, {number}",
        ]
    )


def coordinates(chance: Random) -> str:
    latitude, longitude = chance.uniform(-80, 80), chance.uniform(-170, 170)
    return f"{latitude:.6f},{' ' if chance.random() < 0.5 else ''}{longitude:.6f}"


def national_id(chance: Random) -> str:
    number = f"{chance.randint(101, 660)}-{chance.randint(10, 98)}-{chance.randint(1000, 9998)}"
    return number if number[:3] != "666" else national_id(chance)


def private_key(chance: Random) -> str:
    kind = chance.choice(["RSA ", "OPENSSH ", "EC ", ""])
    lines = "\n".join(pick(chance, ALNUM, 64) for _ in range(6))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n-----END {kind}PRIVATE KEY-----"


def jwt(chance: Random) -> str:
    header = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(f'{{"sub":"{word(chance)}"}}'.encode()).decode().rstrip("=")
    return f"{header}.{body}.{pick(chance, ALNUM, 43)}"


def vcard(chance: Random) -> str:
    number = pick(chance, DIGITS, 9)
    return (
        f"BEGIN:VCARD\nVERSION:3.0\nFN:{name(chance)} {name(chance)}\n"
        f"TEL;TYPE=CELL:+1{number}\nEND:VCARD"
    )


def nested_property_list(chance: Random) -> str:
    content = plistlib.dumps(
        {"person": name(chance), "n": word(chance, 40)}, fmt=plistlib.FMT_BINARY
    )
    return base64.b64encode(content).decode()


def password(chance: Random) -> str:
    return pick(chance, ALNUM, chance.randint(8, 16))


def hexadecimal(length: int) -> Callable[[Random], str]:
    return lambda chance: pick(chance, HEX, length)


def with_prefix(prefix: str, alphabet: str, length: int) -> Callable[[Random], str]:
    return lambda chance: prefix + pick(chance, alphabet, length)


def encoded(chance: Random) -> str:
    return base64.b64encode(f"write to {word(chance)}@{word(chance)}.org".encode()).decode()


def uuid(chance: Random) -> str:
    digits = f"a{chance.getrandbits(124):031x}".upper()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


TEXTS: dict[str, list[TextMaker]] = {
    "aws_secrets": [
        inside("aws_key", "AKIA" + "Q7Z3" * 4 + " and {}", with_prefix("", ALNUM, 40)),
        inside("aws_key", "{}\nid=ASIA" + "Q7Z3" * 4, with_prefix("", ALNUM + "/+", 40)),
    ],
    "device_ids": [
        inside("device_id", "deviceSpecific:{}:fp:/x", uuid),
        inside("device_id", "docs.icloud.com:com.apple.CloudDocs/{}/0a", uuid),
        inside("device_id", "x-coredata://{}/ICFolder/p12", uuid),
        inside("device_id", "y?accountIdentifier={}", uuid),
        inside("device_id", "com.apple.CloudDocs.iCloudDriveFileProvider/{}", uuid),
    ],
    "device_names": [
        inside("device_owner", "{}'s iPhone", name),
        inside("device_owner", "Send it to {}\u2019s MacBook Pro", name),
        inside("device_owner", "iPad von {}", name),
    ],
    "labelled_texts": [
        inside("spoken_secret", "my password is {}.", password),
        inside("spoken_secret", "The door code: {}", with_prefix("4", DIGITS, 5)),
        inside("spoken_secret", "alarm PIN {}.", with_prefix("7", DIGITS, 6)),
        inside("spoken_secret", "Here is the key for the map: {}", with_prefix("k2", ALNUM, 24)),
        inside("spoken_secret", "https://api.host.dev/key/{}/map", with_prefix("k2", ALNUM, 24)),
        inside("password", "password: {}", password),
        inside("password", 'const password = "{}";', password),
        inside("secret", '{"api_key":"{}","n":1}', hexadecimal(32)),
        inside("token", "access_token = {}", with_prefix("", ALNUM, 30)),
        inside("password", "密码\uff1a{}", password),
        inside("spoken_secret", "Le code de la porte : {}", with_prefix("4", DIGITS, 5)),
        inside("spoken_secret", "Wachtwoord van de router: {}", password),
        inside("spoken_secret", "Versicherungsnummer: {}", with_prefix("65", DIGITS, 8)),
        inside("spoken_secret", "рюкзак. Код от сейфа: {}", with_prefix("8", DIGITS, 5)),
        inside("spoken_secret", "口座番号: {}", with_prefix("3", DIGITS, 7)),
    ],
    "cookies": [
        inside("cookie", '{"Cookie":"{}"}', lambda c: f"sid={word(c, 12)}; theme={word(c)}"),
        inside("cookie", "Set-Cookie: {}", lambda c: f"sid={word(c, 12)}"),
    ],
    "encoded_texts": [plain("encoded_secret", encoded)],
    "home_hosts": [
        plain("home_host", lambda c: f"{word(c)}.{c.choice(['duckdns.org', 'synology.me'])}")
    ],
    "wireless_logins": [
        inside("password", "WIFI:T:WPA;S:Home;P:{};;", password),
        inside("password", 'networksetup -setairportnetwork en0 "My Net" {}', password),
    ],
    "authorization": [
        inside("auth_header", "Authorization: Bearer {}", with_prefix("", ALNUM, 32)),
        inside("auth_header", 'curl -H "X-Api-Key: {}"', hexadecimal(32)),
        inside(
            "auth_header", "curl -u {} https://host.example", lambda c: f"{word(c)}:{password(c)}"
        ),
    ],
    "checked_numbers": [
        plain("bank_account", iban),
        plain("payment_card", card),
        plain("national_id", national_id),
    ],
    "coordinates": [plain("coordinates", coordinates)],
    "emails": [
        plain("email", lambda c: f'"{word(c)} {word(c)}"@{word(c)}.net'),
        plain("email", lambda c: f"{word(c)}.{word(c)}@{word(c)}.{c.choice(['com', 'de'])}"),
    ],
    "generated_tokens": [
        plain("generated_token", with_prefix("", ALNUM, 40)),
        plain("generated_token", hexadecimal(32)),
        inside("generated_token", "Use {} there", with_prefix("", ALNUM, 40)),
        inside("generated_token", "https://hooks.host.dev/{}", hexadecimal(40)),
        plain("generated_token", with_prefix("", UPPER + DIGITS, 40)),
    ],
    "nested_property_lists": [
        plain("nested_property_list", nested_property_list),
        inside("password", "<key>password</key>\n\t<string>{}</string>", password),
    ],
    "network_addresses": [
        plain("ip_address", ip_address),
        plain(
            "hardware_address", lambda c: ":".join(f"{c.randint(17, 255):02x}" for _ in range(6))
        ),
    ],
    "phones": [
        plain("phone", phone),
        inside("phone", "tel:{}", with_prefix("06", DIGITS, 8)),
        inside("phone", "Mobile: {}", with_prefix("015", DIGITS, 8)),
    ],
    "private_keys": [plain("private_key", private_key)],
    "street_addresses": [plain("street_address", street)],
    "url_logins": [
        inside("url_login", "https://{}@host.example/x", lambda c: f"{word(c)}:{password(c)}")
    ],
    "url_parameters": [
        inside("url_secret", "https://host.example/v1?q=1&api_key={}&n=2", hexadecimal(24)),
        inside("url_secret", "https://host.example/v1?key={}", with_prefix("", ALNUM, 30)),
        inside("url_secret", "https://host.example/data?appid={}", hexadecimal(32)),
        inside("url_secret", "grant_type=x&client_secret={}", with_prefix("", ALNUM, 28)),
    ],
    "vcards": [plain("contact", vcard)],
    "vendor_tokens": [
        plain("aws_key", with_prefix("AKIA", UPPER + DIGITS, 16)),
        plain("github_token", with_prefix("ghp_", ALNUM, 36)),
        plain("gitlab_token", with_prefix("glpat-", ALNUM, 20)),
        plain(
            "slack_token",
            lambda c: f"xoxb-{pick(c, DIGITS, 12)}-{pick(c, DIGITS, 12)}-{pick(c, HEX, 24)}",
        ),
        plain("telegram_token", lambda c: f"{c.randint(10**8, 10**9 - 1)}:{pick(c, ALNUM, 35)}"),
        plain("sendgrid_key", lambda c: "SG." + pick(c, ALNUM, 22) + "." + pick(c, ALNUM, 43)),
        plain(
            "discord_token",
            lambda c: f"M{pick(c, ALNUM, 23)}.{pick(c, ALNUM, 6)}.{pick(c, ALNUM, 27)}",
        ),
        plain("twilio_key", with_prefix("SK", HEX, 32)),
        plain("mailchimp_key", lambda c: pick(c, HEX, 32) + "-us" + str(c.randint(1, 20))),
        plain("square_token", with_prefix("sq0csp-", ALNUM, 43)),
        plain("jwt", jwt),
        plain("google_key", with_prefix("AIza", ALNUM, 35)),
        plain("openai_key", with_prefix("sk-proj-", ALNUM, 48)),
        plain("github_token", with_prefix("github_pat_", ALNUM, 60)),
        plain("hugging_face_token", with_prefix("hf_", ALNUM, 34)),
        plain("stripe_key", with_prefix("sk_live_", ALNUM, 24)),
        plain("notion_token", with_prefix("ntn_", ALNUM, 46)),
        plain("airtable_token", lambda c: f"pat{pick(c, ALNUM, 14)}.{pick(c, HEX, 64)}"),
        plain("api_token", with_prefix("gsk_", ALNUM, 52)),
    ],
    "webhooks": [
        inside(
            "webhook",
            "https://maker.ifttt.com/trigger/lamp/with/key/{}",
            with_prefix("", ALNUM, 22),
        ),
        inside(
            "webhook",
            "https://discord.com/api/webhooks/{}",
            lambda c: f"{pick(c, DIGITS, 18)}/{pick(c, ALNUM, 60)}",
        ),
    ],
}

ALONE: frozenset[str] = frozenset()
"""Finders that recognise a secret only if the text contains nothing else."""
AT_START = frozenset({"url_parameters"})
"""Finders that recognise form bodies only at the start of a text."""


def _contact_field(chance: Random) -> tuple[str, list[Action], str]:
    secret = f"{name(chance)} {name(chance)}"
    entry = {"EntryType": 1, "SerializedEntry": {"link.contentkit.contact": secret}}
    value = {
        "Value": {"WFContactFieldValues": [entry]},
        "WFSerializationType": "WFContactFieldValue",
    }
    return "contact", [action("sendmessage", WFSendMessageActionRecipients=value)], secret


def _recipient(chance: Random) -> tuple[str, list[Action], str]:
    secret = word(chance, 12)
    return "contact", [action("sendemail", WFSendEmailActionToRecipients=secret)], secret


def _placemark(chance: Random) -> tuple[str, list[Action], str]:
    secret = f"{name(chance)} {name(chance)}"
    location = {"placemark": {"thoroughfare": secret, "location": {"latitude": 1.5, "course": -1}}}
    return "location", [action("location", WFLocation=location)], secret


def _latitude(chance: Random) -> tuple[str, list[Action], str]:
    secret = f"{chance.uniform(10, 80):.5f}"
    return "location", [action("dictionary", WFItems=dictionary(latitude=secret))], secret


def _header(chance: Random) -> tuple[str, list[Action], str]:
    secret = pick(chance, ALNUM, 20)
    headers = dictionary(Accept="text/plain", Authorization=f"Bearer {secret}")
    return "auth_header", [action("downloadurl", WFHTTPHeaders=headers)], secret


def _key_header(chance: Random) -> tuple[str, list[Action], str]:
    secret = word(chance, 14)
    return (
        "auth_header",
        [action("downloadurl", WFHTTPHeaders=dictionary(X__Api__Key=secret))],
        secret,
    )


def _cookie(chance: Random) -> tuple[str, list[Action], str]:
    secret = f"sid={word(chance, 20)}"
    return "cookie", [action("downloadurl", WFHTTPHeaders={"Cookie": secret})], secret


def _password_field(chance: Random) -> tuple[str, list[Action], str]:
    secret = f"{word(chance)} {word(chance)}"
    return "password", [action("runsshscript", WFSSHPassword=secret)], secret


def _token_entry(chance: Random) -> tuple[str, list[Action], str]:
    secret = word(chance, 12)
    values = {"outer": [{"access_token": secret, "max_tokens": 4096}]}
    return "token", [action("dictionary", WFItems=values)], secret


def _login(chance: Random) -> tuple[str, list[Action], str]:
    secret = word(chance, 9)
    return "server_login", [action("runsshscript", WFSSHUser=secret, WFSSHPort="22")], secret


def _named_output(chance: Random) -> tuple[str, list[Action], str]:
    secret = word(chance, 15)
    return (
        "secret",
        [action("gettext", WFTextActionText=secret, CustomOutputName="API Key", UUID="A")],
        secret,
    )


def _named_variable(chance: Random) -> tuple[str, list[Action], str]:
    secret = word(chance, 15)
    return (
        "token",
        [
            action("gettext", WFTextActionText=token_text(secret)),
            action("setvariable", WFVariableName="Access Token"),
        ],
        secret,
    )


def _asked_secret(chance: Random) -> tuple[str, list[Action], str]:
    secret = word(chance, 15)
    question = "What is your API key?"
    return (
        "secret",
        [action("ask", WFAskActionPrompt=question, WFAskActionDefaultAnswer=secret)],
        secret,
    )


def _joined_texts(chance: Random) -> tuple[str, list[Action], str]:
    secret = pick(chance, ALNUM, 17)
    variable_token = {"Type": "Variable", "VariableName": "One"}
    joined = token_text(f"hf_{pick(chance, ALNUM, 17)}\ufffc", {"{20, 1}": variable_token})
    return (
        "joined_secret",
        [
            action("gettext", WFTextActionText=secret),
            action("setvariable", WFVariableName="One"),
            action("gettext", WFTextActionText=joined),
        ],
        secret,
    )


def _storage_item(chance: Random) -> tuple[str, list[Action], str]:
    secret = f"x{word(chance, 20)}"
    storage_location = {"displayName": "Notes", "fileLocation": {"crossDeviceItemID": secret}}
    return "device_id", [action("documentpicker.open", WFFile=storage_location)], secret


def _picked_team(chance: Random) -> tuple[str, list[Action], str]:
    secret = pick(chance, ALNUM, 10)
    app = {"BundleIdentifier": "org.fern", "Name": "Fern", "TeamIdentifier": secret}
    return "device_id", [action("openapp", WFSelectedApp=app)], secret


def _asked_phone(chance: Random) -> tuple[str, list[Action], str]:
    secret = f"{chance.randint(2, 7)}{chance.randint(10, 99)}555{chance.randint(1000, 9999)}"
    question = "Who shall be called?"
    ask = action("ask", WFAskActionPrompt=question, WFAskActionDefaultAnswer=secret)
    return "phone", [ask], secret


def _import_answer(chance: Random) -> tuple[str, list[Action], str]:
    secret = word(chance, 15)
    return "import_answer", [action("gettext", WFTextActionText=secret)], secret


ACTIONS: dict[str, list[ActionMaker]] = {
    "personal_fields": [
        *(_storage_item, _picked_team, _contact_field, _recipient),
        *(_placemark, _latitude, _login),
    ],
    "joined_texts": [_joined_texts],
    "labelled_actions": [
        *(_asked_phone, _asked_secret, _import_answer, _named_output, _named_variable)
    ],
    "secret_fields": [_password_field, _token_entry, _header, _key_header, _cookie],
}

QUESTION = {
    "ActionIndex": 0,
    "ParameterKey": "WFTextActionText",
    "Text": "What is your home address?",
}
"""The import question of the samples of `labelled_actions`."""
