"""Predictions in the structure of gold, whole and damaged."""

from copy import deepcopy
from typing import Any

import msgspec
import pytest

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmarks.appbench import BENCHMARK
from benchloom.exchange.examples import Call, Composed, Ref
from tests.benchloom.evaluate.appbench.samples import BOTH, FERRY, call, sample, scores


def record() -> dict[str, Any]:
    output = BENCHMARK.output_of(sample(FERRY), FERRY)
    assert isinstance(output, dict)
    return deepcopy(output)


def test_a_record_is_known_in_every_wrapping() -> None:
    own = record()
    text = msgspec.json.encode({"input": "Book it", "output": own}).decode()
    wrapped: list[Plain] = [own, {"output": own}, {"record": {"output": own}}]
    wrapped += [text, f"```json\n{text}\n```"]
    assert [scores(FERRY, output)["success"] for output in wrapped] == [1] * 5
    only_texts = {"used_app": own["used_app"], "api_results": own["api_results"]}
    assert scores(FERRY, only_texts)["success"] == 1


def test_data_without_texts_have_no_references() -> None:
    own = record()
    del own["api_results"]
    metrics = scores(FERRY, own)
    assert (metrics["f1_api"], metrics["success"]) == (1, 0)


def test_where_data_and_text_differ_no_value_is_right() -> None:
    for part in ("used_api", "api_results"):
        own = record()
        if part == "used_api":
            own["used_api"][0]["findpier"]["city"] = ""
        else:
            own["api_results"][0] = own["api_results"][0].replace("Port Ellery", "")
        judged = BENCHMARK.judge(sample(FERRY), own, "right")
        assert [finding.kind for finding in judged.findings] == ["contradiction"]
        assert scores(FERRY, own, "published")["success"] == 1


def test_order_of_arguments_and_spelling_of_numbers_are_no_contradiction() -> None:
    own = record()
    own["used_api"][0] = {"findpier": {"riders": "2.0", "city": "Port Ellery"}}
    assert scores(FERRY, own)["success"] == 1


@pytest.mark.parametrize(
    ("change", "f1_api"),
    [
        ({"used_app": ["Ferries"]}, 1),
        ({"used_api": [{"findpier": {}}]}, 2 / 3),
        ({"api_results": []}, 1),
        ({"result_arguments": []}, 1),
    ],
)
def test_lists_of_other_lengths_are_read_as_far_as_they_go(
    change: dict[str, list[Any]], f1_api: float
) -> None:
    metrics = scores(FERRY, record() | change)
    assert metrics["f1_api"] == pytest.approx(f1_api)
    assert metrics["success"] == (1 if "result_arguments" in change else 0)


def test_calls_in_another_order_than_their_texts_are_put_together() -> None:
    own = record()
    own["api_results"].reverse()
    assert scores(FERRY, own)["success"] == 1


FOREIGN = (
    Call("", "lookup", (), returns=("a",)),
    call("", "join", whole=Ref(0), part=Ref(0, "a", "b.c"), text=Composed(("x ", Ref(0, "a")))),
)


@pytest.mark.parametrize(
    "gold",
    [FOREIGN, (call("A", "b", n=3, flag=True, many=[1, {"x": None}]),), BOTH[:1] * 3],
)
def test_what_a_record_cannot_tell_is_told_as_steps(gold: tuple[Call, ...]) -> None:
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
def test_steps_of_a_plan_are_read(steps: list[Plain]) -> None:
    forms: list[Plain] = [steps, {"steps": steps}, {"calls": steps}]
    for output in (*forms, msgspec.json.encode({"steps": steps}).decode()):
        assert scores(FERRY, output)["success"] == 1
    forward = deepcopy(steps)
    forward.reverse()
    judged = BENCHMARK.judge(sample(FERRY), forward, "right")
    assert {finding.kind for finding in judged.findings} == {"no_producer"}
    assert judged.outcome == "wrong_references"


def test_plans_of_a_release_may_be_told_by_published_names() -> None:
    gold = (
        Call("RentalCars_3", "FindCars", call("", "", city="X").arguments, returns=("car",)),
        Call("Buses_1", "FindBus", call("", "", to=Ref(0, "car")).arguments, returns=("bus",)),
    )
    published = "Rents: [car = Rents_findcars(#city='X')]\nBuses: [bus = Buses_findbus(#to=car)]"
    own = "RentalCars_3: [car = RentalCars_3_FindCars(#city='X')]\nBuses_1: [FindBus(#to=car)]"
    for text in (published, own):
        assert scores(gold, text)["success"] == 1
    assert scores(gold, published.replace("Buses", "Buses_3"))["em_app"] == 0
    twice = (gold[0], Call("RideSharing_1", "GetRide", (), returns=("ride",)))
    assert (
        scores(twice, "Rents: [car = Rents_findcars(#city='X'), Rents_getride()]")["success"] == 1
    )


def test_an_output_by_another_name_is_known_by_its_place() -> None:
    own = sample(BOTH)
    renamed = BENCHMARK.relabelled(own, BENCHMARK.output_of(own, BOTH))
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
    assert BENCHMARK.relabelled(own, "no plan") is msgspec.UNSET
