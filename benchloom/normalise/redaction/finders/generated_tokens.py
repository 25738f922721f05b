"""Find generated tokens of unknown vendors: whole texts, or runs of characters in a text.

Prose, names, identifiers and UUIDs do not count: a token is one run of 28 to 200 characters that
mixes cases or letters with digits, or of hexadecimal digits. A run inside a text does not count if
the words beside the run say that it is public: a digest, a commit, a picture, the id of a page or a
video.
"""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import (
    UUID_FORM,
    Span,
    TextFinder,
    changes_of_kind,
    entropy,
)
from benchloom.normalise.redaction.finders.encoded_texts import LOGIN, decoded_text

_IN_TOKENS = "A-Za-z0-9_+/-"
_TOKEN = re.compile(r"\s*([A-Za-z0-9_-]{28,200}|[A-Za-z0-9+/]{28,200}={0,2})\s*")
_RUN = re.compile(r"(?<![A-Za-z0-9_+=-])[A-Za-z0-9_-]{28,200}(?![A-Za-z0-9_+=-])")
_BEFORE = 120
_PUBLIC_BEFORE = re.compile(
    r"(?i)(?:sha-?\d{0,3}|md5|digests?|checksums?|crc|commits?|revision|rev|tag|hash|blob|tree|fingerprint|"
    r"integrity|uuid|guid|checkout|cherry-pick|base64,?|identifier|\bid|bundle|version|etag|glyph|font|"
    r"class|sprite|model|track|playlist|album|artist|watch\?v|watch|video|embed|shortcuts?|records|"
    r"gist\.github\S{0,80}|wiki|image|img|photo|thumb|thumbnail|media|cdn\S{0,60}|assets?|static|"
    r"mzstatic\S{0,100}|twimg\S{0,80}|pbs|imgur\S{0,40}|giphy\S{0,60}|gstatic\S{0,60}|"
    r"githubusercontent\S{0,100}|raw|docs\.google\S{0,60}|drive\.google\S{0,60}|archive|releases?|package|store|catalog)"
    r"[\s:=/()'\"\[\]{}<>\\,#@-]{0,4}(?:is\s|of\s)?$"
)
_PUBLIC_BEHIND = re.compile(
    r"(?i) {2}\*?[\w./-]{1,80}|[\s'\"]{0,2}[(,-]\s?(?:md5|sha-?\d|checksum|digest|commit)|"
    r"[^\s\"'<>?#]{0,200}\.(?:png|jpe?g|gif|svg|webp|heic|ico|mp[34]|mov|m4a|wav)\b|"
    r"[\w.-]{0,40}\.(?:css|js|html?|woff2?|ttf|zip|dmg|ipa|pdf)\b"
)
"""Matches text after a run that makes the run public: the rest of an address of a picture, sound or
film, or the name of a file after its digest."""
_DIGEST = re.compile(
    r"(?i)\b(?:sha-?\d{0,3}(?:sum)?|md5(?:sum)?|crc\d*|digests?|checksums?|hash(?:es)?|commits?|revision|etag|build|"
    r"fingerprint|blob|snapshot|signature of)\b[^\n]{0,48}(?:\n[^\n]{0,24})?$"
)
"""Matches words that make hexadecimal digits in the same or the next line a digest."""
_DATA = re.compile(r"(?:\\[rn/]|[A-Za-z0-9+/=\r\n])+")
_DATA_BEFORE = re.compile(r"(?:[rn/]\\|[A-Za-z0-9+/=\r\n])+")
"""Matches reversed Base64 data before a run, perhaps with escaped line ends; `_DATA` matches such
data after the run."""
_LEAST_DATA = 240
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_HEX_LENGTHS = frozenset({32, 40, 48, 64, 96, 128})


_WORD = "[a-zß-ž]{3,8}"
_SEED_PHRASE = re.compile(
    rf"(?m)(?:^|[:\u2192])[ \t\"']{{0,3}}((?:{_WORD},? ){{11}}"
    rf"(?:(?:{_WORD},? ){{3}}){{0,4}}{_WORD})[ \t\"'.]{{0,3}}$"
)
"""Matches the 12, 15, ... or 24 words from which a wallet is restored, alone in a line or after a
sign."""
_FUNCTION_WORD = re.compile(
    r"the|and|for|with|from|are|was|not|but|has|can|all|any|his|her|its|our|der|die|das|und|ist|nicht|"
    r"mit|ein|eine|von|auf|für|den|dem|les|des|une|est|pas|pour|dans|avec|sur|que|qui|los|las|del|por|"
    r"con|para|como|más|una|non|per|sono|della|che|het|een|van|voor|met|niet|som|och|det|ikke|nie|jest"
)


def _find(text: str) -> Iterable[Span]:
    for phrase in _SEED_PHRASE.finditer(text):
        if _is_seed_phrase(phrase[1].replace(",", "").split()):
            yield Span(phrase.start(1), phrase.end(1), "seed_phrase")
    whole = _TOKEN.fullmatch(text)
    if whole is not None:
        if _is_generated(whole[1]):
            yield Span(whole.start(1), whole.end(1), "generated_token")
        return
    for match in _RUN.finditer(text):
        start, end = match.span()
        # Hyphens can join a token to words.
        is_token = any(map(_is_generated, {match[0], max(match[0].split("-"), key=len)}))
        if is_token and not _is_public(text, start, end):
            yield Span(start, end, "generated_token")


def is_named_digest(name: str, value: str) -> bool:
    """Return whether a text before hex digits names a digest, as in "sha1 of update.pkg"."""
    return _HEX.fullmatch(value) is not None and _DIGEST.search(name) is not None


def _is_seed_phrase(words: list[str]) -> bool:
    return len(set(words)) == len(words) and not any(map(_FUNCTION_WORD.fullmatch, words))


def _is_public(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - _BEFORE) : start]
    is_digest = _HEX.fullmatch(text, start, end) is not None and _DIGEST.search(before) is not None
    return (
        is_digest
        or _is_data(text, start, end)
        or _PUBLIC_BEFORE.search(before) is not None
        or _PUBLIC_BEHIND.match(text, end) is not None
    )


def _is_data(text: str, start: int, end: int) -> bool:
    # Base64 of a picture or a file is longer than any token.
    before = _DATA_BEFORE.match(text[max(0, start - _LEAST_DATA) : start][::-1])
    behind = _DATA.match(text, end, end + _LEAST_DATA)
    first = start - (before.end() if before else 0)
    last = behind.end() if behind else end
    return last - first >= _LEAST_DATA


def _is_generated(value: str) -> bool:
    if UUID_FORM.fullmatch(value) or value.isdigit():
        return False
    if _is_encoded_text(value):
        return False
    groups = value.split("-")
    if len(groups) > 3 and len(set(map(len, groups))) == 1:
        value = "".join(groups)  # The key of a licence.
    if _HEX.fullmatch(value):
        return len(value) in _HEX_LENGTHS and entropy(value) > 3.0
    digits = sum(map(str.isdigit, value))
    if min(sum(map(str.isupper, value)), sum(map(str.islower, value))) < 3:
        letters = sum(map(str.isalpha, value))
        is_mixed = min(digits, letters) >= 5 and digits + letters == len(value)
        return is_mixed and entropy(value) > 3.6 and changes_of_kind(value) > len(value) / 6
    if not digits:
        return False
    return entropy(value) > 4.2 and changes_of_kind(value) > len(value) / 3


def _is_encoded_text(value: str) -> bool:
    # An encoded login does not count as text.
    text = decoded_text(value)
    return text is not None and LOGIN.fullmatch(text) is None


FINDER = TextFinder(
    kinds=("generated_token", "seed_phrase"),
    hint=re.compile(
        # Matched where a word begins: that is three times as fast as at every letter.
        rf"(?<![{_IN_TOKENS}])(?:(?!{UUID_FORM.pattern}(?![{_IN_TOKENS}]))[{_IN_TOKENS}]{{28}}|"
        r"(?:[a-zß-ž]{3,9},? ){11})"
    ),
    find=_find,
    in_rendered=False,
    in_ids=False,
    general=("generated_token",),
)
