"""`benchloom import` on a set of our own: rows, findings, ways to end."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from benchloom.core.errors import GateError, RunError
from benchloom.core.records import ApiDefinition, PlanningPath, Query, Rejected
from benchloom.exchange.examples.releases import Choice
from benchloom.exchange.formats import FORMATS, Reading
from benchloom.normalise.plans.gate import check_plan, shape_of
from benchloom.release import check_release
from benchloom.storage.tables import iter_records
from benchloom.storage.workspace import valid_mark
from benchloom.storage.workspace.marks import command_of
from flows.cli import build_app
from flows.stages.export import export_release
from flows.stages.imports import ImportOptions
from flows.stages.release import release_stages
from tests.benchloom.exchange.foreign.sample import FIND, GOOD, call, record, write_set
from tests.support.shared_data import shared_file
from tests.support.stages import FinishedImport, import_set

BAD = record("Book one", FIND, call("Ferries.Book", "var2", ship="$var1.berth$"), t="$var7$")


def bring(source: Path, out: Path, **options: Any) -> FinishedImport:
    return import_set("nestful", [source], out, ImportOptions(**options))


def run(*words: str | Path) -> Any:
    return CliRunner().invoke(build_app(), ["import", *map(str, words)])


def test_good_examples_become_rows_that_the_gate_accepts(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = bring(write_set(tmp_path / "in", GOOD, BAD), out)
    definitions = list(iter_records(out, "api_definitions", ApiDefinition))
    (path,) = iter_records(out, "planning_paths", PlanningPath)
    (query,) = iter_records(out, "queries", Query)
    assert len(definitions) == 2
    assert (
        check_plan(
            path, {definition.definition_id: shape_of(definition) for definition in definitions}
        )
        == []
    )
    assert (path.source, path.source_id, path.source_uri) == (
        "nestful",
        "sea-data/1",
        "sea-data.json",
    )
    assert (query.target_id, query.text, query.generator) == (
        path.path_id,
        GOOD["input"],
        "given",
    )
    (rejected,) = iter_records(out, "rejected", Rejected)
    assert rejected.source_uri == "sea-data.json#sea-data/2"
    assert done.report.invalid == 1
    assert done.report.findings == {
        "missing_argument": 1,
        "undeclared_output": 1,
        "undefined_label": 1,
        "unknown_argument": 1,
    }
    assert valid_mark(out) == done.stage.record
    assert command_of(done.stage.name) == "benchloom import nestful"


def test_invalid_examples_are_kept_on_request(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = bring(write_set(tmp_path / "in", GOOD, BAD), out, keep_invalid=True)
    assert done.stage.rows["planning_paths"] == 2
    odd = [path.oddities for path in iter_records(out, "planning_paths", PlanningPath)]
    assert odd == [
        (),
        ("missing_argument", "undeclared_output", "undefined_label", "unknown_argument"),
    ]


def test_nothing_is_imported_twice(tmp_path: Path) -> None:
    out = tmp_path / "out"
    source = write_set(tmp_path / "in", GOOD, {**GOOD, "input": "Other words"})
    write_set(source, GOOD, name="lake")
    done = bring(source, out, keep_invalid=True)
    assert done.stage.rows["planning_paths"] == 1
    assert done.stage.rows["queries"] == 2
    assert done.report.findings == {"duplicate": 1}
    (path,) = iter_records(out, "planning_paths", PlanningPath)
    assert [dialogue.source_uri for dialogue in path.dialogues] == [
        "lake-data.json",
        "sea-data.json",
    ]


def test_a_set_without_definitions_is_told_once(tmp_path: Path) -> None:
    source = write_set(tmp_path / "in", GOOD, BAD)
    alone = bring(source / "sea-data.json", tmp_path / "alone")
    assert alone.states == ("no_definitions",)
    assert alone.report.findings == {"undefined_label": 1}
    whole = bring(source, tmp_path / "whole")
    joined = bring(source / "sea-data.json", tmp_path / "joined", definitions=(tmp_path / "whole",))
    assert joined.states == ()
    assert joined.report.findings == whole.report.findings
    assert joined.stage.rows == whole.stage.rows


def test_damage_is_rejected_with_its_place(tmp_path: Path) -> None:
    source = write_set(tmp_path / "in")
    lines = [json.dumps(GOOD), '{"input": "x", "output": 3}', '{"input": "x", "outp', "[" * 9000]
    (source / "sea-data.json").write_text("\n".join(lines))
    out = tmp_path / "out"
    done = bring(source, out)
    reasons = {row.source_uri: row.reason for row in iter_records(out, "rejected", Rejected)}
    assert reasons == {
        "sea-data.json#line 2": "wrong_shape",
        "sea-data.json#line 3": "bad_json",
        "sea-data.json#line 4": "too_deep",
    }
    assert done.stage.rows["planning_paths"] == 1


def test_a_file_of_another_format_is_named(tmp_path: Path) -> None:
    cases = {
        "page.html": (b"<!DOCTYPE html><html></html>", "an HTML page"),
        "rows.parquet": (b"PAR1\x15\x04", "a Parquet table"),
        "empty.json": (b" \n", "an empty file"),
        "plan.shortcut": (b"bplist00\xd4", "a binary property list"),
        "calls.jsonl": (b'{"role": "API", "api_name": "Sail", "param_dict": {}}', "api-bank"),
        "bfcl.json": (b'{"id": "simple_0", "question": [[{"role": "user"}]]}', "bfcl"),
        "table.csv": (b"a,b,c\n1,2,3\n", "a CSV table"),
        "note.txt": (b"hello", "plain text"),
    }
    for name, (content, looks) in cases.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(RunError, match=re.escape(looks)) as caught:
            bring(tmp_path / name, tmp_path / "out")
        assert str(caught.value).startswith(f"{name} is not nestful: it looks like ")
        assert "\n" not in str(caught.value)
        assert not (tmp_path / "out").exists()


def test_many_files_of_another_format_are_named_in_one_line(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.jsonl").write_text('{"role": "API", "api_name": "Sail"}')
    (tmp_path / "page.html").write_text("<html></html>")
    message = (
        r"^none of 4 files is nestful; they look like api-bank \(3\), an HTML page \(1\); pass "
    )
    with pytest.raises(RunError, match=message):
        bring(tmp_path, tmp_path / "out")


def test_a_format_that_cannot_be_read(tmp_path: Path) -> None:
    written = next(n for n, member in FORMATS.all().items() if not isinstance(member, Reading))
    with pytest.raises(
        RunError, match=r"can be written, but not imported; formats to import: .*nestful"
    ):
        import_set(written, [write_set(tmp_path)], tmp_path / "out", ImportOptions())


def test_the_summary_for_programs_and_people(tmp_path: Path) -> None:
    source = write_set(tmp_path / "in", GOOD, BAD)
    json_run = run("nestful", source, "--out", tmp_path / "out", "--json")
    summary = json.loads(json_run.stdout)
    assert json_run.exit_code == 0
    assert (summary["invalid"], summary["examples"]) == (1, 2)
    assert summary["rows"]["planning_paths"] == 1
    assert summary["findings"]["undefined_label"] == 1
    lines = run("nestful", source, "--out", tmp_path / "out")
    assert "1 of 2 examples have findings" in lines.stdout
    strict = run("nestful", source, "--out", tmp_path / "out", "--strict")
    assert isinstance(strict.exception, GateError)
    assert strict.exception.exit_code == 1


@pytest.mark.real_data
def test_the_published_sample(tmp_path: Path) -> None:
    done = bring(shared_file("peers.zip"), tmp_path / "out")
    assert done.report.examples == 131
    assert done.stage.rows["api_definitions"] == 69
    assert done.report.findings == {
        "unknown_argument": 23,
        "undeclared_output": 21,
        "missing_argument": 9,
        "value_not_allowed": 4,
        "repeated_label": 2,
        "undefined_label": 2,
    }
    assert done.report.invalid == 56


@pytest.mark.real_data
def test_the_second_version_and_appbench(tmp_path: Path) -> None:
    toy = import_set("nestful-v2", [shared_file("peers.zip")], tmp_path / "toy", ImportOptions())
    assert (toy.report.examples, toy.report.findings) == (4, {})
    gold = import_set(
        "appbench", [shared_file("appbench_gold_sample.json")], tmp_path / "gold", ImportOptions()
    )
    assert (gold.report.examples, gold.report.findings) == (73, {})
    assert gold.states == ("no_definitions",)


def test_a_release_is_built_of_an_import_and_gives_definitions(tmp_path: Path) -> None:
    address = "ann.lee@lomm-harbour.com"
    personal = record("Book it for Ann", FIND, call("Ferries.Book", "var2", ferry=address))
    source = write_set(tmp_path / "in", GOOD, personal)
    bring(source, tmp_path / "whole")
    release = release_stages([tmp_path / "whole"], tmp_path / "releases", "1.0.0")
    check_release(release, ())
    paths = list(iter_records(release, "planning_paths", PlanningPath))
    before = list(iter_records(tmp_path / "whole", "planning_paths", PlanningPath))
    assert {plan.path_id for plan in paths} == {plan.path_id for plan in before}
    assert address in str(before)
    assert address not in str(paths)
    joined = tmp_path / "joined"
    done = bring(source / "sea-data.json", joined, definitions=(release,))
    assert (done.states, done.report.invalid) == ((), 0)
    assert [source_file.source_uri for source_file in done.stage.sources] == [
        "sea-data.json",
        "sea-spec.json",
    ]
    check_release(release_stages([joined], tmp_path / "others", "1.0.0"), ())


def test_what_an_example_gives_back_goes_through_a_release(tmp_path: Path) -> None:
    said = {"ticket": "$var2.ticket$", "note": ["by $var1.ferry_id$", 3]}
    good = record(GOOD["input"], *GOOD["output"][:2], **said)
    bring(write_set(tmp_path / "in", good), tmp_path / "out")
    release = release_stages([tmp_path / "out"], tmp_path / "releases", "1.0.0")
    done = export_release(release, "nestful", tmp_path / "again", Choice())
    assert "no_answer" not in done.losses
    written = json.loads((tmp_path / "again" / "data.jsonl").read_text())
    assert written["output"][-1] == {"name": "var_result", "arguments": said}


def test_definitions_come_from_a_stage_or_a_release(tmp_path: Path) -> None:
    source = write_set(tmp_path / "in", GOOD)
    (tmp_path / "empty").mkdir()
    with pytest.raises(RunError, match="the table api_definitions is missing or empty"):
        bring(source, tmp_path / "out", definitions=(tmp_path / "empty",))
