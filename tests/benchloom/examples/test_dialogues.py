"""Turns and results of an example through a row of `dialogues` and back."""

from pathlib import Path

import msgspec

from benchloom.examples import Argument, Call, Example, Ref, Result, Turn
from benchloom.examples.dialogues import Rights, dialogue_of, with_dialogue
from benchloom.examples.plans import example_of, plan_of
from benchloom.records import Dialogue
from benchloom.tables import iter_records, write_table

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


def test_a_whole_dialogue_comes_back_beside_its_plan(tmp_path: Path) -> None:
    plan = plan_of(TALK)
    row = dialogue_of(TALK, plan.path_id, RIGHTS)
    assert [(one.turn, one.role, one.before) for one in row.utterances] == [
        (0, "user", 0),
        (1, "assistant", 0),
        (2, "user", 2),
        (3, "assistant", 3),
    ]
    assert [(one.call, one.output, one.input, one.exception) for one in row.results] == [
        (0, '{"ok":true}', '{"l":1}', None),
        (1, "null", None, "no such thing"),
    ]
    write_table("dialogues", [row], tmp_path / "dialogues.parquet")
    (stored,) = iter_records(tmp_path, "dialogues", Dialogue)
    assert stored == row
    back = with_dialogue(example_of(plan, {}), stored)
    assert (back.turns, back.calls) == (TALK.turns, TALK.calls)


def test_without_a_call_there_is_no_plan(tmp_path: Path) -> None:
    silent = msgspec.structs.replace(TALK, calls=(), turns=(Turn("user", "Hello", 0),))
    row = dialogue_of(silent, None, RIGHTS)
    write_table("dialogues", [row], tmp_path / "dialogues.parquet")
    (stored,) = iter_records(tmp_path, "dialogues", Dialogue)
    assert (stored.path_id, stored.results) == (None, ())
    assert with_dialogue(silent, stored) == silent
