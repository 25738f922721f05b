"""Bad input is normal input: one refusal with the dialogue's id, the file's others are kept."""

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
from tests.parsers.dialogues.demo_dialogues import DEMO, converter, schema
from tests.support.soak import samples

Json = dict[str, Any]
GOOD = ["1_00000", "1_00001", "1_00003", "1_00004", "1_00005", "1_00006", "1_00007"]
MODES: list[Mode] = ["flow", "name"]


def train_file() -> list[Json]:
    dialogues: list[Json] = json.loads((DEMO / "train" / "dialogues_001.json").read_bytes())
    return dialogues


def convert(data: bytes, mode: Mode) -> tuple[list[str], list[Refused]]:
    rows = list(converter("train", mode).convert(data, "dialogues_001.json"))
    good = [row.source_id for row in rows if isinstance(row, PlanningPath)]
    return good, [row for row in rows if isinstance(row, Refused)]


def frames(dialogue: Json) -> list[Json]:
    return [frame for turn in dialogue["turns"] for frame in turn["frames"]]


def call_of(dialogue: Json) -> Json:
    call: Json = frames(dialogue)[1]["service_call"]
    return call


FAULTS: dict[str, tuple[Callable[[Json], object], str]] = {
    "unknown_service": (
        lambda it: [frame.update(service="Bistros_9") for frame in frames(it)],
        "missing_schema",
    ),
    "unknown_intent": (lambda it: call_of(it).update(method="ReadFortune"), "unknown_intent"),
    "call_before_user": (lambda it: it["turns"].pop(0), "call_before_user"),
    "call_by_user": (lambda it: frames(it)[0].update(service_call=call_of(it)), "call_by_user"),
    "empty_state": (
        lambda it: frames(it)[0]["state"]["slot_values"].update(city=[]),
        "empty_values",
    ),
    "turns_missing": (lambda it: it.pop("turns"), "bad_dialogue"),
    "frames_of_wrong_type": (lambda it: it["turns"][0].update(frames="none"), "bad_dialogue"),
    "parameter_of_wrong_type": (
        lambda it: call_of(it)["parameters"].update(city={"name": "Lomm"}),
        "bad_dialogue",
    ),
    "no_calls": (lambda it: [frame.pop("service_call", 0) for frame in frames(it)], "no_calls"),
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
def test_one_refusal_and_the_others_stay(name: str, mode: Mode) -> None:
    damage, reason = FAULTS[name]
    file = train_file()
    damage(next(dialogue for dialogue in file if dialogue["dialogue_id"] == "1_00002"))
    good, refused = convert(json.dumps(file).encode(), mode)
    assert good == GOOD
    assert [(refusal.dialogue_id, refusal.reason) for refusal in refused] == [("1_00002", reason)]
    assert refused[0].message


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("key", ["values", "canonical_values"])
def test_an_act_without_any_value(key: str, mode: Mode) -> None:
    file = train_file()
    frames(file[2])[1]["actions"][0][key] = []
    good, refused = convert(json.dumps(file).encode(), mode)
    assert good == GOOD
    assert [(refusal.dialogue_id, refusal.reason) for refusal in refused] == [
        ("1_00002", "empty_values")
    ]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("indent", [None, 1])
def test_truncated_json_keeps_what_came_before(mode: Mode, indent: int | None) -> None:
    data = json.dumps(train_file(), indent=indent).encode()
    cut = data.index(b"1_00007") + 400
    good, refused = convert(data[:cut], mode)
    assert good == ["1_00000", "1_00001", "1_00002", "1_00003", "1_00004", "1_00005", "1_00006"]
    assert [(refusal.dialogue_id, refusal.reason) for refusal in refused] == [
        ("1_00007", "bad_json")
    ]


@pytest.mark.parametrize("cut", range(0, 3000, 37))
def test_any_cut_ends_in_rows_or_one_reason(cut: int) -> None:
    data = json.dumps(train_file(), indent=1).encode()
    if cut < data.index(b"1_00000") + len("1_00000"):
        with pytest.raises(ParseError, match="not a list of dialogues"):
            convert(data[:cut], "flow")
    else:
        good, refused = convert(data[:cut], "flow")
        dialogue_ids = [*good, *(refusal.dialogue_id for refusal in refused)]
        assert dialogue_ids == ["1_00000", "1_00001"][: data[:cut].count(b'"dialogue_id": "1_0000')]


@pytest.mark.parametrize("mode", MODES)
def test_damage_in_the_middle_stays_with_its_dialogue(mode: Mode) -> None:
    data = json.dumps(train_file()).encode()
    offset = data.index(b"1_00002") + 200
    good, refused = convert(data[:offset] + b"}]{\xff" + data[offset + 4 :], mode)
    assert good == GOOD
    assert [refusal.dialogue_id for refusal in refused] == ["1_00002"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "data", [b"", b"{}", b"null", b"[]", b"[ ", b"\xff\xfe", b"not json", b'{"dialogues": []}']
)
def test_a_file_without_dialogues(data: bytes, mode: Mode) -> None:
    with pytest.raises(ParseError) as caught:
        convert(data, mode)
    assert caught.value.reason == "not_dialogues"


def test_members_that_are_no_dialogues_are_refused_one_by_one() -> None:
    file = json.dumps(train_file()[:2]).encode()
    data = b'[1, {"dialogue_id": 7, "turns": []}, ' + file[1:-1] + b', {"turns": []}, [2]]'
    good, refused = convert(data, "flow")
    assert good == ["1_00000", "1_00001"]
    assert [refusal.dialogue_id for refusal in refused] == ["", "7", ""]


def test_a_byte_order_mark_is_no_damage() -> None:
    good, refused = convert(b"\xef\xbb\xbf" + json.dumps(train_file()).encode(), "flow")
    assert (len(good), refused) == (8, [])


def test_endless_members_end_in_one_reason() -> None:
    with pytest.raises(ParseError) as caught:
        convert(b"[" + b'{"dialogue_id": "x"},' * 100_002 + b"1]", "flow")
    assert caught.value.reason == "too_many_members"


def test_deep_nesting_ends_in_a_reason() -> None:
    deep = b'[{"dialogue_id": "1_x", "turns": ' + b"[" * 200_000 + b"]" * 200_000 + b"}]"
    good, refused = convert(deep, "flow")
    assert good == []
    assert [refusal.dialogue_id for refusal in refused] == ["1_x"]


def test_without_a_schema_every_dialogue_is_named() -> None:
    empty = Converter(build_schema(()), "flow", "train")
    rows = list(empty.convert(json.dumps(train_file()).encode(), "f.json"))
    assert [row.reason for row in rows if isinstance(row, Refused)] == ["missing_schema"] * 8


@pytest.mark.parametrize("data", [b"", b"{}", b'[{"service_name": 1}]', b'[{"slots": []}]'])
def test_a_damaged_schema(data: bytes) -> None:
    with pytest.raises(ParseError) as caught:
        read_schema(data)
    assert caught.value.reason == "bad_schema"


def test_a_schema_that_declares_twice_or_uses_undeclared_slots() -> None:
    services = list(schema("train").services)
    with pytest.raises(ParseError, match="declared twice"):
        build_schema((*services, copy.deepcopy(services[0])))
    text = (DEMO / "train" / "schema.json").read_text().replace('"name": "city"', '"name": "town"')
    with pytest.raises(ParseError, match="does not declare"):
        read_schema(text.encode())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("recorded", [True, False])
def test_random_damage_ends_in_rows_or_one_reason(mode: Mode, *, recorded: bool) -> None:
    data = json.dumps(train_file()).encode()
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
            good, refused = convert(bytes(damaged), mode)
            assert len(good) + len(refused) >= 1
            assert all(refusal.reason for refusal in refused)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("values", [["[]"], "[]", {"city": "[]"}, {"city": [1, []]}, None])
def test_states_of_the_wrong_shape(mode: Mode, values: object) -> None:
    file = train_file()
    frames(file[2])[0]["state"]["slot_values"] = values
    for frame in frames(file[2]):
        frame.pop("service_call", None)
    for data in (json.dumps(file), json.dumps(file[2:3])):
        _, refused = convert(data.encode(), mode)
        assert [refusal.dialogue_id for refusal in refused] == ["1_00002"]


def many_calls(dialogue: Json) -> None:
    dialogue["turns"][1:2] *= 1500


def many_results(dialogue: Json) -> None:
    frames(dialogue)[1]["service_results"] *= 20_000


def many_words(dialogue: Json) -> None:
    frames(dialogue)[0]["actions"] *= 30_000


@pytest.mark.parametrize("swell", [many_calls, many_results, many_words])
def test_a_swollen_dialogue_is_refused_soon(swell: Callable[[Json], None]) -> None:
    file = train_file()
    swell(file[2])
    good, refused = convert(json.dumps(file).encode(), "flow")
    assert good == GOOD
    assert [(refusal.dialogue_id, refusal.reason) for refusal in refused] == [
        ("1_00002", "too_large")
    ]
