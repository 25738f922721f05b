"""iCloud's records API and its content host. Addresses of files expire."""

import base64
import hashlib
import re
import threading
import time
import uuid

from demo.replica.exchange import Answer, Ask, as_json, not_found, page, robots
from demo.replica.shared import (
    DELETED,
    MISSING,
    NO_FILE,
    PRIVATE,
    WRONG_SIZE,
    Shared,
    shared_shortcuts,
)
from demo.replica.world import World

HOSTS = ("www.icloud.com", "cvws.icloud-content.com")
PERSON, DEVICE = "_0123456789abcdef0123456789abcdef", "DEVICE-0001"
"""What scrubbing must remove: invented ids of a person and a device."""
LIFETIME = {"seconds": 3600.0}
"""Seconds for which a file's address works; tests make it shorter."""
_ISSUED: dict[tuple[str, int], float] = {}
_ISSUES: dict[str, int] = {}
_GUARD = threading.Lock()
_BORN = 1_760_000_000_000


def forget_addresses() -> None:
    """Start counting issued addresses anew, as a new server does."""
    with _GUARD:
        _ISSUED.clear()
        _ISSUES.clear()


def answer(world: World, ask: Ask) -> Answer:
    """The answer for one request; every link lives apart from what sites list."""
    del world
    if ask.path == "/robots.txt":
        return robots("Disallow: /admin/")
    if ask.host == "cvws.icloud-content.com":
        return _file(ask)
    record = re.fullmatch(r"/shortcuts/api/records/([0-9a-f]{32})", ask.path)
    if record:
        return record_answer(_find(record.group(1)))
    if re.fullmatch(r"/shortcuts/[0-9a-f]{32}", ask.path):
        return page("iCloud Shortcuts", "<noscript>Turn on JavaScript.</noscript>")
    return not_found()


def _find(icloud_id: str) -> Shared | None:
    return next((one for one in shared_shortcuts() if one.icloud_id == icloud_id), None)


def record_answer(one: Shared | None) -> Answer:
    """What the records API says of a link; a file's address in it works for a while."""
    if one is None or one.number in MISSING:
        return as_json({"error": True, "reason": "Record not found", "recordName": None}, 404)
    if one.number in PRIVATE:
        return as_json({"error": True, "reason": "ACCESS_DENIED: the record is private"})
    fields: dict[str, object] = {
        "name": {"type": "STRING", "value": one.name},
        "icon_color": {"type": "NUMBER_INT64", "value": 431817727},
        "icon_glyph": {"type": "NUMBER_INT64", "value": 59511},
    }
    if one.number % 6:
        fields |= {
            "signingStatus": {"type": "STRING", "value": "APPROVED"},
            "signingCertificateExpirationDate": {"type": "TIMESTAMP", "value": _BORN + 10**10},
            "maliciousScanningContentVersion": {"type": "NUMBER_INT64", "value": 1},
        }
    if one.number not in NO_FILE:
        fields[one.field] = {"type": "ASSETID", "value": _asset(one)}
    stamp = {"timestamp": _BORN + one.number * 86_400_000, "userRecordName": PERSON}
    return as_json(
        {
            "recordName": str(uuid.UUID(one.icloud_id)).upper(),
            "recordType": "SharedShortcut",
            "recordChangeTag": f"{one.number:x}",
            "deleted": one.number in DELETED,
            "fields": fields,
            "created": {**stamp, "deviceID": DEVICE},
            "modified": {**stamp, "deviceID": DEVICE},
        }
    )


def _checksum(one: Shared) -> str:
    digest = hashlib.sha1(one.data, usedforsecurity=False).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _asset(one: Shared) -> dict[str, object]:
    with _GUARD:
        issue = _ISSUES[one.icloud_id] = _ISSUES.get(one.icloud_id, 0) + 1
        _ISSUED[one.icloud_id, issue] = time.monotonic()
    place = f"https://cvws.icloud-content.com/B/{_checksum(one)}"
    size = len(one.data) + (7 if one.number in WRONG_SIZE else 0)
    return {
        "fileChecksum": _checksum(one),
        "size": size,
        "downloadURL": f"{place}/${{f}}?o={one.icloud_id}&e={issue}",
    }


def _file(ask: Ask) -> Answer:
    one = _find(ask.query.get("o", ""))
    if one is None or not ask.path.startswith(f"/B/{_checksum(one)}/"):
        return not_found()
    with _GUARD:
        issued = _ISSUED.get((one.icloud_id, ask.number("e", 0)))
    if issued is None or time.monotonic() - issued > LIFETIME["seconds"]:
        return Answer(410, b"expired", (("Content-Type", "text/plain"),))
    return Answer(200, one.data, (("Content-Type", "application/octet-stream"),))
