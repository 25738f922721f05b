"""Tests of ShortcutsBench's records: the parser of shortcuts reads them with an equal digest."""

import json
import zipfile
from pathlib import Path

import msgspec
import pytest

from benchloom.core.records import Shortcut
from benchloom.exchange.examples.shortcuts.calls import example_of_shortcut
from benchloom.exchange.formats import Loss
from demo.containers import binary
from demo.drafts import Draft, attachment
from parsers.shortcuts import parse_shortcut
from tests.support.formats import export
from tests.support.shared_data import shared_file


def goose_shortcut() -> Shortcut:
    draft = Draft("Count the geese")
    words = draft.add("gettext", WFTextActionText="grey geese")
    draft.add("count", Input=attachment(words), Most=float("inf"), Many=2**63)
    row = parse_shortcut(binary(draft.build()), "geese.shortcut")
    return msgspec.structs.replace(row, icloud_ids=("a" * 32, "b" * 32))


def export_rows(folder: Path, *rows: Shortcut) -> tuple[list[bytes], list[tuple[Loss, ...]]]:
    """Export rows, and return the written records and the losses."""
    losses = export("shortcutsbench", folder, *(example_of_shortcut(row, {}) for row in rows))
    return [path.read_bytes() for path in sorted((folder / "shortcuts").rglob("*.json"))], losses


def test_exported_record_reads_as_the_same_shortcut(tmp_path: Path) -> None:
    row = goose_shortcut()
    (data,), (losses,) = (
        export_rows(tmp_path / "out", row, row)[0],
        export_rows(tmp_path / "o", row)[1],
    )
    record = json.loads(data)
    assert list(record) == [
        "Source", "NameInStore", "DescriptionInStore", "URL", "records", "shortcut",
    ]  # fmt: skip
    assert record["URL"].endswith("a" * 32)
    reread_row = parse_shortcut(data, "geese.json")
    assert reread_row.canonical_digest == row.canonical_digest
    assert reread_row.actions == row.actions
    assert reread_row.oddities == ("nested_under_shortcut",)
    assert {loss.kind for loss in losses} == {"records", "link"}
    lines = (tmp_path / "out" / "data.jsonl").read_text().splitlines()
    assert len(lines) == len({json.loads(line)["file"] for line in lines}) + 1


@pytest.mark.real_data
def test_real_shortcuts_read_back_equal(tmp_path: Path) -> None:
    with zipfile.ZipFile(shared_file("shortcuts.zip")) as archive:
        rows = [
            parse_shortcut(archive.read(entry["file"]), entry["file"])
            for entry in json.loads(archive.read("manifest.json"))
        ]
    files, losses = export_rows(tmp_path / "out", *rows)
    assert not any(loss.whole for row_losses in losses for loss in row_losses)
    assert len(files) == len(rows) == 685
    digests = sorted(parse_shortcut(data, "x.json").canonical_digest for data in files)
    assert digests == sorted(row.canonical_digest for row in rows)
