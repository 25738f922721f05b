"""Check that `benchloom import` reads rows, reports findings and refuses other formats."""

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


def import_nestful(source: Path, out: Path, **options: Any) -> FinishedImport:
    """Import a folder or file in the format nestful."""
    return import_set("nestful", [source], out, ImportOptions(**options))


def run_import(*arguments: str | Path) -> Any:
    return CliRunner().invoke(build_app(), ["import", *map(str, arguments)])


def test_valid_examples_become_rows_that_the_gate_accepts(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = import_nestful(write_set(tmp_path / "in", GOOD, BAD), out)
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
    done = import_nestful(write_set(tmp_path / "in", GOOD, BAD), out, keep_invalid=True)
    assert done.stage.rows["planning_paths"] == 2
    odd = [path.oddities for path in iter_records(out, "planning_paths", PlanningPath)]
    assert odd == [
        (),
        ("missing_argument", "undeclared_output", "undefined_label", "unknown_argument"),
    ]


def test_duplicate_examples_are_imported_once(tmp_path: Path) -> None:
    out = tmp_path / "out"
    source = write_set(tmp_path / "in", GOOD, {**GOOD, "input": "Other words"})
    write_set(source, GOOD, name="lake")
    done = import_nestful(source, out, keep_invalid=True)
    assert done.stage.rows["planning_paths"] == 1
    assert done.stage.rows["queries"] == 2
    assert done.report.findings == {"duplicate": 1}
    (path,) = iter_records(out, "planning_paths", PlanningPath)
    assert [dialogue.source_uri for dialogue in path.dialogues] == [
        "lake-data.json",
        "sea-data.json",
    ]


def test_set_without_definitions_has_a_state_instead_of_findings(tmp_path: Path) -> None:
    source = write_set(tmp_path / "in", GOOD, BAD)
    alone = import_nestful(source / "sea-data.json", tmp_path / "alone")
    assert alone.states == ("no_definitions",)
    assert alone.report.findings == {"undefined_label": 1}
    complete = import_nestful(source, tmp_path / "whole")
    joined = import_nestful(
        source / "sea-data.json", tmp_path / "joined", definitions=(tmp_path / "whole",)
    )
    assert joined.states == ()
    assert joined.report.findings == complete.report.findings
    assert joined.stage.rows == complete.stage.rows


def test_damaged_lines_are_rejected_with_their_line_number(tmp_path: Path) -> None:
    source = write_set(tmp_path / "in")
    lines = [json.dumps(GOOD), '{"input": "x", "output": 3}', '{"input": "x", "outp', "[" * 9000]
    (source / "sea-data.json").write_text("\n".join(lines))
    out = tmp_path / "out"
    done = import_nestful(source, out)
    reasons = {row.source_uri: row.reason for row in iter_records(out, "rejected", Rejected)}
    assert reasons == {
        "sea-data.json#line 2": "wrong_shape",
        "sea-data.json#line 3": "bad_json",
        "sea-data.json#line 4": "too_deep",
    }
    assert done.stage.rows["planning_paths"] == 1


def test_file_of_another_format_is_described(tmp_path: Path) -> None:
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
    for name, (content, description) in cases.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(RunError, match=re.escape(description)) as caught:
            import_nestful(tmp_path / name, tmp_path / "out")
        assert str(caught.value).startswith(f"{name} is not nestful: it looks like ")
        assert "\n" not in str(caught.value)
        assert not (tmp_path / "out").exists()


def test_files_of_other_formats_are_described_in_one_line(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.jsonl").write_text('{"role": "API", "api_name": "Sail"}')
    (tmp_path / "page.html").write_text("<html></html>")
    message = (
        r"^none of 4 files is nestful; they look like api-bank \(3\), an HTML page \(1\); pass "
    )
    with pytest.raises(RunError, match=message):
        import_nestful(tmp_path, tmp_path / "out")


def test_format_that_cannot_be_imported_is_refused(tmp_path: Path) -> None:
    write_only = next(n for n, member in FORMATS.all().items() if not isinstance(member, Reading))
    with pytest.raises(
        RunError, match=r"can be written, but not imported; formats to import: .*nestful"
    ):
        import_set(write_only, [write_set(tmp_path)], tmp_path / "out", ImportOptions())


def test_import_command_prints_summary_as_json_or_text(tmp_path: Path) -> None:
    source = write_set(tmp_path / "in", GOOD, BAD)
    json_run = run_import("nestful", source, "--out", tmp_path / "out", "--json")
    summary = json.loads(json_run.stdout)
    assert json_run.exit_code == 0
    assert (summary["invalid"], summary["examples"]) == (1, 2)
    assert summary["rows"]["planning_paths"] == 1
    assert summary["findings"]["undefined_label"] == 1
    lines = run_import("nestful", source, "--out", tmp_path / "out")
    assert "1 of 2 examples have findings" in lines.stdout
    strict = run_import("nestful", source, "--out", tmp_path / "out", "--strict")
    assert isinstance(strict.exception, GateError)
    assert strict.exception.exit_code == 1


@pytest.mark.real_data
def test_findings_of_the_published_sample_are_unchanged(tmp_path: Path) -> None:
    done = import_nestful(shared_file("peers.zip"), tmp_path / "out")
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
def test_real_nestful_v2_and_appbench_files_have_no_findings(tmp_path: Path) -> None:
    toy = import_set("nestful-v2", [shared_file("peers.zip")], tmp_path / "toy", ImportOptions())
    assert (toy.report.examples, toy.report.findings) == (4, {})
    gold = import_set(
        "appbench", [shared_file("appbench_gold_sample.json")], tmp_path / "gold", ImportOptions()
    )
    assert (gold.report.examples, gold.report.findings) == (73, {})
    assert gold.states == ("no_definitions",)


def test_release_of_an_import_supplies_definitions(tmp_path: Path) -> None:
    address = "ann.lee@lomm-harbour.com"
    personal = record("Book it for Ann", FIND, call("Ferries.Book", "var2", ferry=address))
    source = write_set(tmp_path / "in", GOOD, personal)
    import_nestful(source, tmp_path / "whole")
    release = release_stages([tmp_path / "whole"], tmp_path / "releases", "1.0.0")
    check_release(release, ())
    paths = list(iter_records(release, "planning_paths", PlanningPath))
    before = list(iter_records(tmp_path / "whole", "planning_paths", PlanningPath))
    assert {plan.path_id for plan in paths} == {plan.path_id for plan in before}
    assert address in str(before)
    assert address not in str(paths)
    joined = tmp_path / "joined"
    done = import_nestful(source / "sea-data.json", joined, definitions=(release,))
    assert (done.states, done.report.invalid) == ((), 0)
    assert [source_file.source_uri for source_file in done.stage.sources] == [
        "sea-data.json",
        "sea-spec.json",
    ]
    check_release(release_stages([joined], tmp_path / "others", "1.0.0"), ())


def test_answers_of_examples_survive_a_release(tmp_path: Path) -> None:
    answer = {"ticket": "$var2.ticket$", "note": ["by $var1.ferry_id$", 3]}
    good = record(GOOD["input"], *GOOD["output"][:2], **answer)
    import_nestful(write_set(tmp_path / "in", good), tmp_path / "out")
    release = release_stages([tmp_path / "out"], tmp_path / "releases", "1.0.0")
    done = export_release(release, "nestful", tmp_path / "again", Choice())
    assert "no_answer" not in done.losses
    written = json.loads((tmp_path / "again" / "data.jsonl").read_text())
    assert written["output"][-1] == {"name": "var_result", "arguments": answer}


def test_definitions_option_requires_a_folder_with_definitions(tmp_path: Path) -> None:
    source = write_set(tmp_path / "in", GOOD)
    (tmp_path / "empty").mkdir()
    with pytest.raises(RunError, match="the table api_definitions is missing or empty"):
        import_nestful(source, tmp_path / "out", definitions=(tmp_path / "empty",))
