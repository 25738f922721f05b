"""Check that a release with redacted arguments is sound and can be exported."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from typer.testing import CliRunner

from benchloom.core.records import PlanningPath
from benchloom.core.records.values import value_of
from benchloom.release import check_release
from benchloom.storage.tables import iter_records
from flows.cli import build_app
from flows.stages.imports import ImportOptions
from flows.stages.release import release_stages
from tests.support.shared_data import shared_file
from tests.support.stages import import_set

MAIL = "mira.holt" + "@" + "nordhafen-post.de"
COORDINATES_SCHEMA = {
    "type": "array",
    "items": {"type": "float"},
    "description": "Where it starts.",
}
TEXT_SCHEMA = {"type": "string", "description": "Who is told."}
DESTINATION_SCHEMA = {
    "type": "dict",
    "description": "Where it ends.",
    "properties": {"latitude": {"type": "float"}, "names": {"type": "array", "items": TEXT_SCHEMA}},
}


def write_bfcl_set(folder: Path) -> Path:
    function = {
        "name": "plan_walk",
        "description": "Plan a walk.",
        "parameters": {
            "type": "dict",
            "properties": {
                "start": COORDINATES_SCHEMA,
                "end": DESTINATION_SCHEMA,
                "mail": TEXT_SCHEMA,
            },
            "required": ["start"],
        },
    }
    question = f"Walk from 52.520817, 13.409419 to the lake and tell {MAIL}."
    row = {"id": "simple_0", "question": [[{"role": "user", "content": question}]],
           "function": [function]}  # fmt: skip
    end = {"latitude": [47.558123], "names": [[MAIL, "the lake"]]}
    call = {"plan_walk": {"start": [[52.520817, 13.409419]], "end": [end], "mail": [MAIL]}}
    (folder / "possible_answer").mkdir(parents=True)
    name = "BFCL_v4_simple_python.json"
    (folder / name).write_text(json.dumps(row))
    answer = {"id": "simple_0", "ground_truth": [call]}
    (folder / "possible_answer" / name).write_text(json.dumps(answer))
    return folder


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("redacted")
    import_set("bfcl", [write_bfcl_set(base / "in")], base / "imported", ImportOptions())
    return release_stages([base / "imported"], base / "releases")


def test_redacted_arguments_keep_the_shape_of_their_schema(release: Path) -> None:
    check_release(release)
    (plan,) = iter_records(release, "planning_paths", PlanningPath)
    values = {
        argument.name: value_of(argument.value, is_json=argument.is_json)
        for argument in plan.steps[0].arguments
    }
    assert values == {
        "start": [0.0, 0.0],
        "end": {"latitude": 0.0, "names": ["[redacted:email]", "the lake"]},
        "mail": "[redacted:email]",
    }
    assert all(isinstance(number, float) for number in values["start"])  # type: ignore[union-attr]  # the column is a list


@pytest.mark.parametrize(
    "name",
    ["adp", "api-bank", "bfcl", "hermes", "jsonl", "nestful-v2", "openai", "sharegpt"],
)
def test_every_call_format_exports_redacted_arguments(
    release: Path, tmp_path: Path, name: str
) -> None:
    command = ["release", "export", str(release), "--format", name, "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(build_app(), command)
    assert done.exit_code == 0, done.output
    export_text = "".join(path.read_text() for path in (tmp_path / "out").rglob("*.json*"))
    assert "[redacted:email]" in export_text
    assert MAIL not in export_text
    assert "52.52" not in export_text


@pytest.mark.real_data
def test_redacted_list_of_real_data_is_released_and_exported(tmp_path: Path) -> None:
    with ZipFile(shared_file("cases.zip")) as archive:
        archive.extractall(tmp_path)
    source = next(path for path in tmp_path.rglob("redacted_list") if path.is_dir())
    import_set("bfcl", [source], tmp_path / "imported", ImportOptions())
    release_folder = release_stages([tmp_path / "imported"], tmp_path / "releases")
    check_release(release_folder)
    (plan,) = iter_records(release_folder, "planning_paths", PlanningPath)
    (argument,) = plan.steps[0].arguments
    assert value_of(argument.value, is_json=argument.is_json) == [0.0, 0.0]
    command = [
        "release",
        "export",
        str(release_folder),
        "--format",
        "bfcl",
        "--out",
        str(tmp_path / "out"),
    ]
    done = CliRunner().invoke(build_app(), command)
    assert done.exit_code == 0, done.output
