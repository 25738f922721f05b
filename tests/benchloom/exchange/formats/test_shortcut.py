"""Tests of shortcut files: a row is written as a property list that reads as the same row."""

import json
import plistlib
import zipfile
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.core.records import Shortcut
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.example import Text
from benchloom.exchange.examples.shortcuts.calls import example_of_shortcut
from benchloom.exchange.formats._shortcut_file import MAX_DEPTH
from benchloom.exchange.formats.shortcut import file_name, written_file
from demo.containers import binary, json_dump
from demo.drafts import Draft, attachment, dictionary, text
from parsers.errors import ParseError
from parsers.shortcuts import parse_shortcut
from parsers.shortcuts.cross_check import cross_check
from tests.support.formats import export
from tests.support.samples.shortcuts import action, argument, shortcut
from tests.support.shared_data import shared_file
from tests.support.soak import samples

DEMO = Path(__file__).parents[4] / "demo" / "shortcuts"
FILE_COLUMNS = {"source_digest", "container", "name_source", "oddities", "needs_input"}
"""Columns that a written file may change: they describe the file that the row was read from."""


def parse(root: dict[str, object]) -> Shortcut:
    """Parse a shortcut of this content."""
    return parse_shortcut(binary(root), "x.shortcut")


def reread(row: Shortcut) -> Shortcut:
    """Write a row and read it again."""
    return parse_shortcut(written_file(row)[0], row.source_uri)


def changed_fields(row: Shortcut) -> set[str]:
    """Return the fields that differ after the row is written and read again."""
    reread_row = reread(row)
    return {
        field
        for field in row.__struct_fields__
        if getattr(row, field) != getattr(reread_row, field)
    }


def export_shortcuts(folder: Path, *examples: Example) -> list[dict[str, int]]:
    """Write examples, and return their losses counted by kind."""
    return [
        dict(Counter(loss.kind for loss in losses))
        for losses in export("shortcut", folder, *examples)
    ]


def example(row: Shortcut, row_id: str = "") -> Example:
    return example_of_shortcut(row, {}, Text(row_id, "Count them") if row_id else None)


@pytest.mark.parametrize("path", sorted(p for p in DEMO.rglob("*") if p.is_file()), ids=str)
def test_demo_files_read_back_equal(path: Path) -> None:
    try:
        row = parse_shortcut(path.read_bytes(), path.name)
    except ParseError:
        assert path.parent.name == "damaged"
        return
    content = written_file(row)[0]
    cross_check(content)
    unwritten = {"client_version", "icon"} if "bare_action_list" in row.oddities else set()
    assert changed_fields(row) <= FILE_COLUMNS | unwritten


_NAMES = ("UUID", "CustomOutputName", "GroupingIdentifier", "WFControlFlowMode", "WFInput")
_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from("ABC")
_leaves = (
    st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.integers(0, 2)
    | st.floats()
    | _texts
    | st.binary(max_size=4)
    | st.datetimes(datetime(2001, 1, 1), datetime(2100, 1, 1))
)
_keys = _texts | st.sampled_from(["Type", "OutputUUID", "OutputName", "string", "float", "int"])
_values = st.recursive(
    _leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=3),
    max_leaves=8,
)
_actions = st.fixed_dictionaries(
    {
        "WFWorkflowActionIdentifier": st.sampled_from(
            [
                *(f"is.workflow.actions.{name}" for name in ("conditional", "gettext")),
                "is.workflow.actions.choosefrommenu",
                "is.workflow.actions.repeat.each",
                "is.workflow.actions.setvariable",
                "org.example.Jar.open",
            ]
        ),
        "WFWorkflowActionParameters": st.dictionaries(
            st.sampled_from(_NAMES) | _keys, _values, max_size=5
        ),
    }
)


@settings(max_examples=samples(25, 60), deadline=None)
@given(st.lists(_actions, max_size=6))
def test_generated_actions_read_back_equal(actions: list[dict[str, object]]) -> None:
    row = parse({"WFWorkflowActions": actions, "WFWorkflowName": "Jar"})
    content = written_file(row)[0]
    reread_row = parse_shortcut(content, row.source_uri)
    assert reread_row.canonical_digest == row.canonical_digest
    assert reread_row.shortcut_id == row.shortcut_id
    assert reread_row.actions == row.actions
    assert reread_row.workflow == row.workflow
    cross_check(content)


def build_jar_draft() -> Draft:
    jar_draft = Draft("Fill the jar", named=True)
    words = jar_draft.add(
        "gettext", WFTextActionText=text("plums, ", {"Type": "Ask"}, " \N{CHERRIES}")
    )
    jar_draft.control("conditional", "A1B2", 0, WFInput={"Type": "Variable", "Variable": words})
    jar_draft.add("urlencode", WFInput=attachment(words))
    jar_draft.control("conditional", "A1B2", 2)
    jar_draft.add("downloadurl", WFHTTPHeaders=dictionary({"Accept": "text/plain"}))
    return jar_draft


def test_written_file_has_the_keys_that_the_app_needs() -> None:
    root = plistlib.loads(written_file(parse(build_jar_draft().build()))[0])
    assert root["WFWorkflowIcon"] == {
        "WFWorkflowIconGlyphNumber": 59511,
        "WFWorkflowIconStartColor": 431817727,
    }
    assert root["WFWorkflowTypes"] == ["WatchKit"]
    assert root["WFWorkflowInputContentItemClasses"] == ["WFStringContentItem", "WFURLContentItem"]
    assert root["WFWorkflowName"] == "Fill the jar"
    assert root["WFWorkflowActions"] == build_jar_draft().build()["WFWorkflowActions"]
    assert root["WFWorkflowHasShortcutInputVariables"] is False


def test_numbers_beyond_json_are_written_as_numbers() -> None:
    values = {"least": -(2**63), "most": 2**64 - 1, "inf": float("inf"), "half": 0.5}
    numbers_draft = Draft("Numbers")
    numbers_draft.add("number", **values)
    root = plistlib.loads(written_file(parse(numbers_draft.build()))[0])
    parameters = root["WFWorkflowActions"][0]["WFWorkflowActionParameters"]
    assert {name: parameters[name] for name in values} == values


def test_data_defaults_and_nulls_are_losses(tmp_path: Path) -> None:
    image_draft = build_jar_draft()
    image_draft.add("image", WFImage=b"\x00\x01")
    question = {"ActionIndex": 0, "ParameterKey": "WFTextActionText", "Text": "Which?"}
    image_draft.root["WFWorkflowImportQuestions"] = [question, {**question, "ActionIndex": 99}]
    first = parse(image_draft.build())
    assert reread(first).canonical_digest == first.canonical_digest
    nulls = Draft("Nulls")
    nulls.add("list", WFItems=["a", None], WFOther=None, WFThird={"a": None, "b": 10**30})
    second = parse_shortcut(json_dump(nulls.build()), "nulls.json")
    assert export_shortcuts(tmp_path, example(first), example(second)) == [
        {"data": 1, "import_default": 1, "import_question": 1},
        {"null_value": 3, "huge_number": 1},
    ]
    parameters = plistlib.loads(written_file(second)[0])["WFWorkflowActions"][0][
        "WFWorkflowActionParameters"
    ]
    assert parameters["WFItems"] == ["a"]
    assert "WFOther" not in parameters


def test_redacted_row_reports_changed_actions(tmp_path: Path) -> None:
    row = parse(build_jar_draft().build())
    redacted_action = msgspec.structs.replace(row.actions[0], output_name="[redacted:email]")
    redacted_row = msgspec.structs.replace(row, actions=(redacted_action, *row.actions[1:]))
    assert export_shortcuts(tmp_path, example(redacted_row)) == [{"changed_actions": 1}]


def test_damaged_value_is_a_loss_and_writes_no_file(tmp_path: Path) -> None:
    broken = msgspec.structs.replace(argument("a", 1), value='{"a":')
    deep = msgspec.structs.replace(argument("a", 1), value="[" * 5000 + "]" * 5000)
    nested = msgspec.structs.replace(argument("a", 1), value="[" * 300 + "]" * 300)
    rows = [
        shortcut(action(0, "gettext", damaged_argument))
        for damaged_argument in (broken, deep, nested)
    ]
    rows = [msgspec.structs.replace(row, source_uri=f"{n}") for n, row in enumerate(rows)]
    valid_example = example(shortcut())
    damaged_examples = [msgspec.structs.replace(valid_example, shortcut=row) for row in rows]
    assert export_shortcuts(tmp_path, *damaged_examples) == [
        {"damaged_value": 1},
        {"too_deep": 1},
        {"too_deep": 1},
    ]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("store", [binary, json_dump])
def test_deepest_readable_value_reads_back_equal(
    store: Callable[[dict[str, object]], bytes],
) -> None:
    def row(levels: int) -> Shortcut:
        value: object = 1
        for _ in range(levels):
            value = [value]
        deep_draft = Draft("Deep")
        deep_draft.add("list", WFItems=value)
        return parse_shortcut(store(deep_draft.build()), "deep")

    with pytest.raises(ParseError):
        row(MAX_DEPTH + 2)
    deepest = row(MAX_DEPTH + 1)
    assert reread(deepest).canonical_digest == deepest.canonical_digest


def test_shortcut_of_several_requests_is_written_once(tmp_path: Path) -> None:
    row = msgspec.structs.replace(parse(build_jar_draft().build()), split="test")
    export_shortcuts(tmp_path, example(row, "query:1"), example(row, "query:2"))
    (shortcut_file,) = (tmp_path / "shortcuts" / "test").iterdir()
    lines = [json.loads(line) for line in (tmp_path / "test.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == ["query:1", "query:2"]
    assert {line["file"] for line in lines} == {f"shortcuts/test/{shortcut_file.name}"}
    assert shortcut_file.read_bytes() == written_file(row)[0]


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("../../etc/passwd", "etc-passwd-"),
        ("Crème brûlée!", "creme-brulee-"),
        ("\N{CHERRIES}", ""),
        (None, ""),
        ("con." * 200, "con-con-"),
    ],
)
def test_file_names_are_short_ascii(name: str | None, start: str) -> None:
    row = msgspec.structs.replace(parse(build_jar_draft().build()), name=name)
    generated_name = file_name(row)
    assert generated_name.startswith(start)
    assert set(generated_name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")
    assert len(generated_name) < 80
    other_row = msgspec.structs.replace(row, source_uri="elsewhere")
    assert file_name(other_row) != generated_name


@pytest.mark.real_data
def test_real_files_read_back_equal() -> None:
    equal_files = 0
    with zipfile.ZipFile(shared_file("shortcuts.zip")) as archive:
        for entry in json.loads(archive.read("manifest.json")):
            row = parse_shortcut(archive.read(entry["file"]), entry["file"])
            content = written_file(row)[0]
            cross_check(content)
            reread_row = parse_shortcut(content, entry["file"])
            assert reread_row.canonical_digest == row.canonical_digest, entry["file"]
            assert reread_row.shortcut_id == row.shortcut_id
            assert reread_row.actions == row.actions
            equal_files += 1
    assert equal_files == 685
