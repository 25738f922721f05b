"""This module parses iCloud's responses about shared shortcuts, without network and disk.

Ids of people and devices are never read; `scrub` removes them before a response is stored.
"""

import re
from datetime import UTC, datetime
from urllib.parse import quote, urlsplit

import msgspec

from scrapers.pages.html import member, words

RECORDS = "https://www.icloud.com/shortcuts/api/records/"
ASSET_FIELDS = ("shortcut", "signedShortcut")
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MAX_REDIRECTS = 3
LARGEST_ASSET = 64 * 1024 * 1024
_ASSET_HOSTS = ("icloud-content.com", "icloud.com")
_MAGIC = (b"bplist00", b"AEA1", b"<?xml", b"<plist", b"<!DOCTYPE plist")


class Asset(msgspec.Struct, frozen=True):
    """A file of an iCloud record.

    `field` is the field of the record with the file. `url` works for about an hour. `size` is the
    length in bytes.
    """

    field: str
    url: str
    size: int | None


class RecordAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A response of iCloud's API for records of shared shortcuts.

    `state` is `found`, `deleted`, `missing` (status 404), `private` or `failed`. `assets` are the
    files of the shortcut.
    """

    state: str
    reason: str | None = None
    name: str | None = None
    created: str | None = None
    modified: str | None = None
    icon_color: int | None = None
    icon_glyph: int | None = None
    signing_status: str | None = None
    signing_certificate_expires: str | None = None
    malicious_scanning_version: int | None = None
    record_change_tag: str | None = None
    assets: tuple[Asset, ...] = ()


def record_url(icloud_id: str) -> str:
    """Return the address of a record in iCloud's API.

    Unlike the web page of a link, the API says whether the record exists.
    """
    return RECORDS + icloud_id


def read_record(status: int, body: bytes) -> RecordAnswer:
    """Parse a response of iCloud's API for records, which may report errors in its body only."""
    try:
        value: object = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        value = None
    error = _error(value)
    if status == 404:
        return RecordAnswer(state="missing", reason=error or "HTTP 404")
    if status in {401, 403}:
        return RecordAnswer(state="private", reason=error or f"HTTP {status}")
    if error is not None:
        private = any(mark in error.lower() for mark in ("private", "access", "permission"))
        return RecordAnswer(state="private" if private else "failed", reason=error)
    if status != 200 or not isinstance(member(value, "fields"), dict):
        return RecordAnswer(state="failed", reason=f"HTTP {status} without a record")
    return _record(value)


def _error(value: object) -> str | None:
    flag = member(value, "error")
    code = words(member(value, "serverErrorCode"))
    if not flag and code is None:
        return None
    return (words(member(value, "reason")) or code or "an error body")[:200]


def _record(value: object) -> RecordAnswer:
    deleted = member(value, "deleted") is True
    return RecordAnswer(
        state="deleted" if deleted else "found",
        reason="deleted by its owner" if deleted else None,
        name=words(_field(value, "name")),
        created=_moment(member(value, "created", "timestamp")),
        modified=_moment(member(value, "modified", "timestamp")),
        icon_color=_number(_field(value, "icon_color")),
        icon_glyph=_number(_field(value, "icon_glyph")),
        signing_status=words(_field(value, "signingStatus")),
        signing_certificate_expires=_moment(_field(value, "signingCertificateExpirationDate")),
        malicious_scanning_version=_number(_field(value, "maliciousScanningContentVersion")),
        record_change_tag=words(member(value, "recordChangeTag")),
        assets=tuple(
            Asset(field, url, _number(member(asset, "size")))
            for field in ASSET_FIELDS
            if (url := words(member(asset := _field(value, field), "downloadURL"))) is not None
        ),
    )


def _field(value: object, name: str) -> object | None:
    return member(value, "fields", name, "value")


def _number(value: object) -> int | None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and isinstance(value, int) and 0 <= value < 2**63 else None


def _moment(milliseconds: object) -> str | None:
    number = _number(milliseconds)
    if number is None or number > 4_102_444_800_000:
        return None
    return datetime.fromtimestamp(number / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def asset_address(asset: Asset, icloud_id: str) -> str | None:
    """Return the address of a file, or None if the host is not one of Apple's content hosts."""
    address = asset.url.replace("${f}", quote(f"{icloud_id}.shortcut"))
    return address if is_asset_host(address) else None


def is_asset_host(address: str) -> bool:
    """Whether an address is an https URL on one of Apple's content hosts."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    apple = any(
        host == asset_host or host.endswith("." + asset_host) for asset_host in _ASSET_HOSTS
    )
    return apple and parts.scheme == "https" and port in {None, 443} and parts.username is None


def asset_problem(body: bytes, size: int | None) -> str | None:
    """Return why a downloaded file is not the shortcut of a record, or None if it is.

    `size` is the length of the file according to the record.
    """
    return problem_of(len(body), size, is_shortcut=begins_as_shortcut(body))


def begins_as_shortcut(body: bytes) -> bool:
    """Whether a file begins like a shortcut file of any format."""
    return body.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(_MAGIC)


def problem_of(length: int, size: int | None, *, is_shortcut: bool) -> str | None:
    """Return why a file is not the shortcut of a record, or None if it is.

    `length` is the length of the file, `size` the length according to the record, and `is_shortcut`
    says whether the file begins like a shortcut.
    """
    if size is not None and length != size:
        return f"the file has {length} bytes, but {size} in the record"
    return None if is_shortcut else "the file does not begin like a shortcut"


PERSONAL_FIELDS = ("userRecordName", "deviceID")
SCRUBBED = "scrubbed"
_MENTIONED = re.compile("|".join(PERSONAL_FIELDS).encode())


def scrub(body: bytes) -> bytes:
    """Return the body of a response without the values of fields that identify people or devices.

    If the body is not JSON, a regular expression finds the fields.
    """
    if not _MENTIONED.search(body):
        return body
    try:
        value: object = msgspec.json.decode(body)
        return msgspec.json.encode(_without_ids(value))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return _scrub_text(body)


def _without_ids(value: object) -> object:
    if isinstance(value, dict):
        return {
            key: SCRUBBED if key in PERSONAL_FIELDS else _without_ids(inner)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_without_ids(inner) for inner in value]
    return value


def _scrub_text(body: bytes) -> bytes:
    pattern = rb'("(?:%s)"\s*:\s*)"[^"]*"?' % "|".join(PERSONAL_FIELDS).encode()
    return re.sub(pattern, rb'\1"' + SCRUBBED.encode() + rb'"', body)
