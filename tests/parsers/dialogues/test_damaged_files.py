"""Check that damage between dialogues costs no dialogue, and that unread bytes are reported."""

import json
import re
import time

import pytest

from benchloom.core.records import PlanningPath
from benchloom.core.records.planning_path import Mode
from parsers.dialogues.sgd.stretches import MAX_DEPTH, extent_of, stretches
from tests.parsers.dialogues.demo_dialogues import make_converter
from tests.parsers.dialogues.test_bad_dialogues import MODES, convert, read_train_dialogues

ALL = [f"1_0000{number}" for number in range(8)]
MEMBERS = [json.dumps(dialogue).encode() for dialogue in read_train_dialogues()]


def join_with_garbage(before: int, garbage: bytes) -> bytes:
    """Return a file of the demo's dialogues with garbage before one of them."""
    members = [*MEMBERS]
    members[before] = garbage + members[before]
    return b"[" + b", ".join(members) + b"]"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("before", [0, 3, 7])
@pytest.mark.parametrize(
    "garbage",
    [
        b"]",
        b"], ",
        b"}",
        b"]]",
        b'"',
        b'"dialogue_id"',
        b"\xff\x00",
        b"nothing {",
        b"[[[",
        b"{ 1 }",
    ],
)
def test_garbage_between_dialogues_is_one_refusal(garbage: bytes, before: int, mode: Mode) -> None:
    data = join_with_garbage(before, garbage)
    plan_ids, (refusal,) = convert(data, mode)
    assert plan_ids == ALL
    assert (refusal.dialogue_id, refusal.reason) == ("", "unread_bytes")
    byte_range = re.match(r"bytes (\d+) to (\d+) contain no dialogue", refusal.message)
    assert byte_range
    assert data[int(byte_range[1]) : int(byte_range[2])] == garbage.strip(b", ")


def test_stray_bracket_changes_no_plan() -> None:
    expected_plans = list(
        make_converter("train", "flow").convert(join_with_garbage(0, b""), "f.json")
    )
    for before in range(1, 8):
        rows = list(
            make_converter("train", "flow").convert(join_with_garbage(before, b"]"), "f.json")
        )
        assert [row for row in rows if isinstance(row, PlanningPath)] == expected_plans


@pytest.mark.parametrize("missing", [b"[", b"]"])
def test_list_without_a_bracket_keeps_every_dialogue(missing: bytes) -> None:
    data = b", ".join(MEMBERS)
    data = data + b"]" if missing == b"[" else b"[" + data
    plan_ids, refusals = convert(data, "flow")
    assert plan_ids == ALL
    reasons = [(refusal.reason, refusal.message) for refusal in refusals]
    expected_reason = ("truncated", f"the list is not closed at byte {len(data)}")
    assert reasons == ([] if missing == b"[" else [expected_reason])


def test_refusals_of_two_damages_report_positions() -> None:
    members = [*MEMBERS]
    members[2] = members[2].replace(b'"turns": [', b'"turns": ', 1)
    members[5] = b"<!-- " + members[5][:700]
    data = b"[" + b",\n".join(members) + b"]"
    plan_ids, refusals = convert(data, "flow")
    assert plan_ids == [name for name in ALL if name not in {"1_00002", "1_00005"}]
    assert [(refusal.dialogue_id, refusal.reason) for refusal in refusals] == [
        ("1_00002", "bad_json"),
        ("", "unread_bytes"),
        ("1_00005", "bad_json"),
    ]
    start = data.index(b'{"dialogue_id": "1_00002"')
    assert refusals[0].message.startswith(f"bytes {start} to ")


def test_complete_dialogues_with_the_id_last_are_found() -> None:
    turned = [dict(reversed(list(dialogue.items()))) for dialogue in read_train_dialogues()]
    members = [json.dumps(dialogue).encode() for dialogue in turned]
    data = b"[" + b", ".join([*members[:3], members[3][:-40], *members[4:]]) + b"]"
    plan_ids, refusals = convert(data, "flow")
    assert plan_ids == [name for name in ALL if name != "1_00003"]
    assert [refusal.reason for refusal in refusals] == ["unread_bytes"]


def test_stretches_contain_every_byte_except_separators() -> None:
    data = join_with_garbage(4, b"] oops ")[:-300]
    stretch_bytes = b"".join(data[stretch.start : stretch.end] for stretch in stretches(data))
    rest = data
    for stretch in reversed(list(stretches(data))):
        rest = rest[: stretch.start] + rest[stretch.end :]
    assert len(stretch_bytes) + len(rest) == len(data)
    assert not rest.strip(b"[], \t\r\n")


@pytest.mark.parametrize("depth", [MAX_DEPTH - 2, MAX_DEPTH + 1, 5_000])
def test_depth_limit_also_covers_unused_members(depth: int) -> None:
    file = read_train_dialogues()
    data = json.dumps([dialogue | {"note": "NEST"} for dialogue in file]).encode()
    nested = data.replace(b'"NEST"', b"[" * depth + b"]" * depth, 1)
    plan_ids, refusals = convert(nested, "flow")
    if depth < MAX_DEPTH:
        assert (plan_ids, refusals) == (ALL, [])
    else:
        assert plan_ids == ALL[1:]
        assert [(refusal.dialogue_id, refusal.reason) for refusal in refusals] == [
            ("1_00000", "too_deep")
        ]


def test_brackets_inside_texts_add_no_depth() -> None:
    file = read_train_dialogues()
    file[1]["turns"][0]["utterance"] = "[" * 500 + '"}' * 3
    plan_ids, refusals = convert(json.dumps(file).encode(), "flow")
    assert (plan_ids, refusals) == (ALL, [])


@pytest.mark.parametrize(
    ("data", "expected"),
    [(b'{"a": "}"} x', (10, 1)), (b"[[]]", (4, 2)), (b"[}", None), (b'{"a', None), (b"]", None)],
)
def test_extent_of_a_json_value(data: bytes, expected: tuple[int, int] | None) -> None:
    assert extent_of(data, 0, len(data)) == expected


@pytest.mark.parametrize(
    "piece",
    [
        b'{"',
        b'{"a":',
        b'\\"',
        b'"',
        b"{    ",
        b'{"dialogue_id":',
        b'{"x":["',
        b'{"dialogue_id',
        b"[{",
    ],
)
def test_hostile_repetition_takes_linear_time(piece: bytes) -> None:
    data = b"[" + piece * (500_000 // len(piece))
    began = time.process_time()
    for _ in stretches(data):
        pass
    assert time.process_time() - began < 5
