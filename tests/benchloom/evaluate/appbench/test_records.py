"""Tests of AppBench predictions in the structure of gold, both whole and damaged."""

from copy import deepcopy
from typing import Any

import msgspec
import pytest

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmarks.appbench import BENCHMARK
from benchloom.exchange.examples import Call, Composed, Ref
from tests.benchloom.evaluate.appbench.samples import BOTH, FERRY, call, sample, scores


def gold_record() -> dict[str, Any]:
    output = BENCHMARK.output_of(sample(FERRY), FERRY)
    assert isinstance(output, dict)
    return deepcopy(output)


def test_record_is_read_from_every_wrapping() -> None:
    record_output = gold_record()
    text = msgspec.json.encode({"input": "Book it", "output": record_output}).decode()
    wrapped: list[Plain] = [
        record_output,
        {"output": record_output},
        {"record": {"output": record_output}},
    ]
    wrapped += [text, f"```json\n{text}\n```"]
    assert [scores(FERRY, output)["success"] for output in wrapped] == [1] * 5
    only_texts = {
        "used_app": record_output["used_app"],
        "api_results": record_output["api_results"],
    }
    assert scores(FERRY, only_texts)["success"] == 1


def test_data_without_texts_has_no_references() -> None:
    record_output = gold_record()
    del record_output["api_results"]
    metrics = scores(FERRY, record_output)
    assert (metrics["f1_api"], metrics["success"]) == (1, 0)


def test_contradicting_data_and_text_are_wrong() -> None:
    for part in ("used_api", "api_results"):
        record_output = gold_record()
        if part == "used_api":
            record_output["used_api"][0]["findpier"]["city"] = ""
        else:
            record_output["api_results"][0] = record_output["api_results"][0].replace(
                "Port Ellery", ""
            )
        judgement = BENCHMARK.judge(sample(FERRY), record_output, "right")
        assert [finding.kind for finding in judgement.findings] == ["contradiction"]
        assert scores(FERRY, record_output, "published")["success"] == 1


def test_argument_order_and_number_spelling_are_no_contradiction() -> None:
    record_output = gold_record()
    record_output["used_api"][0] = {"findpier": {"riders": "2.0", "city": "Port Ellery"}}
    assert scores(FERRY, record_output)["success"] == 1


@pytest.mark.parametrize(
    ("change", "f1_api"),
    [
        ({"used_app": ["Ferries"]}, 1),
        ({"used_api": [{"findpier": {}}]}, 2 / 3),
        ({"api_results": []}, 1),
        ({"result_arguments": []}, 1),
    ],
)
def test_lists_of_unequal_length_are_read_partly(
    change: dict[str, list[Any]], f1_api: float
) -> None:
    metrics = scores(FERRY, gold_record() | change)
    assert metrics["f1_api"] == pytest.approx(f1_api)
    assert metrics["success"] == (1 if "result_arguments" in change else 0)


def test_calls_are_matched_to_reordered_texts() -> None:
    record_output = gold_record()
    record_output["api_results"].reverse()
    assert scores(FERRY, record_output)["success"] == 1


FOREIGN = (
    Call("", "lookup", (), returns=("a",)),
    call("", "join", whole=Ref(0), part=Ref(0, "a", "b.c"), text=Composed(("x ", Ref(0, "a")))),
)


@pytest.mark.parametrize(
    "gold",
    [FOREIGN, (call("A", "b", n=3, flag=True, many=[1, {"x": None}]),), BOTH[:1] * 3],
)
def test_plan_beyond_the_record_form_is_written_as_steps(gold: tuple[Call, ...]) -> None:
    output = BENCHMARK.output_of(sample(gold), gold)
    assert scores(gold, output)["success"] == 1
    assert scores((*gold[:-1], call("", "join", text="x a")), output)["success"] == 0


@pytest.mark.parametrize(
    "steps",
    [
        [{"api": "findpier", "app": "Ferries", "arguments": {"city": "Port Ellery", "riders": 2}},
         {"api": "bookferry", "app": "Ferries",
          "arguments": {"deck": "upper", "ferry": {"$ref": {"step": 0, "output": "ferry"}}}}],
        [{"api": "findpier", "app": "Ferries",
          "arguments": [{"name": "city", "value": "Port Ellery"},
                        {"name": "riders", "value": "2"}]},
         {"api": "bookferry", "app": "Ferries",
          "arguments": [{"name": "deck", "value": "upper"},
                        {"name": "ferry", "from_step": 0, "output": "ferry"}]}],
    ],
)  # fmt: skip
def test_plan_steps_are_read(steps: list[Plain]) -> None:
    forms: list[Plain] = [steps, {"steps": steps}, {"calls": steps}]
    for output in (*forms, msgspec.json.encode({"steps": steps}).decode()):
        assert scores(FERRY, output)["success"] == 1
    forward = deepcopy(steps)
    forward.reverse()
    judgement = BENCHMARK.judge(sample(FERRY), forward, "right")
    assert {finding.kind for finding in judgement.findings} == {"no_producer"}
    assert judgement.outcome == "wrong_references"


def test_release_plans_accept_published_names() -> None:
    gold = (
        Call("RentalCars_3", "FindCars", call("", "", city="X").arguments, returns=("car",)),
        Call("Buses_1", "FindBus", call("", "", to=Ref(0, "car")).arguments, returns=("bus",)),
    )
    published = "Rents: [car = Rents_findcars(#city='X')]\nBuses: [bus = Buses_findbus(#to=car)]"
    release_names = (
        "RentalCars_3: [car = RentalCars_3_FindCars(#city='X')]\nBuses_1: [FindBus(#to=car)]"
    )
    for text in (published, release_names):
        assert scores(gold, text)["success"] == 1
    assert scores(gold, published.replace("Buses", "Buses_3"))["em_app"] == 0
    twice = (gold[0], Call("RideSharing_1", "GetRide", (), returns=("ride",)))
    assert (
        scores(twice, "Rents: [car = Rents_findcars(#city='X'), Rents_getride()]")["success"] == 1
    )


def test_renamed_output_is_matched_by_position() -> None:
    gold_sample = sample(BOTH)
    renamed = BENCHMARK.relabelled(gold_sample, BENCHMARK.output_of(gold_sample, BOTH))
    assert isinstance(renamed, dict)
    assert renamed["result_arguments"] == [
        ["r1_0", "r1_1", "r1_2"],
        ["r2_0", "r2_1", "r2_2"],
        ["r3_0", "r3_1"],
        ["r4_0", "r4_1"],
    ]
    assert scores(BOTH, renamed)["success"] == 1
    foreign = sample(FOREIGN)
    output = BENCHMARK.output_of(foreign, FOREIGN)
    assert BENCHMARK.relabelled(foreign, output) is msgspec.UNSET
    assert BENCHMARK.relabelled(gold_sample, "no plan") is msgspec.UNSET
