"""Check the conversion of the real SGD archive: published records, references and graphs."""

import json
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchloom.core.records import ApiDefinition, PlanningPath
from benchloom.normalise.plans.gate import check_plan, shape_of
from benchloom.storage.tables import iter_records
from flows.stages.dialogues.options import ConversionOptions
from parsers.dialogues.sgd.schema import read_schema
from tests.support import stages
from tests.support.shared_data import shared_file
from tests.support.soak import SOAK

pytestmark = pytest.mark.real_data
ROOT = "dstc8-schema-guided-dialogue"
Json = dict[str, Any]


def convert_archive(tmp: pytest.TempPathFactory, options: ConversionOptions) -> Path:
    out = tmp.mktemp("sgd") / "out"
    mark = stages.convert("sgd", [shared_file("sgd.zip")], out, options)
    assert mark.rows["planning_paths"] == 3763
    assert mark.rows["rejected"] == 0
    return out


def read_plans(out: Path) -> list[PlanningPath]:
    return list(iter_records(out, "planning_paths", PlanningPath))


@pytest.fixture(scope="module")
def flow_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stages.real_dialogues(tmp_path_factory)


@pytest.fixture(scope="module")
def flow_plans(flow_folder: Path) -> list[PlanningPath]:
    return read_plans(flow_folder)


@pytest.fixture(scope="module")
def dialogues() -> dict[tuple[str, str], Json]:
    """Return the turns of every dialogue, decoded by the standard library."""
    dialogues_by_id = {}
    with zipfile.ZipFile(shared_file("sgd.zip")) as archive:
        for name in archive.namelist():
            if "/dialogues_" in name:
                for dialogue in json.loads(archive.read(name)):
                    dialogues_by_id[name.split("/")[-2], dialogue["dialogue_id"]] = dialogue
    return dialogues_by_id


def calls_of(dialogue: Json) -> Iterator[tuple[int, Json]]:
    for index, turn in enumerate(dialogue["turns"]):
        for frame in turn["frames"]:
            if "service_call" in frame:
                yield index, frame


def values_in_turn(turn: Json) -> Iterator[str]:
    """Return every value that the acts of a turn name, canonical and as spoken by the user."""
    for frame in turn["frames"]:
        for action in frame["actions"]:
            if action["act"] not in {"INFORM_INTENT", "OFFER_INTENT", "INFORM_COUNT"}:
                yield from (value.lower() for value in action["canonical_values"])
                if turn["speaker"] == "USER":
                    yield from (value.lower() for value in action["values"])


def test_appbench_lines_equal_the_published_records(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    out = convert_archive(tmp_path_factory, ConversionOptions(mode="name", format="appbench"))
    lines = {}
    for line in (out / "planning_paths.appbench.jsonl").read_bytes().splitlines():
        record = json.loads(line)
        lines[record["split"], record["dialogue_id"]] = record
    compared = 0
    for entry in json.loads(shared_file("appbench_gold_sample.json").read_bytes()):
        if entry["type"] == "MS":
            continue  # tests/parsers/dialogues/test_gold_sample.py compares these concatenations
        (source,) = entry["sources"]
        converted_record = lines[source["split"], source["dialogue"]]
        assert converted_record["category"] == entry["type"]
        expected = entry["record"]["output"]
        assert set(converted_record["output"].pop("middle_arguments")) == set(
            expected.pop("middle_arguments")
        )
        assert converted_record["output"] == expected
        compared += 1
    assert compared == 68


def test_every_edge_carries_a_value_of_its_producer(
    flow_plans: list[PlanningPath], dialogues: dict[tuple[str, str], Json]
) -> None:
    checked = 0
    for path in flow_plans:
        call_frames = [
            frame for _, frame in calls_of(dialogues[path.dialogues[0].split, path.source_id])
        ]
        assert len(call_frames) == len(path.steps)
        for edge in path.edges:
            value = call_frames[edge.to_step]["service_call"]["parameters"][edge.argument]
            rows = call_frames[edge.from_step]["service_results"]
            assert value in [row.get(edge.output) for row in rows], path.source_id
            checked += 1
    assert checked > 3000


def test_no_edge_leads_to_a_value_the_user_named_first(
    flow_plans: list[PlanningPath], dialogues: dict[tuple[str, str], Json]
) -> None:
    checked = 0
    for path in flow_plans:
        dialogue = dialogues[path.dialogues[0].split, path.source_id]
        recorded_calls = list(calls_of(dialogue))
        for edge in path.edges:
            turn, frame = recorded_calls[edge.to_step]
            value = frame["service_call"]["parameters"][edge.argument].lower()
            speakers = [
                spoken_turn["speaker"]
                for spoken_turn in dialogue["turns"][:turn]
                if value in set(values_in_turn(spoken_turn))
            ]
            assert speakers[:1] != ["USER"], (path.source_id, edge)
            producer = recorded_calls[edge.from_step][1]["service_call"]["parameters"]
            assert producer.get(edge.output, "").lower() != value, (
                "the producer only echoes its input"
            )
            checked += 1
    assert checked > 3000


def test_every_plan_passes_the_gate(flow_plans: list[PlanningPath]) -> None:
    with zipfile.ZipFile(shared_file("sgd.zip")) as archive:
        shapes = {
            split: read_schema(archive.read(f"{ROOT}/{split}/schema.json")).shapes
            for split in ("train", "dev", "test")
        }
    assert [
        v for path in flow_plans for v in check_plan(path, shapes[path.dialogues[0].split])
    ] == []


def test_every_plan_passes_the_gate_on_the_published_definitions(
    flow_folder: Path, flow_plans: list[PlanningPath]
) -> None:
    shapes = {
        definition.definition_id: shape_of(definition)
        for definition in iter_records(flow_folder, "api_definitions", ApiDefinition)
    }
    assert len(shapes) == 99
    assert [v for path in flow_plans for v in check_plan(path, shapes)] == []


def test_every_argument_has_an_origin(flow_plans: list[PlanningPath]) -> None:
    counts: defaultdict[str, int] = defaultdict(int)
    for path in flow_plans:
        for step in path.steps:
            for argument in step.arguments:
                counts[argument.provenance] += 1
                assert (argument.provenance == "result") == (argument.kind == "reference")
    assert sum(counts.values()) == 26851
    assert "unknown" not in counts
    assert counts.keys() == {"user", "carried", "result", "default", "system"}


@pytest.mark.parametrize("variant", ["v1", "v5"] if SOAK else ["v5"])
def test_graph_is_equal_under_a_variant(
    flow_plans: list[PlanningPath], tmp_path_factory: pytest.TempPathFactory, variant: str
) -> None:
    renamed = read_plans(convert_archive(tmp_path_factory, ConversionOptions(variant=variant)))
    changed = 0
    for plan, other in zip(flow_plans, renamed, strict=True):
        assert plan.source_id == other.source_id
        assert plan.category == other.category
        assert (plan.parallel_scale, plan.sequential_scales) == (
            other.parallel_scale,
            other.sequential_scales,
        )
        assert sorted((e.from_step, e.to_step, e.evidence) for e in plan.edges) == sorted(
            (e.from_step, e.to_step, e.evidence) for e in other.edges
        )
        for step, again in zip(plan.steps, other.steps, strict=True):
            assert step.outcome == again.outcome
            # Names differ, so arguments are compared by their content.
            assert sorted((a.value, str(a.from_step), a.provenance) for a in step.arguments) == (
                sorted((a.value, str(a.from_step), a.provenance) for a in again.arguments)
            )
            changed += [a.name for a in step.arguments] != [a.name for a in again.arguments]
    assert changed > 5000


def test_funnel_and_statistics_count_every_dialogue(flow_folder: Path) -> None:
    funnel = json.loads((flow_folder / "funnel.json").read_bytes())
    assert funnel["files"] == 30
    assert funnel["dialogues"] == 3763
    assert funnel["rejected"] == {}
    assert funnel["plans"]["all"]["all"] == 3763
    rows = json.loads((flow_folder / "statistics.json").read_bytes())
    table = {(row["split"], row["category"]): row for row in rows}
    assert sum(table["all", c]["samples"] for c in ("SS", "SM", "MS", "MM")) == 3763
    assert table["all", "all"]["average_calls"] == round(9704 / 3763, 2)
    assert table["all", "SS"]["maximum_calls"] == 1
    assert "| all | MM |" in (flow_folder / "statistics.md").read_text()
