"""Rows that an earlier run made are copied, and a shard of the same contents is linked."""

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


def shout(made: Path, names: Names, shortcut: Shortcut) -> tuple[Shortcut]:
    """The shortcut with the name that the shared value has for it; every call is noted."""
    with made.open("a") as file:
        file.write(f"{shortcut.shortcut_id}\n")
    return (msgspec.structs.replace(shortcut, name=names.get(shortcut.shortcut_id)),)


def concerns(names: Names, ids: Sequence[str]) -> list[str]:
    return [names.get(shortcut_id, "") for shortcut_id in ids]


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> FinishedStage:
    """The demo's shortcuts in several shards."""
    stage = parse_shortcuts.prepare(
        [SHORTCUTS], tmp_path_factory.mktemp("world") / "parsed", part_bytes=20_000
    )
    assert stage.count > 3
    return run_stage(stage)


def named(
    parsed: FinishedStage, workspace: Path, names: Names
) -> tuple[AnyStage, list[str], list[int]]:
    """A finished stage that names shortcuts; the rows and the shards that were made for it."""
    stage: AnyStage = normalise_shortcuts.prepare(parsed).below(workspace)
    notes = workspace / "made"
    notes.parent.mkdir(exist_ok=True)
    notes.write_text("")
    rows = EachShortcut(Shortcut, ("shortcuts",), partial(shout, notes), concerns)
    naming: AnyStage = replace(
        stage,
        name="name-shortcuts",
        subject="named",
        also=[digest_of_parts("names", [*names, *names.values()])],
        shared=partial(dict, names),
        make=rows,
        concerns=rows.concern,
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


def test_a_shared_value_decides_the_rows_that_it_concerns(
    parsed: FinishedStage, tmp_path: Path
) -> None:
    stage, row_ids, shards = named(parsed, tmp_path, {})
    rows = list(iter_records(stage.path, "shortcuts", Shortcut))
    assert len(row_ids) == len(rows) > 20
    assert shards == list(range(stage.count))
    chosen = rows[len(rows) // 2].shortcut_id
    again, row_ids, shards = named(parsed, tmp_path, {chosen: "Kim"})
    assert set(row_ids) == {chosen}
    assert len(shards) == 1  # the others are linked
    fresh, _, _ = named(parsed, tmp_path / "fresh", {chosen: "Kim"})
    parts = table_parts(again.path, "shortcuts")
    assert [part.read_bytes() for part in parts] == [
        part.read_bytes() for part in table_parts(fresh.path, "shortcuts")
    ]
    assert named(parsed, tmp_path, {chosen: "Kim"})[1:] == ([], [])


@pytest.mark.parametrize("is_gone", [True, False])
def test_rows_of_a_shard_that_is_damaged_are_made_again(
    parsed: FinishedStage, tmp_path: Path, *, is_gone: bool
) -> None:
    stage, row_ids, _ = named(parsed, tmp_path, {})
    part = part_path(stage.path, "shortcuts", 0)
    size = len(list(iter_records(stage.path, "shortcuts", Shortcut)))
    if is_gone:
        part.unlink()
    else:
        part.write_bytes(part.read_bytes()[:-9] + b"x" * 9)
    sound = table_parts(stage.path, "shortcuts")[not is_gone :]
    rest = [row_id for path in sound for row_id in ids_in(path)]
    again, row_ids, shards = named(parsed, tmp_path, {"shortcut:none": "Kim"})
    assert shards == [0]
    assert len(row_ids) == size - len(rest)
    assert set(row_ids).isdisjoint(rest)
    assert len(list(iter_records(again.path, "shortcuts", Shortcut))) == size


def ids_in(part: Path) -> list[str]:
    shortcut_ids: list[str] = read_rows(part, ["shortcut_id"]).column(0).to_pylist()
    return shortcut_ids


def test_new_objects_change_the_shards_that_contain_them(tmp_path: Path) -> None:
    world = tmp_path / "world"
    world.mkdir()
    files = sorted(path for path in SHORTCUTS.iterdir() if path.is_file())
    for path in files[:-1]:
        (world / path.name).write_bytes(path.read_bytes())

    def run() -> list[list[int]]:
        """The shards that each stage made."""
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

    first = run()
    assert len({len(shards) for shards in first}) == 1
    assert len(first[0]) > 3
    (world / files[-1].name).write_bytes(files[-1].read_bytes())
    assert all(len(shards) <= 2 for shards in run())
