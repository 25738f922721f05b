"""Every fault that is planted is found by the proof that is for it, and by no other."""

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Task as TaskRow
from benchloom.core.records.values import Plain
from benchloom.worlds.proofs import OpenWorlds, confirm, prove, row_of, task_of
from benchloom.worlds.task import Candidate, PlannedCall, RequestedAnswer
from tests.benchloom.worlds.proofs.lamps import opened
from tests.support.python import python

_TEXT = "Please set the desk lamp to 7."


@pytest.fixture(scope="module")
def open_worlds() -> Iterator[OpenWorlds]:
    worlds = OpenWorlds(opened)
    yield worlds
    worlds.close()


def _call(tool: str, **arguments: Plain) -> PlannedCall:
    return PlannedCall(f"lamps.{tool}", arguments)


def _candidate(
    *calls: PlannedCall, text: str = _TEXT, asked: RequestedAnswer | None = None
) -> Candidate:
    return Candidate(
        suite="lamps", start="", turns=(text,), calls=calls, asked=asked, source="t", source_id="1"
    )


_SOUND = (_call("find_lamp", name="desk"), _call("dim", lamp_id="l-desk", level=7))


def test_a_sound_candidate_passes_every_proof(open_worlds: OpenWorlds) -> None:
    task = prove(_candidate(*_SOUND), open_worlds)
    assert task.proofs.dropped == 2
    assert task.proofs.changed == 3
    assert (task.proofs.orders, task.proofs.orders_tried) == (1, 1)
    assert [origin.kind for call in task.calls for origin in call.origins] == [
        "turn",
        "result",
        "turn",
    ]
    assert task.gold_digest != task.start_digest
    assert not any(call.redundant or call.idle for call in task.calls)
    assert confirm(task, open_worlds) is None


def test_a_task_is_proved_again_from_itself(open_worlds: OpenWorlds) -> None:
    task = prove(_candidate(*_SOUND), open_worlds, distractors=3)
    assert len(task.distractors) == 3
    assert prove(task.candidate(), open_worlds, distractors=3) == task
    assert task_of(row_of(task)) == task


_ASKED = _candidate(
    _call("find_lamp", name="desk"),
    text="How bright is the desk lamp?",
    asked=RequestedAnswer(0, (0, "level")),
)


def test_an_answer_is_checked_where_nothing_changes(open_worlds: OpenWorlds) -> None:
    task = prove(_ASKED, open_worlds)
    assert task.answer == "2"
    assert task.gold_digest == task.start_digest
    assert task.proofs.dropped == 1


@pytest.mark.parametrize(
    ("candidate", "reason"),
    [
        (_candidate(), "no_calls"),
        (_candidate(*[_SOUND[0]] * 10_000), "too_long"),
        (_candidate(*_SOUND, text="the desk lamp to 7 " * 10_000), "too_long"),
        (_candidate(_call("sing")), "unknown_tool"),
        (_candidate(_call("find_lamp", name="desk")), "no_need"),
        (_candidate(_call("dim", lamp_id="l-desk", level=2), text="Set l-desk to 2."), "no_need"),
        (
            _candidate(
                _call("find_lamp", name="desk"),
                text="The desk lamp is at 2, is it?",
                asked=RequestedAnswer(0, (0, "level")),
            ),
            "no_need",
        ),
        (msgspec.structs.replace(_ASKED, asked=RequestedAnswer(0, (4, "level"))), "no_answer"),
        (msgspec.structs.replace(_ASKED, asked=RequestedAnswer(7)), "no_answer"),
        (_candidate(_SOUND[0], _call("dim", lamp_id="l-desk", level=6)), "underivable"),
        (_candidate(_call("dim", lamp_id="l-desk", level=7)), "underivable"),
        (_candidate(_SOUND[1], _SOUND[0]), "underivable"),
        (_candidate(_SOUND[0], _call("dim", lamp_id="l-moon", level=7)), "refused"),
        (_candidate(_SOUND[0], _call("dim", lamp_id="l-desk", level="7")), "refused"),
        (_candidate(_call("throw")), "not_repeatable"),
    ],
)
def test_a_planted_fault_is_found_by_its_proof(
    open_worlds: OpenWorlds, candidate: Candidate, reason: str
) -> None:
    with pytest.raises(RejectedInputError) as caught:
        prove(candidate, open_worlds)
    assert caught.value.reason == reason
    assert "\n" not in str(caught.value)


def test_a_call_that_is_not_needed_is_marked(open_worlds: OpenWorlds) -> None:
    lamp = _call("find_lamp", name="desk")
    task = prove(_candidate(lamp, *_SOUND), open_worlds)
    assert [call.redundant for call in task.calls] == [True, True, False]  # each has the other
    apart = prove(_candidate(*_SOUND, lamp), open_worlds)
    assert [call.redundant for call in apart.calls] == [False, False, True]
    assert apart.proofs.dropped == 2


def test_an_argument_that_does_not_matter_is_marked(open_worlds: OpenWorlds) -> None:
    note = PlannedCall(
        "lamps.write_note", {"note": "milk", "urgent": True}, {"urgent": "do not forget"}
    )
    task = prove(_candidate(note, text="Write down milk, and do not forget."), open_worlds)
    assert task.calls[0].idle == ("urgent",)
    assert task.proofs.changed == 1


def test_words_that_stand_in_no_turn_tell_nothing(open_worlds: OpenWorlds) -> None:
    note = PlannedCall("lamps.write_note", {"note": "milk", "urgent": True}, {"urgent": "at once"})
    with pytest.raises(RejectedInputError, match="urgent"):
        prove(_candidate(note, text="Write down milk."), open_worlds)


def test_a_distractor_that_does_it_as_well_is_not_offered(open_worlds: OpenWorlds) -> None:
    task = prove(_candidate(_call("write_note", note="milk"), text="Write down milk."), open_worlds)
    assert task.alternatives == ("lamps.write_down",)
    assert not set(task.alternatives) & set(task.tools)
    assert task.proofs.harmless == len(task.distractors) == 6


def test_an_order_that_matters_is_counted(open_worlds: OpenWorlds) -> None:
    lamp = _call("find_lamp", name="desk")
    change = (_call("dim", lamp_id="l-desk", level=3), _call("double", lamp_id="l-desk"))
    text = "Set the desk lamp to 3, then make it twice as bright."
    task = prove(_candidate(lamp, *change, text=text), open_worlds)
    assert (task.proofs.orders, task.proofs.orders_tried) == (1, 2)
    free = prove(_candidate(*_SOUND, _call("write_note", note="set"), text=_TEXT), open_worlds)
    assert (free.proofs.orders, free.proofs.orders_tried) == (3, 3)


def test_orders_of_a_long_plan_are_drawn(open_worlds: OpenWorlds) -> None:
    words = [_call("write_note", note=word) for word in ("one", "two", "three", "four", "five")]
    task = prove(_candidate(*words, text="Write one two three four five"), open_worlds)
    assert task.proofs.orders == task.proofs.orders_tried
    assert 2 < task.proofs.orders < 14


def test_a_refusal_that_the_plan_recovers_from_is_kept(open_worlds: OpenWorlds) -> None:
    refused = _call("dim", lamp_id="l-desk", level=12)
    text = "Set the desk lamp to 12, or to 7 if that cannot be."
    task = prove(_candidate(_SOUND[0], refused, _SOUND[1], text=text), open_worlds)
    assert [call.refused for call in task.calls] == [None, "invalid_argument", None]
    assert task.proofs.dropped == 2
    assert task.proofs.orders_tried == 1
    with pytest.raises(RejectedInputError) as caught:
        prove(_candidate(_SOUND[0], _SOUND[1], refused, text=text), open_worlds)
    assert caught.value.reason == "refused"


_PEEKED = _candidate(_call("peek"), text="Which number is it?", asked=RequestedAnswer(0))


def test_a_result_of_another_process_is_found_by_the_second_run(
    open_worlds: OpenWorlds, tmp_path: Path
) -> None:
    written = tmp_path / "task.json"
    script = (
        "import sys, msgspec\n"
        "from benchloom.worlds.proofs import OpenWorlds, prove, row_of\n"
        "from tests.benchloom.worlds.proofs import lamps, test_prove\n"
        "task = prove(test_prove._PEEKED, OpenWorlds(lamps.opened))\n"
        "open(sys.argv[1], 'wb').write(msgspec.json.encode(row_of(task)))\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    python("-c", script, written, env=environment)
    task = task_of(msgspec.json.decode(written.read_bytes(), type=TaskRow))
    assert "results_digest" in str(confirm(task, open_worlds))


def test_a_tampered_digest_is_told(open_worlds: OpenWorlds) -> None:
    task = prove(_candidate(*_SOUND), open_worlds)
    tampered = msgspec.structs.replace(task, gold_digest=task.start_digest)
    assert str(confirm(tampered, open_worlds)).startswith("gold_digest is state:")


def test_the_order_of_names_says_nothing(open_worlds: OpenWorlds) -> None:
    turned = PlannedCall("lamps.dim", {"level": 7, "lamp_id": "l-desk"})
    task = prove(_candidate(_SOUND[0], turned), open_worlds)
    assert row_of(task) == row_of(prove(_candidate(*_SOUND), open_worlds))


def test_arguments_that_are_no_json_are_refused(open_worlds: OpenWorlds) -> None:
    deep: Plain = "desk"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(RejectedInputError) as caught:
        prove(_candidate(_call("find_lamp", name=deep)), open_worlds)
    assert caught.value.reason == "not_json"
