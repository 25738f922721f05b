"""Sets that bring no definition, and requests without calls: from import to every export."""

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
LEFT_OUT = {"appbench": 1, "nestful": 1, "api-bank-train": 1}
"""Rows without calls that a format has no place for."""


def imported(name: str, folder: Path) -> Path:
    source = folder / "in" / "set.jsonl"
    source.parent.mkdir(parents=True)
    (file,) = sample_objects(name, folder)
    source.write_bytes(file.read())
    import_set(name, [source], folder / "out", ImportOptions())
    return folder / "out"


@pytest.fixture(scope="module")
def undefined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("undefined")
    return release_stages([imported("tau2", folder)], folder / "releases")


@pytest.fixture(scope="module")
def uncalled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("uncalled")
    return release_stages([imported("xlam", folder)], folder / "releases")


def test_plans_of_a_set_without_definitions_say_so_and_are_released(undefined: Path) -> None:
    check_release(undefined)
    paths = list(iter_records(undefined, "planning_paths", PlanningPath))
    assert [path.oddities for path in paths] == [(UNDEFINED,)] * 2


@pytest.mark.parametrize("name", WRITERS)
def test_plans_without_definitions_are_exported(name: str, undefined: Path, tmp_path: Path) -> None:
    done = export_release(undefined, name, tmp_path / "out", Choice())
    assert done.examples == 2


@pytest.mark.parametrize("name", WRITERS)
def test_requests_without_calls_are_exported_or_counted(
    name: str, uncalled: Path, tmp_path: Path
) -> None:
    check_release(uncalled)
    done = export_release(uncalled, name, tmp_path / "out", Choice())
    assert done.examples == 2 - LEFT_OUT.get(name, 0)
    assert sum(done.unwritten.values()) == LEFT_OUT.get(name, 0)


def test_gold_of_a_release_offers_the_tools_of_a_request_without_calls(uncalled: Path) -> None:
    examples = {
        len(example.calls): example for example in examples_of_release(uncalled, PLANNING_PATHS)
    }
    assert [definition.api for definition in examples[0].definitions] == ["sail"]
    assert examples[0].request == "Sing."


def test_an_unknown_api_is_refused_where_the_set_has_definitions(undefined: Path) -> None:
    for path in iter_records(undefined, "planning_paths", PlanningPath):
        assert list(plan_findings({}, path)) == []
        reasons = [line.split(": ")[2] for line in plan_findings({}, replace(path, oddities=()))]
        assert reasons == ["unknown_api"] * len(path.steps)


def test_an_export_as_lines_is_imported_and_released_again(uncalled: Path, tmp_path: Path) -> None:
    export_release(uncalled, "jsonl", tmp_path / "lines", Choice())
    import_set("jsonl", [tmp_path / "lines"], tmp_path / "out", ImportOptions())
    again = release_stages([tmp_path / "out"], tmp_path / "again")
    check_release(again)
    ids = [
        sorted(path.path_id for path in iter_records(release, "planning_paths", PlanningPath))
        for release in (uncalled, again)
    ]
    assert ids[0] == ids[1]


def test_one_id_has_one_dialogue(tmp_path: Path) -> None:
    """Texts about one dialogue share its row; another dialogue of its id is rejected."""
    record = SAMPLES["openai-functions"][0]
    said = [{**record, "id": "a"}]
    for words in ("You are there.", "You sank."):
        messages = [*record["messages"][:-1], {"role": "assistant", "content": words}]
        said.append({**record, "id": "a", "messages": messages})
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, said)), "utf-8")
    import_set("openai-functions", [tmp_path], tmp_path / "out", ImportOptions())
    assert len(list(iter_records(tmp_path / "out", "dialogues", Dialogue))) == 1
    reasons = [row.reason for row in iter_records(tmp_path / "out", "rejected", Rejected)]
    assert reasons == ["duplicate", "duplicate"]
    check_release(release_stages([tmp_path / "out"], tmp_path / "releases"))
