"""Ids of a device, an account or a stored item, which pickers leave in arguments.

The names beside them stay: `displayName` says what the shortcut works on.
"""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder

_UUID = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
_REST = r"[^\s\"'<>\\\ufffc\[\]{}]"
_FORMS = (
    re.compile(rf"deviceSpecific:({_REST}{{8,400}})"),
    re.compile(rf"docs\.icloud\.com:[\w.-]{{1,80}}[/:]({_REST}{{8,400}})"),
    re.compile(rf"x-coredata://({_REST}{{8,400}})"),
    re.compile(
        rf"(?i)(?:account|device)(?:Identifier|ID|UUID)[\"'\\]{{0,4}}\s?[=:]\s?[\"'\\]{{0,4}}({_UUID})"
    ),
    re.compile(rf"(?:FileProvider|iCloudDrive|MobileDocuments\w*)/({_UUID})"),
)  # fmt: skip


def _find(text: str) -> Iterable[Span]:
    for form in _FORMS:
        for match in form.finditer(text):
            yield Span(match.start(1), match.end(1), "device_id")


FINDER = TextFinder(
    kinds=("device_id",),
    hint=re.compile(r"[:/=]"),
    anchors=("specific:", "icloud.com:", "coredata:", "provider/", "iclouddrive/",
             "mobiledocuments", "accountid", "accountuuid", "deviceid", "deviceuuid"),
    find=_find,
)  # fmt: skip
