"""Check that each planted fault is detected by the proof that is meant for it."""

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
from tests.benchloom.worlds.proofs.lamps import open_lamps
from tests.support.python import python

_TEXT = "Please set the desk lamp to 7."


@pytest.fixture(scope="module")
def open_worlds() -> Iterator[OpenWorlds]:
    worlds = OpenWorlds(open_lamps)
    yield worlds
    worlds.close()


def _call(tool: str, **arguments: Plain) -> PlannedCall:
    """Return a planned call of a tool of the lamps."""
    return PlannedCall(f"lamps.{tool}", arguments)


def _candidate(
    *calls: PlannedCall, text: str = _TEXT, answer: RequestedAnswer | None = None
) -> Candidate:
    """Return a candidate with one turn in the world of lamps."""
    return Candidate(
        suite="lamps", start="", turns=(text,), calls=calls, asked=answer, source="t", source_id="1"
    )


_SOUND_CALLS = (_call("find_lamp", name="desk"), _call("dim", lamp_id="l-desk", level=7))


def test_sound_candidate_passes_every_proof(open_worlds: OpenWorlds) -> None:
    task = prove(_candidate(*_SOUND_CALLS), open_worlds)
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


def test_proving_a_task_again_gives_the_same_task(open_worlds: OpenWorlds) -> None:
    task = prove(_candidate(*_SOUND_CALLS), open_worlds, distractors=3)
    assert len(task.distractors) == 3
    assert prove(task.candidate(), open_worlds, distractors=3) == task
    assert task_of(row_of(task)) == task


_QUESTION_CANDIDATE = _candidate(
    _call("find_lamp", name="desk"),
    text="How bright is the desk lamp?",
    answer=RequestedAnswer(0, (0, "level")),
)


def test_read_only_task_is_proved_by_its_answer(open_worlds: OpenWorlds) -> None:
    task = prove(_QUESTION_CANDIDATE, open_worlds)
    assert task.answer == "2"
    assert task.gold_digest == task.start_digest
    assert task.proofs.dropped == 1


@pytest.mark.parametrize(
    ("candidate", "reason"),
    [
        (_candidate(), "no_calls"),
        (_candidate(*[_SOUND_CALLS[0]] * 10_000), "too_long"),
        (_candidate(*_SOUND_CALLS, text="the desk lamp to 7 " * 10_000), "too_long"),
        (_candidate(_call("sing")), "unknown_tool"),
        (_candidate(_call("find_lamp", name="desk")), "no_need"),
        (_candidate(_call("dim", lamp_id="l-desk", level=2), text="Set l-desk to 2."), "no_need"),
        (
            _candidate(
                _call("find_lamp", name="desk"),
                text="The desk lamp is at 2, is it?",
                answer=RequestedAnswer(0, (0, "level")),
            ),
            "no_need",
        ),
        (
            msgspec.structs.replace(_QUESTION_CANDIDATE, asked=RequestedAnswer(0, (4, "level"))),
            "no_answer",
        ),
        (msgspec.structs.replace(_QUESTION_CANDIDATE, asked=RequestedAnswer(7)), "no_answer"),
        (_candidate(_SOUND_CALLS[0], _call("dim", lamp_id="l-desk", level=6)), "underivable"),
        (_candidate(_call("dim", lamp_id="l-desk", level=7)), "underivable"),
        (_candidate(_SOUND_CALLS[1], _SOUND_CALLS[0]), "underivable"),
        (_candidate(_SOUND_CALLS[0], _call("dim", lamp_id="l-moon", level=7)), "refused"),
        (_candidate(_SOUND_CALLS[0], _call("dim", lamp_id="l-desk", level="7")), "refused"),
        (_candidate(_call("throw")), "not_repeatable"),
    ],
)
def test_planted_fault_is_rejected_with_its_reason(
    open_worlds: OpenWorlds, candidate: Candidate, reason: str
) -> None:
    with pytest.raises(RejectedInputError) as error:
        prove(candidate, open_worlds)
    assert error.value.reason == reason
    assert "\n" not in str(error.value)


def test_unneeded_call_is_marked_redundant(open_worlds: OpenWorlds) -> None:
    search = _call("find_lamp", name="desk")
    task = prove(_candidate(search, *_SOUND_CALLS), open_worlds)
    # Each of the two searches can replace the other.
    assert [call.redundant for call in task.calls] == [True, True, False]
    trailing_search = prove(_candidate(*_SOUND_CALLS, search), open_worlds)
    assert [call.redundant for call in trailing_search.calls] == [False, False, True]
    assert trailing_search.proofs.dropped == 2


def test_argument_without_effect_is_marked_idle(open_worlds: OpenWorlds) -> None:
    note = PlannedCall(
        "lamps.write_note", {"note": "milk", "urgent": True}, {"urgent": "do not forget"}
    )
    task = prove(_candidate(note, text="Write down milk, and do not forget."), open_worlds)
    assert task.calls[0].idle == ("urgent",)
    assert task.proofs.changed == 1


def test_argument_words_missing_from_the_turns_are_rejected(open_worlds: OpenWorlds) -> None:
    note = PlannedCall("lamps.write_note", {"note": "milk", "urgent": True}, {"urgent": "at once"})
    with pytest.raises(RejectedInputError, match="urgent"):
        prove(_candidate(note, text="Write down milk."), open_worlds)


def test_equivalent_tool_is_not_offered_as_a_distractor(open_worlds: OpenWorlds) -> None:
    task = prove(_candidate(_call("write_note", note="milk"), text="Write down milk."), open_worlds)
    assert task.alternatives == ("lamps.write_down",)
    assert not set(task.alternatives) & set(task.tools)
    assert task.proofs.harmless == len(task.distractors) == 6


def test_valid_orders_of_calls_are_counted(open_worlds: OpenWorlds) -> None:
    search = _call("find_lamp", name="desk")
    changes = (_call("dim", lamp_id="l-desk", level=3), _call("double", lamp_id="l-desk"))
    text = "Set the desk lamp to 3, then make it twice as bright."
    task = prove(_candidate(search, *changes, text=text), open_worlds)
    assert (task.proofs.orders, task.proofs.orders_tried) == (1, 2)
    independent = prove(
        _candidate(*_SOUND_CALLS, _call("write_note", note="set"), text=_TEXT), open_worlds
    )
    assert (independent.proofs.orders, independent.proofs.orders_tried) == (3, 3)


def test_orders_of_a_long_plan_are_sampled(open_worlds: OpenWorlds) -> None:
    notes = [_call("write_note", note=word) for word in ("one", "two", "three", "four", "five")]
    task = prove(_candidate(*notes, text="Write one two three four five"), open_worlds)
    assert task.proofs.orders == task.proofs.orders_tried
    assert 2 < task.proofs.orders < 14


def test_refused_call_is_kept_if_the_plan_recovers(open_worlds: OpenWorlds) -> None:
    refused = _call("dim", lamp_id="l-desk", level=12)
    text = "Set the desk lamp to 12, or to 7 if that cannot be."
    task = prove(_candidate(_SOUND_CALLS[0], refused, _SOUND_CALLS[1], text=text), open_worlds)
    assert [call.refused for call in task.calls] == [None, "invalid_argument", None]
    assert task.proofs.dropped == 2
    assert task.proofs.orders_tried == 1
    with pytest.raises(RejectedInputError) as error:
        prove(_candidate(_SOUND_CALLS[0], _SOUND_CALLS[1], refused, text=text), open_worlds)
    assert error.value.reason == "refused"


_PEEK_CANDIDATE = _candidate(_call("peek"), text="Which number is it?", answer=RequestedAnswer(0))


def test_result_that_depends_on_the_process_fails_confirmation(
    open_worlds: OpenWorlds, tmp_path: Path
) -> None:
    path = tmp_path / "task.json"
    script = (
        "import sys, msgspec\n"
        "from benchloom.worlds.proofs import OpenWorlds, prove, row_of\n"
        "from tests.benchloom.worlds.proofs import lamps, test_prove\n"
        "task = prove(test_prove._PEEK_CANDIDATE, OpenWorlds(lamps.open_lamps))\n"
        "open(sys.argv[1], 'wb').write(msgspec.json.encode(row_of(task)))\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    python("-c", script, path, env=environment)
    task = task_of(msgspec.json.decode(path.read_bytes(), type=TaskRow))
    assert "results_digest" in str(confirm(task, open_worlds))


def test_tampered_digest_fails_confirmation(open_worlds: OpenWorlds) -> None:
    task = prove(_candidate(*_SOUND_CALLS), open_worlds)
    tampered = msgspec.structs.replace(task, gold_digest=task.start_digest)
    assert str(confirm(tampered, open_worlds)).startswith("gold_digest is state:")


def test_order_of_argument_names_is_irrelevant(open_worlds: OpenWorlds) -> None:
    reordered_call = PlannedCall("lamps.dim", {"level": 7, "lamp_id": "l-desk"})
    task = prove(_candidate(_SOUND_CALLS[0], reordered_call), open_worlds)
    assert row_of(task) == row_of(prove(_candidate(*_SOUND_CALLS), open_worlds))


def test_deeply_nested_argument_is_rejected_as_not_json(open_worlds: OpenWorlds) -> None:
    deep: Plain = "desk"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(RejectedInputError) as error:
        prove(_candidate(_call("find_lamp", name=deep)), open_worlds)
    assert error.value.reason == "not_json"
