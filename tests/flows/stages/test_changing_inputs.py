"""Inputs that change under a run, and folders of the run among its inputs."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from benchloom.core.errors import BenchloomError, RunError
from benchloom.core.records import PlanningPath, Shortcut
from benchloom.storage.tables import iter_records, write_table
from flows.run.runner import run_stage, run_whole
from flows.run.stage import AnyStage
from flows.stages.definitions import parse as parse_definitions
from flows.stages.dialogues import convert as convert_dialogues
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.run import generate_rows
from flows.stages.imports import ImportOptions
from flows.stages.listings import parse as parse_listings
from flows.stages.shortcuts import parse as parse_shortcuts
from tests.support.commands import benchloom
from tests.support.demo_world import DEMO, SHORTCUTS
from tests.support.samples.small_release import small_release
from tests.support.shared_data import shared_file
from tests.support.shortcut_stages import parse
from tests.support.stages import convert, import_set

Prepare = Callable[[Path, Path], AnyStage]
Change = Callable[[Path], None]


def shortcuts(folder: Path, root: Path) -> AnyStage:
    return parse_shortcuts.prepare([folder], root, part_bytes=1000)


def definitions(folder: Path, root: Path) -> AnyStage:
    return parse_definitions.prepare([folder], root)


def dialogues(folder: Path, root: Path) -> AnyStage:
    return convert_dialogues.prepare("sgd", [folder], root, part_bytes=1000)


KINDS: tuple[tuple[Prepare, Path, str], ...] = (
    (shortcuts, SHORTCUTS / "odd", ""),
    (definitions, DEMO / "data" / "definitions", ""),
    (dialogues, DEMO / "sgd", "train/dialogues_001.json"),
)
each_kind = pytest.mark.parametrize(
    ("prepare", "source", "name"), KINDS, ids=["shortcuts", "definitions", "dialogues"]
)


def world(source: Path, name: str, tmp_path: Path) -> tuple[Path, Path]:
    """A copy of the inputs, and the file of it that a test changes."""
    folder = tmp_path / "inputs"
    shutil.copytree(source, folder)
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return folder, folder / name if name else files[0]


def counted(stage: AnyStage) -> tuple[int, dict[str, int]]:
    mark = run_stage(stage)
    return mark.objects, mark.rows


@each_kind
def test_files_that_come_while_it_runs_are_left_for_the_next_run(
    prepare: Prepare, source: Path, name: str, tmp_path: Path
) -> None:
    folder, file = world(source, name, tmp_path)
    expected = counted(prepare(folder, tmp_path / "alone"))
    stage = prepare(folder, tmp_path / "workspace")
    for new in ("0-first", "zz-last"):
        shutil.copyfile(file, file.with_name(f"{new}{file.suffix}"))
    shutil.copyfile(file, folder / f".tmp-1@00000000-{file.name}")
    assert counted(stage) == expected


def spoil(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b" ")


@pytest.mark.parametrize(
    ("change", "fault"), [(Path.unlink, "was removed from the inputs"), (spoil, "was changed")]
)
@each_kind
def test_a_file_that_changes_while_it_runs_ends_the_run_with_its_name(
    prepare: Prepare, source: Path, *, name: str, tmp_path: Path, change: Change, fault: str
) -> None:
    folder, file = world(source, name, tmp_path)
    stage = prepare(folder, tmp_path / "workspace")
    change(file)
    with pytest.raises(RunError, match=f"{file.name} {fault}"):
        run_stage(stage)
    assert stage.complete() is None


@each_kind
def test_a_workspace_among_the_inputs_is_not_read(
    prepare: Prepare, source: Path, name: str, tmp_path: Path
) -> None:
    folder, _ = world(source, name, tmp_path)
    expected = counted(prepare(folder, tmp_path / "elsewhere"))
    for _ in range(2):
        assert counted(prepare(folder, folder / "workspace")) == expected
    with pytest.raises(RunError, match="both an input and a folder that this run writes to"):
        prepare(folder, folder)


def test_an_output_among_the_inputs_is_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "sgd"
    shutil.copytree(DEMO / "sgd", folder)
    rows = json.loads((folder / "train" / "dialogues_001.json").read_text(encoding="utf-8"))
    rows[0]["turns"][0]["utterance"] += " Enjoy the light." * 280_000  # more than one shard
    (folder / "train" / "dialogues_001.json").write_text(json.dumps(rows), encoding="utf-8")
    beside = convert("sgd", [folder], tmp_path / "beside")
    for _ in range(2):
        inside = convert("sgd", [folder], folder / "out")
        assert inside.rows == beside.rows
        assert inside.reasons == beside.reasons
    paths = [list(iter_records(output_folder, "planning_paths", PlanningPath)) for output_folder in
             (folder / "out", tmp_path / "beside")]  # fmt: skip
    assert paths[0] == paths[1] != []


COMMANDS: dict[str, Callable[[Path], object]] = {
    "shortcuts": lambda folder: parse([folder], folder),
    "definitions": lambda folder: run_whole(parse_definitions.prepare_catalogue([folder]), folder),
    "dialogues": lambda folder: convert("sgd", [folder], folder),
    "import": lambda folder: import_set("jsonl", [folder], folder, ImportOptions()),
    "listings": lambda folder: run_whole(parse_listings.prepare([folder], "routinehub"), folder),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_an_output_that_is_the_input_is_refused(command: str, tmp_path: Path) -> None:
    (tmp_path / "page.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BenchloomError, match="both an input and a folder that this run writes to"):
        COMMANDS[command](tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["page.json"]


def test_a_release_is_no_folder_for_a_result(tmp_path: Path) -> None:
    release = small_release(tmp_path)
    before = {path: path.read_bytes() for path in release.rglob("*") if path.is_file()}
    with pytest.raises(RunError, match="is a release, which is never changed"):
        parse([SHORTCUTS / "bread-timer.json"], release)
    write_table("shortcuts", (), tmp_path / "rows" / "shortcuts.parquet")
    plan = GeneratePlan(step="query", source=tmp_path / "rows")
    with pytest.raises(RunError, match="is a release, which is never changed"):
        generate_rows(plan, release)
    assert {path: path.read_bytes() for path in release.rglob("*") if path.is_file()} == before


def test_a_step_does_not_write_into_its_input(tmp_path: Path) -> None:
    write_table("shortcuts", (), tmp_path / "shortcuts.parquet")
    with pytest.raises(RunError, match="both the input and the output"):
        generate_rows(GeneratePlan(step="query", source=tmp_path), tmp_path)


def test_the_command_says_so_and_ends_with_2(tmp_path: Path) -> None:
    shutil.copyfile(SHORTCUTS / "bread-timer.json", tmp_path / "bread-timer.json")
    done = benchloom("parse", "shortcuts", tmp_path, "--out", tmp_path)
    assert done.returncode == 2
    assert "choose another folder for --out" in done.stderr
    assert "Traceback" not in done.stderr
    inside = benchloom("parse", "shortcuts", ".", "--out", "out", "--json", cwd=tmp_path)
    assert inside.returncode == 0
    rows = list(iter_records(tmp_path / "out", "shortcuts", Shortcut))
    assert [row.source_uri for row in rows] == ["bread-timer.json"]


@pytest.mark.real_data
def test_real_dialogues_with_an_output_inside(tmp_path: Path) -> None:
    with ZipFile(shared_file("sgd.zip")) as archive:
        names = [name for name in archive.namelist() if name.endswith(("schema.json", "_001.json"))]
        archive.extractall(tmp_path / "sgd", names)
    beside = convert("sgd", [tmp_path / "sgd"], tmp_path / "beside")
    inside = convert("sgd", [tmp_path / "sgd"], tmp_path / "sgd/out")
    assert inside.rows == beside.rows
