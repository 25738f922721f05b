"""Check that the simulated user answers questions, confirms planned writes, and ends the talk."""

import pytest

from benchloom.worlds.everyday import everyday
from benchloom.worlds.proofs import OpenWorlds, prove
from benchloom.worlds.runs.conversation import Conversation
from benchloom.worlds.task import Candidate, PlannedCall, Task
from benchloom.worlds.user.dialogue import dialogue_of
from benchloom.worlds.user.user import NO, UNKNOWN, YES

TIME, LABEL = "The time is 07:05.", 'The label of the alarm is "market".'


@pytest.fixture(scope="module")
def dialogue() -> Task:
    candidate = Candidate(
        suite="everyday",
        start="{}",
        turns=("Please wake me at 07:05 for the market.",),
        calls=(PlannedCall("alarms.create_alarm", {"time": "07:05", "label": "market"}),),
        source="everyday",
        source_id="7",
    )
    open_worlds = OpenWorlds()
    task = dialogue_of(prove(candidate, open_worlds, distractors=4), open_worlds)
    open_worlds.close()
    return task


def test_first_turn_leaves_facts_for_later_questions(dialogue: Task) -> None:
    assert dialogue.kind == "dialogue"
    assert "alarm" in dialogue.turns[0]
    assert set(dialogue.turns[1:]) == {TIME, LABEL}
    assert not any(word in dialogue.turns[0] for word in ("07:05", "market"))


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("What time should I set?", TIME),
        ("What is the label?", LABEL),
        ("Please tell me the label and the time.", f"{LABEL} {TIME}"),
        ("What is your phone number?", UNKNOWN),
        ("Shall I create an alarm at 7:05 am?", YES),
        ("Shall I create an alarm at 8:05 am?", NO),
        ("Shall I delete the alarm?", NO),
        ("Should I book a flight?", NO),
        ("Done, your alarm is set.", None),
        ("Done. Is there anything else?", None),
    ],
)
def test_user_answers_each_message_as_expected(
    dialogue: Task, message: str, answer: str | None
) -> None:
    conversation = Conversation(dialogue, everyday())
    reply = conversation.say(message)
    assert (reply and set(reply.split())) == (answer and set(answer.split()))
    assert conversation.is_over is (answer is None)
