"""Check that every file of the real archive parses and agrees with the reference figures."""

import json
import zipfile
from collections import defaultdict

import pytest

from benchloom.core.records import Shortcut
from parsers.shortcuts import parse_shortcut
from tests.support.shared_data import shared_file

pytestmark = pytest.mark.real_data


@pytest.fixture(scope="module")
def parsed_archive() -> dict[str, tuple[dict[str, object], Shortcut]]:
    with zipfile.ZipFile(shared_file("shortcuts.zip")) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        return {
            entry["file"]: (entry, parse_shortcut(archive.read(entry["file"]), entry["file"]))
            for entry in manifest
        }


def test_every_file_parses(parsed_archive: dict[str, tuple[dict[str, object], Shortcut]]) -> None:
    assert len(parsed_archive) == 685
    assert sum(shortcut.container == "signed" for _, shortcut in parsed_archive.values()) == 25


def test_length_and_apis_equal_the_reference(
    parsed_archive: dict[str, tuple[dict[str, object], Shortcut]],
) -> None:
    compared = 0
    for name, (entry, shortcut) in parsed_archive.items():
        if entry.get("reference_length") is not None:
            assert shortcut.length == entry["reference_length"], name
            compared += 1
        if entry.get("reference_unique_apis") is not None:
            assert shortcut.unique_api_count == entry["reference_unique_apis"], name
    assert compared > 600


def test_equal_contents_have_one_id(
    parsed_archive: dict[str, tuple[dict[str, object], Shortcut]],
) -> None:
    ids: defaultdict[object, set[str]] = defaultdict(set)
    groups: defaultdict[str, set[object]] = defaultdict(set)
    for entry, shortcut in parsed_archive.values():
        if entry.get("content_group"):
            ids[entry["content_group"]].add(shortcut.shortcut_id)
            groups[shortcut.shortcut_id].add(entry["content_group"])
    assert len(ids) == 520
    assert all(len(shortcut_ids) == 1 for shortcut_ids in ids.values())
    assert all(len(content_groups) == 1 for content_groups in groups.values())
