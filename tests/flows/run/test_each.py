"""Check that rows of an earlier run are copied, and that unchanged shards are linked."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import pytest

from benchloom.core.identity import digest_of_parts
from benchloom.core.records import Shortcut
from benchloom.storage.memory import remembering
from benchloom.storage.stages import part_path
from benchloom.storage.tables import iter_records, read_rows, table_parts
from benchloom.storage.workspace import MEMORY
from flows.run.each import EachShortcut
from flows.run.finished import FinishedStage
from flows.run.runner import run_stage
from flows.run.stage import AnyStage
from flows.stages.shortcuts import enrich as enrich_shortcuts
from flows.stages.shortcuts import fingerprint as fingerprint_shortcuts
from flows.stages.shortcuts import normalise as normalise_shortcuts
from flows.stages.shortcuts import parse as parse_shortcuts
from tests.support.demo_world import SHORTCUTS
from tests.support.stages import watch_shards

Names = dict[str, str]


def rename_and_note(notes: Path, names: Names, shortcut: Shortcut) -> tuple[Shortcut]:
    """Return the shortcut with its name in the shared value, and note the call in a file."""
    with notes.open("a") as file:
        file.write(f"{shortcut.shortcut_id}\n")
    return (msgspec.structs.replace(shortcut, name=names.get(shortcut.shortcut_id)),)


def names_of(names: Names, ids: Sequence[str]) -> list[str]:
    """Return the part of the shared value that concerns each shortcut."""
    return [names.get(shortcut_id, "") for shortcut_id in ids]


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> FinishedStage:
    """Parse the demo's shortcuts into several shards."""
    stage = parse_shortcuts.prepare(
        [SHORTCUTS], tmp_path_factory.mktemp("world") / "parsed", part_bytes=20_000
    )
    assert stage.count > 3
    return run_stage(stage)


def run_naming_stage(
    parsed: FinishedStage, workspace: Path, names: Names
) -> tuple[AnyStage, list[str], list[int]]:
    """Run a stage that renames shortcuts; return it, its made rows and its made shards."""
    stage: AnyStage = normalise_shortcuts.prepare(parsed).below(workspace)
    notes = workspace / "made"
    notes.parent.mkdir(exist_ok=True)
    notes.write_text("")
    row_maker = EachShortcut(Shortcut, ("shortcuts",), partial(rename_and_note, notes), names_of)
    naming: AnyStage = replace(
        stage,
        name="name-shortcuts",
        subject="named",
        also=[digest_of_parts("names", [*names, *names.values()])],
        shared=partial(dict, names),
        make=row_maker,
        concerns=row_maker.concern,
        close=None,
    )
    shards: list[int] = []
    mark = naming.complete()
    if mark is None:
        with remembering(workspace / MEMORY):
            for number in naming.missing():
                shards.append(number)
                naming.shard_work()(number)
            naming.finish()
    return naming, notes.read_text().split(), shards


def test_changed_shared_value_remakes_only_its_rows(parsed: FinishedStage, tmp_path: Path) -> None:
    stage, row_ids, shards = run_naming_stage(parsed, tmp_path, {})
    rows = list(iter_records(stage.path, "shortcuts", Shortcut))
    assert len(row_ids) == len(rows) > 20
    assert shards == list(range(stage.count))
    chosen = rows[len(rows) // 2].shortcut_id
    again, row_ids, shards = run_naming_stage(parsed, tmp_path, {chosen: "Kim"})
    assert set(row_ids) == {chosen}
    assert len(shards) == 1  # the others are linked
    fresh, _, _ = run_naming_stage(parsed, tmp_path / "fresh", {chosen: "Kim"})
    parts = table_parts(again.path, "shortcuts")
    assert [part.read_bytes() for part in parts] == [
        part.read_bytes() for part in table_parts(fresh.path, "shortcuts")
    ]
    assert run_naming_stage(parsed, tmp_path, {chosen: "Kim"})[1:] == ([], [])


@pytest.mark.parametrize("is_missing", [True, False])
def test_rows_of_a_damaged_shard_are_made_again(
    parsed: FinishedStage, tmp_path: Path, *, is_missing: bool
) -> None:
    stage, row_ids, _ = run_naming_stage(parsed, tmp_path, {})
    part = part_path(stage.path, "shortcuts", 0)
    size = len(list(iter_records(stage.path, "shortcuts", Shortcut)))
    if is_missing:
        part.unlink()
    else:
        part.write_bytes(part.read_bytes()[:-9] + b"x" * 9)
    sound = table_parts(stage.path, "shortcuts")[not is_missing :]
    remaining_ids = [row_id for path in sound for row_id in ids_in(path)]
    again, row_ids, shards = run_naming_stage(parsed, tmp_path, {"shortcut:none": "Kim"})
    assert shards == [0]
    assert len(row_ids) == size - len(remaining_ids)
    assert set(row_ids).isdisjoint(remaining_ids)
    assert len(list(iter_records(again.path, "shortcuts", Shortcut))) == size


def ids_in(part: Path) -> list[str]:
    shortcut_ids: list[str] = read_rows(part, ["shortcut_id"]).column(0).to_pylist()
    return shortcut_ids


def test_new_objects_remake_only_their_shards(tmp_path: Path) -> None:
    world = tmp_path / "world"
    world.mkdir()
    files = sorted(path for path in SHORTCUTS.iterdir() if path.is_file())
    for path in files[:-1]:
        (world / path.name).write_bytes(path.read_bytes())

    def run_stages() -> list[list[int]]:
        """Run the stages and return the shards that each made."""
        workspace = tmp_path / "work"
        shards_by_stage: list[list[int]] = [[], [], [], []]
        parse = parse_shortcuts.prepare([world], workspace, part_bytes=20_000)
        parse_rows = run_stage(watch_shards(parse, shards_by_stage[0].append))
        distinct = normalise_shortcuts.prepare(parse_rows).below(workspace)
        distinct_rows = run_stage(watch_shards(distinct, shards_by_stage[1].append))
        compared = fingerprint_shortcuts.prepare(distinct_rows).below(workspace)
        compared_rows = run_stage(watch_shards(compared, shards_by_stage[2].append))
        enriched = enrich_shortcuts.prepare(distinct_rows, compared_rows).below(workspace)
        run_stage(watch_shards(enriched, shards_by_stage[3].append))
        return shards_by_stage

    first = run_stages()
    assert len({len(shards) for shards in first}) == 1
    assert len(first[0]) > 3
    (world / files[-1].name).write_bytes(files[-1].read_bytes())
    assert all(len(shards) <= 2 for shards in run_stages())
