"""Check that `release export --table shortcuts` writes every format with unique ids."""

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from benchloom.core.records import Shortcut
from benchloom.exchange.examples.releases import Choice
from benchloom.exchange.formats import FORMATS, LineFormat, Writing
from demo.containers import binary
from demo.drafts import Draft, attachment, token
from flows.stages.export import export_release
from parsers.shortcuts import parse_shortcut
from tests.support.samples.plan_release import SPLITS, plan_release, plans, text_of

SHORTCUT_FORMATS = tuple(
    name
    for name, writing in FORMATS.only(Writing).items()
    if "shortcuts" in writing.tables and not writing.pairs
)


def make_shortcuts() -> list[Shortcut]:
    """Return a shortcut in each split, and two shortcuts without any action."""
    drafts = []
    for number, split in enumerate(SPLITS):
        draft = Draft(f"Jar {number}")
        text_output = draft.add("gettext", WFTextActionText=f"plums {number}")
        if number:
            draft.add("showresult", Text=attachment(text_output))
            draft.add("showresult", Text=attachment(token("ActionOutput", OutputUUID="gone")))
        drafts.append((draft, split))
    drafts += [(Draft("Empty"), "train"), (Draft("Empty, too"), "train")]
    return [
        msgspec.structs.replace(parse_shortcut(binary(d.build()), f"{n}.shortcut"), split=split)
        for n, (d, split) in enumerate(drafts)
    ]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shortcuts = make_shortcuts()
    (plan,) = plans(1)
    texts = [
        text_of(plan, query_id=f"query {n} {row.shortcut_id}", target_id=row.shortcut_id)
        for row in shortcuts
        for n in range(2)
        if row.actions
    ]
    folder = tmp_path_factory.mktemp("r") / "release"
    return plan_release(folder, [], texts, shortcuts=shortcuts)


@pytest.mark.parametrize("name", SHORTCUT_FORMATS)
@pytest.mark.parametrize("every", [True, False])
def test_every_format_contains_every_text_once(
    name: str, every: bool, release: Path, tmp_path: Path
) -> None:
    choice = Choice(every=every)
    done = export_release(release, name, tmp_path / "a", choice, table="shortcuts")
    unwritten = Counter(done.unwritten)
    assert done.examples + unwritten.total() == (10 if every else 8)
    assert done.findings == ({"dangling_reference": 6} if done.examples >= 8 else {})
    if not isinstance(FORMATS.find(name), LineFormat):
        return
    ids = [
        json.loads(line).get("id")
        for path in sorted((tmp_path / "a").glob("*.jsonl"))
        if path.name != "losses.jsonl"
        for line in path.read_text().splitlines()
    ]
    assert len(ids) == done.examples
    if None not in ids:
        assert len(set(ids)) == len(ids)


def test_files_are_grouped_by_split(release: Path, tmp_path: Path) -> None:
    done = export_release(release, "shortcut", tmp_path / "a", Choice(), table="shortcuts")
    assert done.splits == {"test": 2, "train": 4, "validation": 2}
    files = Counter(name.split("/")[1] for name in done.files if name.startswith("shortcuts/"))
    assert files == {"test": 1, "train": 2, "validation": 1}
    (line, _) = (tmp_path / "a" / "test.jsonl").read_text().splitlines()
    content = (tmp_path / "a" / json.loads(line)["file"]).read_bytes()
    (row,) = (shortcut for shortcut in make_shortcuts() if shortcut.split == "test")
    assert parse_shortcut(content, "x").canonical_digest == row.canonical_digest
