"""Tests of device ids: ids of devices, accounts and storages are redacted; other names stay."""

import plistlib
from random import Random
from zipfile import ZipFile

import pytest

from benchloom.normalise.redaction import redact_shortcut, redact_text
from benchloom.normalise.redaction.finders import UUID_FORM
from benchloom.normalise.redaction.shortcuts import shortcut_findings
from parsers.shortcuts import parse_shortcut
from parsers.shortcuts.wording import describe_workflow
from tests.support.samples.redaction import action, uuid
from tests.support.shared_data import shared_file

CHANCE = Random(12)
DEVICE, ITEM, STORE, ACCOUNT = (uuid(CHANCE) for _ in range(4))
ACTIONS = [
    action(
        "documentpicker.save",
        WFFolder={
            "displayName": "Invoices",
            "filename": "Invoices",
            "fileLocation": {
                "WFFileLocationType": "LocalStorage",
                "crossDeviceItemID": f"deviceSpecific:{DEVICE}:fp:/Zm9v=/local//fid=4711",
                "fileProviderDomainID": f"com.apple.CloudDocs.iCloudDriveFileProvider/{ITEM}",
                "relativeSubpath": "Invoices",
            },
        },
    ),
    action(
        "appendnote",
        WFNoteGroup={
            "DisplayString": "Errands",
            "Identifier": f"x-coredata://{STORE}/ICFolder/p12?accountIdentifier={ACCOUNT}",
        },
        WFNote=f"docs.icloud.com:com.apple.CloudDocs/{ITEM}/0c38",
    ),
]


def test_picker_ids_are_redacted_and_names_stay() -> None:
    content = plistlib.dumps({"WFWorkflowActions": ACTIONS})
    redacted = redact_shortcut(parse_shortcut(content, "picker"), describe_workflow)
    redacted_text = str(redacted)
    for secret in (DEVICE, ITEM, STORE, ACCOUNT):
        assert secret not in redacted_text
    for name in ("Invoices", "Errands", "LocalStorage", "com.apple.CloudDocs"):
        assert name in redacted_text
    assert {redaction.kind for redaction in redacted.redactions} == {"device_id"}
    assert list(shortcut_findings(redacted)) == []


@pytest.mark.real_data
def test_real_picker_shortcut_releases_no_id() -> None:
    with ZipFile(shared_file("cases.zip")) as archive:
        (name,) = (
            name
            for name in archive.namelist()
            if "12-device" in name and name.endswith(".shortcut")
        )
        shortcut = parse_shortcut(archive.read(name), name)
    before = set(UUID_FORM.findall(str(shortcut)))
    redacted = redact_shortcut(shortcut, describe_workflow)
    assert before
    assert not [shortcut_uuid for shortcut_uuid in before if shortcut_uuid in str(redacted)]
    assert "Errands" in str(redacted)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mira's iPhone", "[redacted:device_owner]'s iPhone"),
        ("To Mira\u2019s MacBook Pro.", "To [redacted:device_owner]\u2019s MacBook Pro."),
        ("Find My Mira Holm's iPad", "Find My [redacted:device_owner]'s iPad"),
        ("Das iPad von Mira", "Das iPad von [redacted:device_owner]"),
        ("Today's iPhone", "Today's iPhone"),
        ("Your iPhone and Apple's iPad", "Your iPhone and Apple's iPad"),
        ("iPhone de 128 GB", "iPhone de 128 GB"),
    ],
)  # fmt: skip
def test_names_of_device_owners_are_redacted(text: str, expected: str) -> None:
    assert redact_text(text).text == expected
