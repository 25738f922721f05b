"""Tests of the dataset card: it stays short for large releases, and its code fences are closed."""

import re
from pathlib import Path

from benchloom.release import ReleaseTable, read_manifest
from benchloom.release.documents.card import sources_by_kind
from benchloom.storage.inputs import SourceFile
from benchloom.storage.workspace import FunnelStep, StageMark
from tests.support.samples.described import compose, other_rows, write_rows

MAX_LINES = 300


def source_files(count: int) -> tuple[SourceFile, ...]:
    """Return so many source files with up to 700 different endings."""
    return tuple(
        SourceFile(
            source_uri=f"files/{number}.ending{number % 700}",
            digest=f"file:sha256:{number:064x}",
            size=number,
        )
        for number in range(count)
    )


def test_card_stays_short_with_thousands_of_sources_and_many_stages(tmp_path: Path) -> None:
    stage = tmp_path / "stage"
    for table, rows in other_rows(["one.api"]).items():
        write_rows(stage, table, rows)
    steps = tuple(
        FunnelStep(stage=f"generate-{number}", received=9, reasons={}, rows={})
        for number in range(200)
    )
    mark = StageMark(
        stage="generate-last",
        key="k",
        objects=9,
        rows={},
        sources=source_files(5000),
        earlier=steps,
    )
    names = sorted(path.name for path in stage.iterdir())
    release = compose([ReleaseTable(name, stage) for name in names], mark, tmp_path)
    assert len(read_manifest(release).created_from.sources) == 5000
    assert len(read_manifest(release).funnel) > 200
    card = (release / "README.md").read_text(encoding="utf-8")
    assert len(card.splitlines()) < MAX_LINES
    assert len(card.encode()) < 60_000
    assert "5,000 files; [manifest.json](manifest.json) lists each with its digest." in card
    assert "171 more stages are in the manifest." in card


def test_card_stays_short_for_a_release_of_every_table(described_release: Path) -> None:
    card = (described_release / "README.md").read_text(encoding="utf-8")
    assert len(card.splitlines()) < MAX_LINES
    fences = re.findall(r"(?m)^```\w*$", card)
    assert len(fences) % 2 == 0
    assert all(fence == "```" for fence in fences[1::2])


def test_every_source_is_counted_by_its_kind() -> None:
    kinds = sources_by_kind(source_files(5000))
    assert len(kinds) == 9
    assert kinds[-1][0] == "others"
    assert sum(files for _, files, _ in kinds) == 5000
    assert sum(size for _, _, size in kinds) == sum(range(5000))
    few = (SourceFile(source_uri="a.zip!b/C.PLIST", digest="d", size=3),)
    assert sources_by_kind(few) == [(".plist", 1, 3)]
    assert sources_by_kind([]) == []
