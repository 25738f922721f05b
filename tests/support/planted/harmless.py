"""Harmless texts that look like secrets."""

import base64
import hashlib
from random import Random

from tests.support.planted.kinds import Half
from tests.support.samples.redaction import ALNUM, DIGITS, HEX, LOWER, name, pick, word

_TEMPLATES: dict[Half, list[str]] = {
    "tuning": [
        "sha256: {sha256}",
        "The empty file has the SHA-256 {nothing256}",
        "{nothing256}",
        "md5 of nothing: {nothing5}",
        "Write to support@apple.com about it",
        "contact: {word}@example.com",
        "AKIA" + "IOSFODNN7" + "EXAMPLE",
        "https://www.icloud.com/shortcuts/{h32}",
        "https://github.com/{word}/{word}/commit/{h40}",
        "https://gist.github.com/{word}/{h32}",
        "https://www.youtube.com/watch?v={a11}",
        "Enter your password below",
        "The password is required.",
        "Your password is wrong, please try again",
        "password: ********",
        "api_key=YOUR_API_KEY",
        "Authorization: Bearer <token>",
        "Get an API key for free at openweathermap.org",
        "The token is stored in the variable Token",
        "Here is the key for the map: green means open",
        "zip code: {d5}",
        "Error code: {d3}",
        "barcode: {d13}",
        "promo code: SUMMER{d2}",
        "Today's iPhone has no button",
        "Apple's iPhone and a Mac",
        "Rename your iPhone",
        "{uuid}",
        "com.{word}.{word}.{word}.extension",
        "{camel}",
        "{snake}",
        "{date}_{word}_{word}_final_v2.pdf",
        "iPhone14,{d1}",
        "0 0 512 512 M{d3}.5 {d3}.25 L{d2}.75 {d3}.5 Z",
        "data:image/png;base64,iVBORw0KGgo{a60}",
        "{plain64}",
        "git checkout {h7}",
        "commit {h40}",
        "UA-{d8}-1",
        "Meet at {d1}:30 pm, gate {d2}, seat {d2}A",
        "Key of C major, key of G minor",
        "token_type: bearer, expires_in: 3600",
        "max_tokens: 4096",
        "Swift.Dictionary<String, Any>",
        "en-US,en;q=0.9,de;q=0.{d1}",
        "#{h6}, #{h6}, rgb(12, 44, {d2})",
        "The code {d4} lines long takes an hour to read",
        "Code is poetry: write {d3} lines a day",
        "Press the key and hold it for {d2} seconds",
        "isbn {d13}",
        "Fehlercode: {d4}",
        "código postal: {d5}",
        "Artikelnummer: {d8}",
        "Passwords must contain {d1} digits",
        "password: !secret wifi_password",
    ],
    "held_out": [
        "checksum (sha1) {sha1}",
        "SHA1 of the empty file {nothing1}",
        "4b825dc642cb6eb9a060e54bf8d69288fbee4904 is the empty tree",
        "etag: {h32}",
        "Mail to help@routinehub.co",
        "feedback@microsoft.com answers soon",
        "{word}@example.org and {word}@example.net",
        "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY",
        "https://www.icloud.com/shortcuts/api/records/{h32}",
        "https://github.com/{word}/{word}/blob/{h40}/README.md",
        "https://open.spotify.com/track/{a22}",
        "https://apps.apple.com/app/id{d10}",
        "https://youtu.be/{a11}",
        "Choose a password with at least {d2} characters",
        "Passwords are never stored.",
        "Is the passcode correct? It is asked for twice.",
        "secret: [hidden]",
        "token = $TOKEN",
        "-H 'X-API-Key: {{key}}'",
        "Paste the API key of your account here",
        "A door code is sent to you by text",
        "The key to success is patience",
        "country code: +{d2}",
        "status code {d3}",
        "QR code: scan it with the camera",
        "discount code WELCOME{d2}",
        "What's iPhone mirroring?",
        "My iPhone's battery is low",
        "Choose an iPad or a MacBook Pro",
        "urn:uuid:{uuid}",
        "is.workflow.actions.{word}.{word}.{word}",
        "{camel}{camel}",
        "{snake}_{snake}",
        "IMG_{d4}_{date}_{word}.heic",
        "Mac14,{d1} and Watch6,{d1}",
        "<path d='M{d2}.{d3} {d2}.{d3}c0-{d1}.{d2} 3.{d2}-7 7-7h{d2}'/>",
        "data:application/pdf;base64,JVBERi0xLjQK{a80}",
        "integrity='sha384-{a64}'",
        "rev {h12} of {date}",
        "md5 {h32}",
        "order {d10} was shipped",
        "Flight LH{d3} to Porto Alto on {date}",
        "Press any key to continue",
        "next_page_token, sync_token, session_count",
        "Temperature {d2}.{d1} degrees, wind {d2} km/h",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_{d1} like Mac OS X) AppleWebKit/605.1.15",
        "text/html; charset=utf-8; boundary=----WebKitFormBoundary",
        "linear-gradient(90deg, #{h6} 0%, #{h6} 100%)",
        "{d4} steps, {d3} minutes, {d2} floors",
        "Use code blocks for {d4} or more characters",
        "digest [{sha256}] of the file",
        "SHA512: see the release page, file {word}-{d1}.{d1}.tar.gz",
        "Checksums: {h32} (md5), {sha1} (sha1)",
        "https://raw.githubusercontent.com/{word}/{word}/{h40}/{word}.json",
        "https://upload.wikimedia.org/wikipedia/commons/a/a1/{h32}.jpg",
        "https://open.spotify.com/playlist/{a22}",
        "https://vimeo.com/{d8}",
        "tt{d7} on the film page",
        "Your PIN must have four digits",
        "Forgot the PIN? Ask for a new one.",
        "The tokens are counted: {d4} of 8000",
        "A secret ingredient: {d2} g of sugar",
        "Keys: left {d1}, right {d1}",
        "key {d1} of {d2}",
        "pass code review before {date}",
        "combination of {d2} colours",
        "access code, door code and gate code are asked for",
        "The gate opens at {d1}:{d2}",
        "safe for {d2} people",
        "no-reply@{word}.com sent this",
        "privacy@apple.com",
        "iPhone de 128 GB",
        "Which is faster, the iPad or the MacBook Air?",
        "The user's iPhone shows the alert",
        "version {d1}.{d2}.{d3} build {d5}",
        "rows {d3}, {d3} and {d4}",
        "SHA-256 of {word}.zip is {sha256}",
        "Last commit by {word}: {h40}",
        "https://github.com/{word}/{word}/archive/{h40}.zip",
        "The door is closed at {d2}:{d2}",
        "The lock screen shows {d1} widgets",
        "Home code of conduct, {d2} rules",
        "Use the passcode of your iPhone to go on",
        "An access token is needed for this step",
        "Which token should be used?",
        "the secret of {word} is patience and {d2} eggs",
        "https://i.imgur.com/{a7}.png",
        "https://www.google.com/maps/search/{word}+{word}",
        "spotify:track:{a22}",
        "[{d3}, {d3}, {d4}, {d1}]",
        "Wed, 1{d1} Jun 2024 10:{d2}:00 GMT",
        "kern: {d2}px; key frames: {d3}",
        "Serial numbers are on the back of the Mac mini",
        "postmaster@{word}.net",
        "Answer {d1}, question {d2}, page {d3}",
        "WFWorkflowActionIdentifier, WFSerializationType, WFTextTokenString",
        "file hash of the download: {sha256}",
        "build {h40} from Monday",
        "https://cdn.{word}.com/assets/{h32}.css",
        "photo {h32}.jpg in the album",
        "https://music.apple.com/album/{word}/{d10}",
        "Wait {d4} ms, then retry {d1} times",
        "What is a passkey? It replaces passwords on {d1} devices.",
        "Ask for the password, then check that it has {d2} letters",
        "There is no password on this file.",
        "api version {d4}-0{d1}-1{d1}",
        "the key is {word}",
        "Key: value pairs, one per line",
        "secretary of the {word} club since {d4}",
        "code: {word}",
        "The code is {d2} years old",
        "pincode of the region: see the map",
        "a token of thanks from {d3} readers",
        "helpdesk@{word}.org",
        "My MacBook, your iPad and her iPhone",
        "Here's iPadOS {d2}",
        "font-family: '{camel}'; width: {d4}px",
        "Ref. {d4}-{d2}/{d3}",
        "tracking number in the mail",
        "$.data[{d1}].items[{d2}].name",
        "SELECT {word} FROM {word} WHERE {word} = {d4}",
    ],
}
PER_TEMPLATE = 5


def _fill(template: str, chance: Random) -> str:
    text = template
    digest = hashlib.sha256(str(chance.random()).encode())
    fixed = {
        "sha256": digest.hexdigest(),
        "sha1": hashlib.sha1(digest.digest()).hexdigest(),  # noqa: S324 - no secret depends on it
        "nothing256": hashlib.sha256(b"").hexdigest(),
        "nothing1": hashlib.sha1(b"").hexdigest(),  # noqa: S324  a digest of nothing, not a secret
        "nothing5": hashlib.md5(b"").hexdigest(),  # noqa: S324  a digest of nothing, not a secret
        "plain64": base64.b64encode(f"Walk to {name(chance)}, then rest a while".encode()).decode(),
        "date": f"20{chance.randint(10, 26)}-0{chance.randint(1, 9)}-1{chance.randint(0, 9)}",
        "camel": "".join(name(chance) for _ in range(4)),
        "snake": "_".join(word(chance) for _ in range(4)),
        "{key}": "{{key}}",
    }
    for field, value in fixed.items():
        text = text.replace("{" + field + "}", value)
    while "{word}" in text:
        text = text.replace("{word}", word(chance), 1)
    while "{uuid}" in text:
        digits = f"{chance.getrandbits(128):032x}"
        parts = (digits[:8], digits[8:12], "4" + digits[13:16], "a" + digits[17:20], digits[20:])
        text = text.replace("{uuid}", "-".join(parts), 1)
    for letter, alphabet in (("a", ALNUM), ("h", HEX), ("d", DIGITS), ("l", LOWER)):
        for length in (80, 64, 60, 40, 32, 22, 13, 12, 11, 10, 8, 7, 6, 5, 4, 3, 2, 1):
            while f"{{{letter}{length}}}" in text:
                value = pick(chance, alphabet, length)
                text = text.replace(f"{{{letter}{length}}}", value, 1)
    return text


def harmless_texts(half: Half, seed: int) -> list[tuple[str, str]]:
    """Return texts drawn from the templates of a half, each with its template."""
    chance = Random(seed)
    return [
        (template, _fill(template, chance))
        for template in _TEMPLATES[half]
        for _ in range(PER_TEMPLATE)
    ]
