"""Tests of the sample pages: chosen rows, indented steps, definitions and queries."""

import re
from pathlib import Path

import msgspec

from benchloom.release import ReleaseTable
from benchloom.release.descriptions import ReleaseTables
from benchloom.release.descriptions.chosen_rows import chosen_rows
from benchloom.release.manifest import read_manifest
from benchloom.storage.stages import part_path
from benchloom.storage.tables import write_table
from benchloom.storage.workspace import StageMark
from tests.support.samples.described import compose, shortcuts


def release_of_300(workspace: Path, parts: int) -> Path:
    """Return a release of 300 shortcuts whose stage has this many parts."""
    base = shortcuts()[5]
    rows = [msgspec.structs.replace(base, source_uri=f"{n:04d}.plist") for n in range(300)]
    stage = workspace / "stage"
    size = 300 // parts
    for part in range(parts):
        chosen = rows[part * size : (part + 1) * size]
        write_table("shortcuts", chosen, part_path(stage, "shortcuts", part))
    mark = StageMark(stage="parse-shortcuts", key="k", objects=300, rows={"shortcuts": 300})
    return compose([ReleaseTable("shortcuts", stage)], mark, workspace)


def test_hundred_rows_are_chosen_independently_of_parts(tmp_path: Path) -> None:
    chosen_uris = []
    for parts in (1, 3):
        release = release_of_300(tmp_path / str(parts), parts)
        tables = ReleaseTables(release, read_manifest(release).files)
        chosen_uris.append([row["source_uri"] for row in chosen_rows(tables, "shortcuts", 100)])
        text = (release / "sample" / "shortcuts.html").read_text(encoding="utf-8")
        assert text.count('<details class="row"') == 100
        assert "100 of 300 rows" in text
    assert chosen_uris[0] == chosen_uris[1]
    assert len(set(chosen_uris[0])) == 100
    assert chosen_uris[0] != sorted(chosen_uris[0])


def test_best_rows_come_first_and_odd_rows_are_separate(release: Path) -> None:
    text = (release / "sample" / "planning_paths.html").read_text(encoding="utf-8")
    rows = text.split('<details class="row"')[1:]
    with_text = ['<span class="soft">query:</span>' in row for row in rows]
    assert with_text == sorted(with_text, reverse=True)
    text = (release / "sample" / "shortcuts.html").read_text(encoding="utf-8")
    best, mark, odd = text.partition('<h2 id="odd">')
    assert mark
    assert "oddity tolerated" not in best
    assert all("oddity" in row or ">0 steps<" in row for row in odd.split("<details")[1:])
    verdicts = (release / "sample" / "verdicts.html").read_text(encoding="utf-8")
    kept_flags = re.findall(r"<dt>kept</dt><dd>(yes|no)<", verdicts)
    assert kept_flags == sorted(kept_flags, reverse=True)


def test_workflow_is_an_indented_list(release: Path) -> None:
    text = (release / "sample" / "shortcuts.html").read_text(encoding="utf-8")
    row = next(section for section in text.split("<details") if "Glass of water" in section)
    steps = re.findall(r'<li class="d(\d+)"><span class="soft">(\d+)</span> <code>(\w+)', row)
    shortcut = next(
        shortcut_row for shortcut_row in shortcuts() if shortcut_row.name == "Glass of water"
    )
    assert [int(depth) for depth, _, _ in steps] == [action.depth for action in shortcut.actions]
    assert [int(number) for _, number, _ in steps] == list(range(1, len(shortcut.actions) + 1))
    assert {"0", "1"} <= {depth for depth, _, _ in steps}


def test_page_shows_definitions_and_queries_with_the_steps(release: Path) -> None:
    text = (release / "sample" / "shortcuts.html").read_text(encoding="utf-8")
    assert "Title of is.workflow.actions.ask: What it does" in text
    plans = (release / "sample" / "planning_paths.html").read_text(encoding="utf-8")
    assert plans.count('<details class="row"') == 7
    assert '<span class="soft">query:</span> Text 2' in plans
    assert "takes step 1" in plans
    assert "amount=step 1: fare" in plans


def test_step_shows_the_steps_whose_output_it_takes(release: Path) -> None:
    text = (release / "sample" / "shortcuts.html").read_text(encoding="utf-8")
    row = next(section for section in text.split("<details") if "Tip for the waiter" in section)
    assert "takes step 1, step 2" in row
