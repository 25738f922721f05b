"""Find ids of devices, accounts and stored items, which the app's pickers put into arguments.

The names beside such ids are not replaced: `displayName` says on what the shortcut works.
"""

import re

from benchloom.normalise.redaction.finders import UUID_FORM, TextFinder, spans_of

_UUID = UUID_FORM.pattern
_REST = r"[^\s\"'<>\\\ufffc\[\]{}]"
_FORMS = (
    re.compile(r"(?<!\w)(0000[0-9A-F]{4}-[0-9A-F]{16})(?!\w)"),
    re.compile(rf"deviceSpecific:({_REST}{{8,400}})"),
    re.compile(rf"docs\.icloud\.com:[\w.-]{{1,80}}[/:]({_REST}{{8,400}})"),
    re.compile(rf"x-coredata://({_REST}{{8,400}})"),
    re.compile(
        rf"(?i)(?:account|device)(?:Identifier|ID|UUID)[\"'\\]{{0,4}}\s?[=:]\s?[\"'\\]{{0,4}}({_UUID})"
    ),
    re.compile(rf"(?:FileProvider|iCloudDrive|MobileDocuments\w*)/({_UUID})"),
)  # fmt: skip


FINDER = TextFinder(
    kinds=("device_id",),
    hint=re.compile(r"[:/=]|0000[0-9A-F]{4}-"),
    anchors=("0000", "specific:", "icloud.com:", "coredata:", "provider/", "iclouddrive/",
             "mobiledocuments", "accountid", "accountuuid", "deviceid", "deviceuuid"),
    find=spans_of("device_id", *_FORMS),
)  # fmt: skip
