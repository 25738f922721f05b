"""An imitation of iCloud's API for records of shortcuts, and of the host of their files."""

import base64
import hashlib
import re
import threading
import time
import uuid

from demo.replica.exchange import Request, Response, as_json, page, plain_404
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
ROBOTS = ("Disallow: /admin/",)
PERSON, DEVICE = "_0123456789abcdef0123456789abcdef", "DEVICE-0001"
"""Invented ids of a person and a device, which the crawler must remove from responses."""
LIFETIME = {"seconds": 3600.0}
"""The number of seconds for which the address of a file works; tests make it smaller."""
_ISSUED: dict[tuple[str, int], float] = {}
_ISSUES: dict[str, int] = {}
_GUARD = threading.Lock()
_BORN = 1_760_000_000_000


def forget_addresses() -> None:
    """Forget all addresses of files that were issued, as a new server does."""
    with _GUARD:
        _ISSUED.clear()
        _ISSUES.clear()


def answer(world: World, request: Request) -> Response:
    """Return the response to a request; it does not depend on `world`, the entries of sites."""
    del world
    if request.host == "cvws.icloud-content.com":
        return _file(request)
    record = re.fullmatch(r"/shortcuts/api/records/([0-9a-f]{32})", request.path)
    if record:
        return record_answer(_find(record.group(1)))
    if re.fullmatch(r"/shortcuts/[0-9a-f]{32}", request.path):
        return page("iCloud Shortcuts", "<noscript>Turn on JavaScript.</noscript>")
    return plain_404()


def _find(icloud_id: str) -> Shared | None:
    return next(
        (shortcut for shortcut in shared_shortcuts() if shortcut.icloud_id == icloud_id), None
    )


def record_answer(shortcut: Shared | None) -> Response:
    """Return the record of a shared shortcut, with an address of its file that will expire."""
    if shortcut is None or shortcut.number in MISSING:
        return as_json({"error": True, "reason": "Record not found", "recordName": None}, 404)
    if shortcut.number in PRIVATE:
        return as_json({"error": True, "reason": "ACCESS_DENIED: the record is private"})
    fields: dict[str, object] = {
        "name": {"type": "STRING", "value": shortcut.name},
        "icon_color": {"type": "NUMBER_INT64", "value": 431817727},
        "icon_glyph": {"type": "NUMBER_INT64", "value": 59511},
    }
    if shortcut.number % 6:
        fields |= {
            "signingStatus": {"type": "STRING", "value": "APPROVED"},
            "signingCertificateExpirationDate": {"type": "TIMESTAMP", "value": _BORN + 10**10},
            "maliciousScanningContentVersion": {"type": "NUMBER_INT64", "value": 1},
        }
    if shortcut.number not in NO_FILE:
        fields[shortcut.field] = {"type": "ASSETID", "value": _asset(shortcut)}
    stamp = {"timestamp": _BORN + shortcut.number * 86_400_000, "userRecordName": PERSON}
    return as_json(
        {
            "recordName": str(uuid.UUID(shortcut.icloud_id)).upper(),
            "recordType": "SharedShortcut",
            "recordChangeTag": f"{shortcut.number:x}",
            "deleted": shortcut.number in DELETED,
            "fields": fields,
            "created": {**stamp, "deviceID": DEVICE},
            "modified": {**stamp, "deviceID": DEVICE},
        }
    )


def _checksum(shortcut: Shared) -> str:
    digest = hashlib.sha1(shortcut.data, usedforsecurity=False).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _asset(shortcut: Shared) -> dict[str, object]:
    with _GUARD:
        issue = _ISSUES[shortcut.icloud_id] = _ISSUES.get(shortcut.icloud_id, 0) + 1
        _ISSUED[shortcut.icloud_id, issue] = time.monotonic()
    base_url = f"https://cvws.icloud-content.com/B/{_checksum(shortcut)}"
    size = len(shortcut.data) + (7 if shortcut.number in WRONG_SIZE else 0)
    return {
        "fileChecksum": _checksum(shortcut),
        "size": size,
        "downloadURL": f"{base_url}/${{f}}?o={shortcut.icloud_id}&e={issue}",
    }


def _file(request: Request) -> Response:
    shortcut = _find(request.query.get("o", ""))
    if shortcut is None or not request.path.startswith(f"/B/{_checksum(shortcut)}/"):
        return plain_404()
    with _GUARD:
        issued = _ISSUED.get((shortcut.icloud_id, request.number("e", 0)))
    if issued is None or time.monotonic() - issued > LIFETIME["seconds"]:
        return Response(410, b"expired", (("Content-Type", "text/plain"),))
    return Response(200, shortcut.data, (("Content-Type", "application/octet-stream"),))
