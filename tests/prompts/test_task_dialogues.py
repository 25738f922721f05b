"""Check conversations about tasks, with several turns, results of calls, and personas."""

import json
from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import Rejected
from benchloom.core.records.worlds import TaskProofs
from benchloom.storage.tables import write_table
from benchloom.worlds.proofs import row_of
from benchloom.worlds.task import GoldCall, Origin, PlannedCall, RequestedAnswer, Rule, Task
from prompts.checks.invented_values import CHECK
from prompts.errors import ReplyError
from prompts.exchange import Reply, answer_to
from prompts.inputs.personas import Persona, read_personas
from prompts.inputs.tasks import read_talks
from prompts.steps import Case, Sampling, Written
from prompts.steps.task_dialogue import STEP, TalkInput, TalkReply, TurnReply
from prompts.talks import Asker
from prompts.talks.driver import Talk

PROOFS = TaskProofs(
    repeated=True,
    needed=True,
    dropped=0,
    changed=0,
    derived=True,
    orders=1,
    orders_tried=1,
    harmless=0,
)
CARD = {"card_id": "48f71c9df44f", "person_id": "p029"}


def turn_origin(argument: str, turn: int) -> Origin:
    return Origin(argument, "turn", turn)


def task(
    *turns: str, calls: tuple[GoldCall, ...], requested: RequestedAnswer | None = None
) -> Task:
    return Task(
        task_id=f"task:{len(turns)}",
        suite="everyday",
        start="{}",
        start_digest="",
        turns=turns,
        tools=(),
        distractors=(),
        calls=calls,
        gold_digest="",
        asked=requested,
        answer=None if requested is None else "15000",
        proofs=PROOFS,
        source="everyday",
        source_id="0",
    )


TALK = task(
    "Please make a list of reminders.",
    '"Allotment".',
    "Great, now pay Cleo Abara 2350 crowns with my Household card.",
    "Then pay 25.50 crowns.",
    "Next, tell me the limit of my Household card.",
    calls=(
        GoldCall(
            "reminders.create_list",
            {"name": "Allotment"},
            origins=(turn_origin("name", 1),),
            turn=1,
        ),
        GoldCall(
            "wallet.pay_person", {**CARD, "amount_cents": 235_000}, refused="unavailable", turn=2
        ),
        GoldCall("wallet.pay_person", {**CARD, "amount_cents": 2550}, turn=3),
        GoldCall("wallet.search_cards", {"query": "Household card"}, turn=4),
    ),
    requested=RequestedAnswer(3, (0, "limit_cents")),
)
CONSENT = Rule("Make a list only after asking.", "reminders.create_list", "", "said", "I confirm")
TASK_WITHOUT_TALK = task("Make a list of reminders.", calls=(GoldCall("x.y", {}, turn=0),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_table("tasks", [row_of(TASK_WITHOUT_TALK), row_of(TALK)], tmp_path / "tasks.parquet")
    return tmp_path


def input_of(folder: Path, ruled: Task) -> TalkInput:
    write_table("tasks", [row_of(TASK_WITHOUT_TALK), row_of(ruled)], folder / "tasks.parquet")
    return only_input(folder)


def only_input(folder: Path, personas: tuple[Persona, ...] = ()) -> TalkInput:
    rejected, case = STEP.cases(folder, Sampling(personas=personas))
    assert isinstance(rejected, Rejected)
    assert rejected.reason == "no_conversation"
    assert isinstance(case, Case)
    return case.input


def test_template_replies_use_results_of_the_world(folder: Path) -> None:
    written = STEP.template(only_input(folder))
    turns = json.loads(written.structured or "")["turns"]
    assert written.text == TALK.turns[0]
    assert [turn["user"] for turn in turns] == list(TALK.turns)
    words = [turn["assistant"] for turn in turns]
    assert "name" in words[0]
    assert "2350 crowns exceed the card's limit of 150 crowns" in words[2]
    assert words[4] == "150 crowns."
    calls = [call for turn in turns for call in turn["calls"]]
    assert calls[0]["result"]["name"] == "Allotment"
    assert "exceed the card's limit" in calls[1]["refused"]


@pytest.mark.parametrize(
    ("reply", "calls", "end"),
    [
        ("Yes, I confirm.", ["reminders.create_list"], "done"),
        ("No, better not.", [], "nothing was changed"),
    ],
)
def test_action_requiring_consent_waits_for_it(
    tmp_path: Path, reply: str, calls: list[str], end: str
) -> None:
    plan = tuple(GoldCall(tool, {"name": "Allotment"}, turn=0) for tool in calls)
    ruled = msgspec.structs.replace(
        task("Make a list of reminders.", reply, calls=plan), policy=(CONSENT,)
    )
    first, second = json.loads(STEP.template(input_of(tmp_path, ruled)).structured or "")["turns"]
    assert (first["calls"], "I confirm" in first["assistant"]) == ([], True)
    assert [call["tool"] for call in second["calls"]] == calls
    assert end in second["assistant"].casefold()


def test_at_most_a_third_of_ruled_tasks_are_declined(tmp_path: Path) -> None:
    plan = (GoldCall("reminders.create_list", {"name": "Allotment"}, turn=0),)
    pairs = [
        msgspec.structs.replace(
            task("Make a list of reminders.", reply, calls=calls),
            policy=(CONSENT,),
            task_id=f"t{n}",
        )
        for n in range(6)
        for reply, calls in (("No.", ()), ("Yes, I confirm.", plan))
    ]
    write_table("tasks", [row_of(pair) for pair in pairs], tmp_path / "tasks.parquet")
    talks = [talk for _, talk in read_talks(tmp_path) if not isinstance(talk, Rejected)]
    declined = [talk for talk in talks if not any(turn.calls for turn in talk.turns)]
    assert (len(declined), len(talks)) == (3, 9)


def test_refusal_quotes_the_limit_after_allowed_reads(tmp_path: Path) -> None:
    rule = Rule(
        "Never pay more than 5 crowns.", "wallet.pay_person", "amount_cents", "at_most", 500
    )
    plan = (
        PlannedCall("wallet.search_cards", {"query": "Household card"}),
        PlannedCall("wallet.pay_person", {**CARD, "amount_cents": 900}),
    )
    text = "Pay Cleo Abara 9 crowns with my Household card."
    ruled = msgspec.structs.replace(task(text, calls=()), policy=(rule,), forbidden=plan)
    step_input = input_of(tmp_path, ruled)
    written = json.loads(STEP.template(step_input).structured or "")
    (turn,) = written["turns"]
    assert [call["tool"] for call in turn["calls"]] == ["wallet.search_cards"]
    assert rule.text in turn["assistant"]
    assert written["rules"] == [rule.text]


def test_model_must_word_every_turn_and_state_every_value(folder: Path) -> None:
    (folder / "personas.jsonl").write_text('{"persona": "a calm sailor", "source": "ours"}\n')
    personas = read_personas(folder / "personas.jsonl")
    step_input = only_input(folder, personas)
    assert step_input.persona == personas[0]

    def converse(*users: str) -> Talk[Written]:
        talk: Talk[Written] = Talk(STEP.converse(step_input, Asker(model="m")))
        assert talk.requested is not None
        assert "a calm sailor" in talk.requested.messages[1].content
        reply = TalkReply(tuple(TurnReply(user, "Aye.") for user in users))
        content = msgspec.json.encode(reply).decode()
        talk.receive(answer_to(talk.requested.digest(), Reply("answered", content)))
        return talk

    good = converse("A list, please", "allotment", "Pay Cleo", "Then 25.50", "The limit?")
    assert isinstance(good.value, Written)
    structured = json.loads(good.value.structured or "")
    assert structured["persona"] == {"persona": "a calm sailor", "source": "ours"}
    assert len(structured["turns"][2]["calls"]) == 1
    for users in (("A list",), ("A list", "Garden", "Pay", "Then", "Limit")):
        fault = converse(*users).fault
        assert isinstance(fault, ReplyError)
        assert fault.reason == "wrong_turns"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Cleo Abara has got her 25.50 crowns.", "ok"),
        ("It is paid, and 30 crowns are left.", "invented_value"),
        ('I paid and noted "For the ferry".', "invented_value"),
        ("I have paid Zelda.", "invented_value"),
    ],
)
def test_assistant_may_state_only_known_values(folder: Path, words: str, reason: str) -> None:
    step_input = only_input(folder)
    written = STEP.template(step_input)
    spoken = json.loads(written.structured or "")
    spoken["turns"][3]["assistant"] = words
    reworded = msgspec.structs.replace(written, structured=json.dumps(spoken))
    finding = CHECK.examine(STEP.subject("query:1", step_input, reworded))
    assert finding.reason == reason


def test_task_whose_calls_have_no_turn_is_rejected(folder: Path) -> None:
    calls = tuple(msgspec.structs.replace(call, turn=None) for call in TALK.calls)
    unknown = msgspec.structs.replace(TALK, calls=calls)
    write_table("tasks", [row_of(unknown)], folder / "tasks.parquet")
    ((_, talk),) = read_talks(folder)
    assert isinstance(talk, Rejected)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"persona": "a sailor"}', "1 is not a persona: Object missing required field `source`"),
        ('{"persona": " ", "source": "ours"}', "a persona must have 1 to 400 characters"),
        ("", "has 0 personas"),
    ],
)
def test_invalid_personas_file_is_refused(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "personas.jsonl").write_text(line)
    with pytest.raises(RunError, match=message):
        read_personas(tmp_path / "personas.jsonl")
