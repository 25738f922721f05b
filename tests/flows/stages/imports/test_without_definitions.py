"""Check sets without definitions, and requests without calls, from import to every export."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from benchloom.core.records import Dialogue, PlanningPath, Rejected
from benchloom.evaluate.gold import examples_of_release
from benchloom.exchange.examples.releases import Choice
from benchloom.exchange.formats import FORMATS, Writing
from benchloom.normalise.plans.gate import UNDEFINED
from benchloom.release import check_release
from benchloom.release.gates.planning_paths import plan_findings
from benchloom.storage.tables import iter_records
from benchloom.storage.tables.definition import PLANNING_PATHS
from flows.stages.export import export_release
from flows.stages.imports import ImportOptions
from flows.stages.release import release_stages
from tests.benchloom.exchange.formats.foreign_samples import SAMPLES, sample_objects
from tests.support.stages import import_set

WRITERS = [
    name
    for name, writing in FORMATS.only(Writing).items()
    if "planning_paths" in writing.tables and not writing.pairs
]
"""Formats of single examples; pairs need texts that a model wrote."""
UNWRITTEN = {"appbench": 1, "nestful": 1, "api-bank-train": 1}
"""Number of rows without calls that a format cannot express."""


def import_sample(name: str, folder: Path) -> Path:
    """Import the sample of a format and return the folder of the result."""
    source = folder / "in" / "set.jsonl"
    source.parent.mkdir(parents=True)
    (file,) = sample_objects(name, folder)
    source.write_bytes(file.read())
    import_set(name, [source], folder / "out", ImportOptions())
    return folder / "out"


@pytest.fixture(scope="module")
def release_without_definitions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("undefined")
    return release_stages([import_sample("tau2", folder)], folder / "releases")


@pytest.fixture(scope="module")
def release_without_calls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("uncalled")
    return release_stages([import_sample("xlam", folder)], folder / "releases")


def test_plans_without_definitions_are_marked_and_released(
    release_without_definitions: Path,
) -> None:
    check_release(release_without_definitions)
    paths = list(iter_records(release_without_definitions, "planning_paths", PlanningPath))
    assert [path.oddities for path in paths] == [(UNDEFINED,)] * 2


@pytest.mark.parametrize("name", WRITERS)
def test_plans_without_definitions_are_exported(
    name: str, release_without_definitions: Path, tmp_path: Path
) -> None:
    done = export_release(release_without_definitions, name, tmp_path / "out", Choice())
    assert done.examples == 2


@pytest.mark.parametrize("name", WRITERS)
def test_requests_without_calls_are_exported_or_counted(
    name: str, release_without_calls: Path, tmp_path: Path
) -> None:
    check_release(release_without_calls)
    done = export_release(release_without_calls, name, tmp_path / "out", Choice())
    assert done.examples == 2 - UNWRITTEN.get(name, 0)
    assert sum(done.unwritten.values()) == UNWRITTEN.get(name, 0)


def test_gold_offers_the_tools_of_a_request_without_calls(release_without_calls: Path) -> None:
    examples = {
        len(example.calls): example
        for example in examples_of_release(release_without_calls, PLANNING_PATHS)
    }
    assert [definition.api for definition in examples[0].definitions] == ["sail"]
    assert examples[0].request == "Sing."


def test_unknown_api_is_a_finding_if_the_set_has_definitions(
    release_without_definitions: Path,
) -> None:
    for path in iter_records(release_without_definitions, "planning_paths", PlanningPath):
        assert list(plan_findings({}, path)) == []
        reasons = [line.split(": ")[2] for line in plan_findings({}, replace(path, oddities=()))]
        assert reasons == ["unknown_api"] * len(path.steps)


def test_exported_lines_can_be_imported_and_released_again(
    release_without_calls: Path, tmp_path: Path
) -> None:
    export_release(release_without_calls, "jsonl", tmp_path / "lines", Choice())
    import_set("jsonl", [tmp_path / "lines"], tmp_path / "out", ImportOptions())
    again = release_stages([tmp_path / "out"], tmp_path / "again")
    check_release(again)
    ids = [
        sorted(path.path_id for path in iter_records(release, "planning_paths", PlanningPath))
        for release in (release_without_calls, again)
    ]
    assert ids[0] == ids[1]


def test_second_dialogue_of_an_id_is_rejected(tmp_path: Path) -> None:
    """Texts about one dialogue share its row; another dialogue of its id is rejected."""
    record = SAMPLES["openai-functions"][0]
    records = [{**record, "id": "a"}]
    for reply in ("You are there.", "You sank."):
        messages = [*record["messages"][:-1], {"role": "assistant", "content": reply}]
        records.append({**record, "id": "a", "messages": messages})
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, records)), "utf-8")
    import_set("openai-functions", [tmp_path], tmp_path / "out", ImportOptions())
    assert len(list(iter_records(tmp_path / "out", "dialogues", Dialogue))) == 1
    reasons = [row.reason for row in iter_records(tmp_path / "out", "rejected", Rejected)]
    assert reasons == ["duplicate", "duplicate"]
    check_release(release_stages([tmp_path / "out"], tmp_path / "releases"))
