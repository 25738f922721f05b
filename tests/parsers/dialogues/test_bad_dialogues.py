"""Check that bad input is refused by dialogue id and reason, and that other dialogues are kept."""

import copy
import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from benchloom.core.records import PlanningPath
from benchloom.core.records.planning_path import Mode
from parsers.dialogues.conversion.converter import Converter
from parsers.dialogues.material import Refused
from parsers.dialogues.sgd.schema import build_schema, read_schema
from parsers.errors import ParseError
from tests.parsers.dialogues.demo_dialogues import DEMO, make_converter, read_split_schema
from tests.support.soak import samples

Json = dict[str, Any]
GOOD = ["1_00000", "1_00001", "1_00003", "1_00004", "1_00005", "1_00006", "1_00007"]
MODES: list[Mode] = ["flow", "name"]


def read_train_dialogues() -> list[Json]:
    dialogues: list[Json] = json.loads((DEMO / "train" / "dialogues_001.json").read_bytes())
    return dialogues


def convert(data: bytes, mode: Mode) -> tuple[list[str], list[Refused]]:
    rows = list(make_converter("train", mode).convert(data, "dialogues_001.json"))
    plan_ids = [row.source_id for row in rows if isinstance(row, PlanningPath)]
    return plan_ids, [row for row in rows if isinstance(row, Refused)]


def frames_of(dialogue: Json) -> list[Json]:
    return [frame for turn in dialogue["turns"] for frame in turn["frames"]]


def call_of(dialogue: Json) -> Json:
    call: Json = frames_of(dialogue)[1]["service_call"]
    return call


FAULTS: dict[str, tuple[Callable[[Json], object], str]] = {
    "unknown_service": (
        lambda it: [frame.update(service="Bistros_9") for frame in frames_of(it)],
        "missing_schema",
    ),
    "unknown_intent": (lambda it: call_of(it).update(method="ReadFortune"), "unknown_intent"),
    "call_before_user": (lambda it: it["turns"].pop(0), "call_before_user"),
    "call_by_user": (lambda it: frames_of(it)[0].update(service_call=call_of(it)), "call_by_user"),
    "empty_state": (
        lambda it: frames_of(it)[0]["state"]["slot_values"].update(city=[]),
        "empty_values",
    ),
    "turns_missing": (lambda it: it.pop("turns"), "bad_dialogue"),
    "frames_of_wrong_type": (lambda it: it["turns"][0].update(frames="none"), "bad_dialogue"),
    "parameter_of_wrong_type": (
        lambda it: call_of(it)["parameters"].update(city={"name": "Lomm"}),
        "bad_dialogue",
    ),
    "no_calls": (lambda it: [frame.pop("service_call", 0) for frame in frames_of(it)], "no_calls"),
    "unknown_argument": (
        lambda it: call_of(it)["parameters"].update(colour="blue"),
        "unknown_argument",
    ),
    "missing_argument": (lambda it: call_of(it)["parameters"].pop("cuisine"), "missing_argument"),
    "value_not_allowed": (
        lambda it: call_of(it)["parameters"].update(cuisine="Martian"),
        "value_not_allowed",
    ),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", FAULTS)
def test_faulty_dialogue_is_refused_alone(name: str, mode: Mode) -> None:
    damage, reason = FAULTS[name]
    file = read_train_dialogues()
    damage(next(dialogue for dialogue in file if dialogue["dialogue_id"] == "1_00002"))
    plan_ids, refusals = convert(json.dumps(file).encode(), mode)
    assert plan_ids == GOOD
    assert [(refusal.dialogue_id, refusal.reason) for refusal in refusals] == [("1_00002", reason)]
    assert refusals[0].message


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("key", ["values", "canonical_values"])
def test_act_without_a_value_is_refused(key: str, mode: Mode) -> None:
    file = read_train_dialogues()
    frames_of(file[2])[1]["actions"][0][key] = []
    plan_ids, refusals = convert(json.dumps(file).encode(), mode)
    assert plan_ids == GOOD
    assert [(refusal.dialogue_id, refusal.reason) for refusal in refusals] == [
        ("1_00002", "empty_values")
    ]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("indent", [None, 1])
def test_truncated_json_keeps_earlier_dialogues(mode: Mode, indent: int | None) -> None:
    data = json.dumps(read_train_dialogues(), indent=indent).encode()
    cut = data.index(b"1_00007") + 400
    plan_ids, refusals = convert(data[:cut], mode)
    assert plan_ids == ["1_00000", "1_00001", "1_00002", "1_00003", "1_00004", "1_00005", "1_00006"]
    assert [(refusal.dialogue_id, refusal.reason) for refusal in refusals] == [
        ("1_00007", "bad_json")
    ]


@pytest.mark.parametrize("cut", range(0, 3000, 37))
def test_every_cut_gives_rows_or_one_reason(cut: int) -> None:
    data = json.dumps(read_train_dialogues(), indent=1).encode()
    if cut < data.index(b"1_00000") + len("1_00000"):
        with pytest.raises(ParseError, match="not a list of dialogues"):
            convert(data[:cut], "flow")
    else:
        plan_ids, refusals = convert(data[:cut], "flow")
        dialogue_ids = [*plan_ids, *(refusal.dialogue_id for refusal in refusals)]
        assert dialogue_ids == ["1_00000", "1_00001"][: data[:cut].count(b'"dialogue_id": "1_0000')]


@pytest.mark.parametrize("mode", MODES)
def test_damage_inside_a_dialogue_costs_only_that_dialogue(mode: Mode) -> None:
    data = json.dumps(read_train_dialogues()).encode()
    offset = data.index(b"1_00002") + 200
    plan_ids, refusals = convert(data[:offset] + b"}]{\xff" + data[offset + 4 :], mode)
    assert plan_ids == GOOD
    assert [refusal.dialogue_id for refusal in refusals] == ["1_00002"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "data", [b"", b"{}", b"null", b"[]", b"[ ", b"\xff\xfe", b"not json", b'{"dialogues": []}']
)
def test_file_without_dialogues_is_refused(data: bytes, mode: Mode) -> None:
    with pytest.raises(ParseError) as caught:
        convert(data, mode)
    assert caught.value.reason == "not_dialogues"


def test_list_elements_other_than_dialogues_are_refused_singly() -> None:
    file = json.dumps(read_train_dialogues()[:2]).encode()
    data = b'[1, {"dialogue_id": 7, "turns": []}, ' + file[1:-1] + b', {"turns": []}, [2]]'
    plan_ids, refusals = convert(data, "flow")
    assert plan_ids == ["1_00000", "1_00001"]
    assert [refusal.dialogue_id for refusal in refusals] == ["", "7", ""]


def test_byte_order_mark_is_accepted() -> None:
    plan_ids, refusals = convert(
        b"\xef\xbb\xbf" + json.dumps(read_train_dialogues()).encode(), "flow"
    )
    assert (len(plan_ids), refusals) == (8, [])


def test_too_many_list_elements_are_refused() -> None:
    with pytest.raises(ParseError) as caught:
        convert(b"[" + b'{"dialogue_id": "x"},' * 100_002 + b"1]", "flow")
    assert caught.value.reason == "too_many_members"


def test_deeply_nested_dialogue_is_refused() -> None:
    deep = b'[{"dialogue_id": "1_x", "turns": ' + b"[" * 200_000 + b"]" * 200_000 + b"}]"
    plan_ids, refusals = convert(deep, "flow")
    assert plan_ids == []
    assert [refusal.dialogue_id for refusal in refusals] == ["1_x"]


def test_every_dialogue_is_refused_without_a_schema() -> None:
    empty = Converter(build_schema(()), "flow", "train")
    rows = list(empty.convert(json.dumps(read_train_dialogues()).encode(), "f.json"))
    assert [row.reason for row in rows if isinstance(row, Refused)] == ["missing_schema"] * 8


@pytest.mark.parametrize("data", [b"", b"{}", b'[{"service_name": 1}]', b'[{"slots": []}]'])
def test_damaged_schema_is_refused(data: bytes) -> None:
    with pytest.raises(ParseError) as caught:
        read_schema(data)
    assert caught.value.reason == "bad_schema"


def test_schema_with_repeated_services_or_undeclared_slots_is_refused() -> None:
    services = list(read_split_schema("train").services)
    with pytest.raises(ParseError, match="declared twice"):
        build_schema((*services, copy.deepcopy(services[0])))
    text = (DEMO / "train" / "schema.json").read_text().replace('"name": "city"', '"name": "town"')
    with pytest.raises(ParseError, match="does not declare"):
        read_schema(text.encode())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("recorded", [True, False])
def test_random_damage_gives_rows_or_one_reason(mode: Mode, *, recorded: bool) -> None:
    data = json.dumps(read_train_dialogues()).encode()
    if not recorded:
        data = data.replace(b'"service_call"', b'"service_coll"')
    chance = random.Random(11)
    for _ in range(samples(100, 300)):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 8)):
            offset = chance.randrange(len(damaged))
            damaged[offset : offset + 1] = chance.choice(
                [
                    b"",
                    b"[]",
                    b"{}",
                    b'"',
                    b"\\",
                    b"\xff",
                    b"null",
                    b",",
                    bytes([chance.randrange(256)]),
                ]
            )
        with suppress(ParseError):
            plan_ids, refusals = convert(bytes(damaged), mode)
            assert len(plan_ids) + len(refusals) >= 1
            assert all(refusal.reason for refusal in refusals)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("values", [["[]"], "[]", {"city": "[]"}, {"city": [1, []]}, None])
def test_states_of_wrong_type_are_refused(mode: Mode, values: object) -> None:
    file = read_train_dialogues()
    frames_of(file[2])[0]["state"]["slot_values"] = values
    for frame in frames_of(file[2]):
        frame.pop("service_call", None)
    for data in (json.dumps(file), json.dumps(file[2:3])):
        _, refusals = convert(data.encode(), mode)
        assert [refusal.dialogue_id for refusal in refusals] == ["1_00002"]


def repeat_calls(dialogue: Json) -> None:
    dialogue["turns"][1:2] *= 1500


def repeat_results(dialogue: Json) -> None:
    frames_of(dialogue)[1]["service_results"] *= 20_000


def repeat_acts(dialogue: Json) -> None:
    frames_of(dialogue)[0]["actions"] *= 30_000


@pytest.mark.parametrize("swell", [repeat_calls, repeat_results, repeat_acts])
def test_oversized_dialogue_is_refused(swell: Callable[[Json], None]) -> None:
    file = read_train_dialogues()
    swell(file[2])
    plan_ids, refusals = convert(json.dumps(file).encode(), "flow")
    assert plan_ids == GOOD
    assert [(refusal.dialogue_id, refusal.reason) for refusal in refusals] == [
        ("1_00002", "too_large")
    ]
