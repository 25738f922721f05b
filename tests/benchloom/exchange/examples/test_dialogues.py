"""Tests of dialogues: turns and results of an example survive a row of the table `dialogues`."""

from pathlib import Path

import msgspec

from benchloom.core.records import Dialogue
from benchloom.exchange.examples import Argument, Call, Example, Ref, Result, Turn
from benchloom.exchange.examples.dialogues import (
    Rights,
    dialogue_of,
    is_from_user,
    with_dialogue,
    with_recorded,
)
from benchloom.exchange.examples.plans import example_of, plan_of
from benchloom.storage.tables import iter_records, write_table

RIGHTS = Rights("CC0-1.0", "Sample dialogues, example.org")
TALK = Example(
    example_id="a",
    target_id="a",
    source="sample",
    source_id="kettle-1",
    source_uri="talks.jsonl",
    split="level-1",
    calls=(
        Call("", "Boil", (Argument("litres", "1.5"),), result=Result({"ok": True}, None, {"l": 1})),
        Call("", "Wait", (Argument("for", Ref(0)),), result=Result(None, "no such thing")),
        Call("", "Pour", (Argument("cups", ["a", 2, None]),)),
    ),
    turns=(
        Turn("user", "Boil 1.5 litres", 0),
        Turn("assistant", "Sure.", 0),
        Turn("user", "and pour it", 2),
        Turn("assistant", "Done", 3),
    ),
)


def test_dialogue_row_restores_turns_and_calls(tmp_path: Path) -> None:
    plan = plan_of(TALK)
    row = dialogue_of(TALK, plan.path_id, RIGHTS)
    assert [(utterance.turn, utterance.role, utterance.before) for utterance in row.utterances] == [
        (0, "user", 0),
        (1, "assistant", 0),
        (2, "user", 2),
        (3, "assistant", 3),
    ]
    assert [
        (call_result.call, call_result.output, call_result.input, call_result.exception)
        for call_result in row.results
    ] == [
        (0, '{"ok":true}', '{"l":1}', None),
        (1, "null", None, "no such thing"),
    ]
    write_table("dialogues", [row], tmp_path / "dialogues.parquet")
    (stored_row,) = iter_records(tmp_path, "dialogues", Dialogue)
    assert stored_row == row
    restored_example = with_dialogue(example_of(plan, {}), stored_row)
    assert (restored_example.turns, restored_example.calls) == (TALK.turns, TALK.calls)


def test_dialogue_without_calls_has_no_plan(tmp_path: Path) -> None:
    talk_without_calls = msgspec.structs.replace(TALK, calls=(), turns=(Turn("user", "Hello", 0),))
    row = dialogue_of(talk_without_calls, None, RIGHTS)
    write_table("dialogues", [row], tmp_path / "dialogues.parquet")
    (stored_row,) = iter_records(tmp_path, "dialogues", Dialogue)
    assert (stored_row.path_id, stored_row.results) == (None, ())
    assert with_dialogue(talk_without_calls, stored_row) == talk_without_calls


def test_request_selects_its_own_dialogue() -> None:
    plan = plan_of(TALK)
    other_talk = msgspec.structs.replace(
        TALK, source_id="kettle-2", turns=(Turn("user", "Tea", 0), Turn("user", "Now", 2))
    )
    rows = [dialogue_of(dialogue, plan.path_id, RIGHTS) for dialogue in (TALK, other_talk)]

    def with_request(request: str | None) -> Example:
        plan_example = msgspec.structs.replace(example_of(plan, {}), request=request)
        return with_recorded(plan_example, rows)

    assert (with_request("Tea\nNow").source_id, with_request("Tea\nNow").turns) == (
        "kettle-2",
        other_talk.turns,
    )
    assert with_request("Now").source_id == "kettle-2"
    assert (with_request(None).source_id, with_request(None).turns) == ("kettle-1", TALK.turns)
    with_new_request = with_request("Make me some tea, please")
    assert (with_new_request.source_id, with_new_request.turns) == ("kettle-1", ())
    assert with_new_request.calls == TALK.calls
    assert with_recorded(with_request(None), []) == with_request(None)


def test_request_is_recognised_in_the_user_turns() -> None:
    example = msgspec.structs.replace(
        TALK, request="Boil 1.5 litres\nand pour it", target_id="", definitions=()
    )
    user_turns = [turn for turn in TALK.turns if turn.role == "user"]
    assert is_from_user(example.turns, example.request or "")
    assert not is_from_user(example.turns, "and pour it\nBoil 1.5 litres")
    assert is_from_user(example.turns, user_turns[1].text)
    assert is_from_user(example.turns, user_turns[0].text)
    assert not is_from_user(example.turns, user_turns[0].text + "\nand pour")
    assert not is_from_user((), "")
