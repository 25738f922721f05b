"""Check inputs that change during a run, and folders of the run among its inputs."""

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


def prepare_shortcuts(folder: Path, root: Path) -> AnyStage:
    return parse_shortcuts.prepare([folder], root, part_bytes=1000)


def prepare_definitions(folder: Path, root: Path) -> AnyStage:
    return parse_definitions.prepare([folder], root)


def prepare_dialogues(folder: Path, root: Path) -> AnyStage:
    return convert_dialogues.prepare("sgd", [folder], root, part_bytes=1000)


KINDS: tuple[tuple[Prepare, Path, str], ...] = (
    (prepare_shortcuts, SHORTCUTS / "odd", ""),
    (prepare_definitions, DEMO / "data" / "definitions", ""),
    (prepare_dialogues, DEMO / "sgd", "train/dialogues_001.json"),
)
each_kind = pytest.mark.parametrize(
    ("prepare", "source", "name"), KINDS, ids=["shortcuts", "definitions", "dialogues"]
)


def copy_inputs(source: Path, name: str, tmp_path: Path) -> tuple[Path, Path]:
    """Return a copy of the inputs, and the file in it that a test changes."""
    folder = tmp_path / "inputs"
    shutil.copytree(source, folder)
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return folder, folder / name if name else files[0]


def run_and_count(stage: AnyStage) -> tuple[int, dict[str, int]]:
    mark = run_stage(stage)
    return mark.objects, mark.rows


@each_kind
def test_files_added_during_a_run_wait_for_the_next_run(
    prepare: Prepare, source: Path, name: str, tmp_path: Path
) -> None:
    folder, file = copy_inputs(source, name, tmp_path)
    expected = run_and_count(prepare(folder, tmp_path / "alone"))
    stage = prepare(folder, tmp_path / "workspace")
    for new in ("0-first", "zz-last"):
        shutil.copyfile(file, file.with_name(f"{new}{file.suffix}"))
    shutil.copyfile(file, folder / f".tmp-1@00000000-{file.name}")
    assert run_and_count(stage) == expected


def append_space(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b" ")


@pytest.mark.parametrize(
    ("change", "fault"),
    [(Path.unlink, "was removed from the inputs"), (append_space, "was changed")],
)
@each_kind
def test_file_changed_during_a_run_ends_the_run(
    prepare: Prepare, source: Path, *, name: str, tmp_path: Path, change: Change, fault: str
) -> None:
    folder, file = copy_inputs(source, name, tmp_path)
    stage = prepare(folder, tmp_path / "workspace")
    change(file)
    with pytest.raises(RunError, match=f"{file.name} {fault}"):
        run_stage(stage)
    assert stage.complete() is None


@each_kind
def test_workspace_among_the_inputs_is_not_read(
    prepare: Prepare, source: Path, name: str, tmp_path: Path
) -> None:
    folder, _ = copy_inputs(source, name, tmp_path)
    expected = run_and_count(prepare(folder, tmp_path / "elsewhere"))
    for _ in range(2):
        assert run_and_count(prepare(folder, folder / "workspace")) == expected
    with pytest.raises(RunError, match="both an input and a folder that this run writes to"):
        prepare(folder, folder)


def test_output_among_the_inputs_is_not_read(tmp_path: Path) -> None:
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
def test_output_equal_to_the_input_is_refused(command: str, tmp_path: Path) -> None:
    (tmp_path / "page.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BenchloomError, match="both an input and a folder that this run writes to"):
        COMMANDS[command](tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["page.json"]


def test_release_folder_is_refused_as_output(tmp_path: Path) -> None:
    release = small_release(tmp_path)
    before = {path: path.read_bytes() for path in release.rglob("*") if path.is_file()}
    with pytest.raises(RunError, match="is a release, which is never changed"):
        parse([SHORTCUTS / "bread-timer.json"], release)
    write_table("shortcuts", (), tmp_path / "rows" / "shortcuts.parquet")
    plan = GeneratePlan(step="query", source=tmp_path / "rows")
    with pytest.raises(RunError, match="is a release, which is never changed"):
        generate_rows(plan, release)
    assert {path: path.read_bytes() for path in release.rglob("*") if path.is_file()} == before


def test_generation_into_its_input_folder_is_refused(tmp_path: Path) -> None:
    write_table("shortcuts", (), tmp_path / "shortcuts.parquet")
    with pytest.raises(RunError, match="both the input and the output"):
        generate_rows(GeneratePlan(step="query", source=tmp_path), tmp_path)


def test_command_refuses_its_input_as_output_with_exit_code_2(tmp_path: Path) -> None:
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
def test_real_dialogues_give_equal_rows_with_an_output_inside(tmp_path: Path) -> None:
    with ZipFile(shared_file("sgd.zip")) as archive:
        names = [name for name in archive.namelist() if name.endswith(("schema.json", "_001.json"))]
        archive.extractall(tmp_path / "sgd", names)
    beside = convert("sgd", [tmp_path / "sgd"], tmp_path / "beside")
    inside = convert("sgd", [tmp_path / "sgd"], tmp_path / "sgd/out")
    assert inside.rows == beside.rows
