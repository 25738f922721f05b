"""Check that proposed calls and conversations are accepted or refused as a whole."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from prompts.errors import ReplyError
from prompts.exchange import Reply, answer_to
from prompts.steps import STEPS, Grade, Written
from prompts.talks import Asker
from prompts.talks.driver import Talk
from prompts.tools.call_sequence import CallReply, check_calls, nested_count
from tests.prompts.samples import SAMPLES

NESTED_INPUT = SAMPLES.find("nested").step_input
GOOD_REPLY: dict[str, Any] = msgspec.json.decode(SAMPLES.find("nested").replies[0])


def change_calls(change: Callable[[list[dict[str, Any]]], object]) -> tuple[CallReply, ...]:
    calls = msgspec.json.decode(msgspec.json.encode(GOOD_REPLY["calls"]))
    change(calls)
    return msgspec.convert(calls, tuple[CallReply, ...])


def argument(name: str, value: str) -> dict[str, str]:
    return {"name": name, "value": value}


def test_valid_calls_are_accepted() -> None:
    calls = change_calls(len)
    check_calls(calls, NESTED_INPUT.apis)
    assert nested_count(calls) == 1


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda calls: calls[0].update(name="gardens.burn"), "not among the offered tools"),
        (lambda calls: calls[0].update(label="var7"), "not var1"),
        (lambda calls: calls.reverse(), "not var1"),
        (lambda calls: calls[0]["arguments"].append(argument("zip", "1")), "not declared"),
        (lambda calls: calls[0]["arguments"].append(argument("town", "1")), "twice"),
        (lambda calls: calls[0]["arguments"].clear(), "required 'town'"),
        (
            lambda calls: calls[0]["arguments"][0].update(value="$var2.opens$"),
            "no earlier call returns",
        ),
        (
            lambda calls: calls[1]["arguments"][0].update(value="$var1.zip$"),
            "no earlier call returns",
        ),
        (lambda calls: calls[1]["arguments"][0].update(value="x" * 400), "is longer than 300"),
    ],
)
def test_faulty_calls_are_refused_with_the_fault(
    change: Callable[[list[dict[str, Any]]], object], fault: str
) -> None:
    with pytest.raises(ReplyError, match=fault) as caught:
        check_calls(change_calls(change), NESTED_INPUT.apis)
    assert caught.value.reason == "bad_call_sequence"


def test_value_outside_its_enumeration_is_refused() -> None:
    tools = SAMPLES.find("dialogue").step_input.apis
    call = {"name": "home.lamp", "label": "var1"}
    call["arguments"] = [argument("room", "hall"), argument("state", "dim")]  # type: ignore[assignment]  # JSON
    with pytest.raises(ReplyError, match="outside its enumeration"):
        check_calls(msgspec.convert([call], tuple[CallReply, ...]), tools)


def reason_after(step: str, changes: dict[int, dict[str, Any]]) -> str | None:
    """Return the fault's reason after some replies of a step's sample are changed."""
    generation_step = STEPS.find(step)
    sample = SAMPLES.find(step)
    talk: Talk[Written | Grade] = Talk(
        generation_step.converse(sample.step_input, Asker(model="m"))
    )
    for number, text in enumerate(sample.replies):
        if talk.requested is None:
            break
        reply = {**msgspec.json.decode(text), **changes.get(number, {})}
        content = msgspec.json.encode(reply).decode()
        talk.receive(answer_to(talk.requested.digest(), Reply("answered", content)))
    assert talk.requested is None
    return talk.fault.reason if talk.fault else None


@pytest.mark.parametrize(
    ("step", "changes", "reason"),
    [
        ("dialogue", {}, None),
        ("dialogue", {1: {"apis": ["home.oven"]}}, "wrong_tools"),
        ("dialogue", {1: {"apis": ["home.lamp", "home.blinds"]}}, "wrong_tools"),
        ("dialogue", {3: {"calls": []}}, "bad_call_sequence"),
        ("dialogue", {3: {"keywords": "boil an egg"}}, "tool_not_found"),
        ("dialogue", {4: {"accepted": False}}, "tester_refused"),
        ("nested", {0: {"calls": GOOD_REPLY["calls"][:1]}}, "not_nested"),
        ("parameters", {0: {"parameters": []}}, "wrong_parameters"),
        (
            "parameters",
            {
                0: {
                    "parameters": [
                        {"number": 0, "relation": "stated", "evidence": "at noon"},
                        {"number": 1, "relation": "absent", "evidence": ""},
                    ]
                }
            },
            "invented_evidence",
        ),
        ("instruction_score", {0: {"fluency": 11}}, "grade_out_of_range"),
        ("instruction_score", {0: {"diversity": 0}}, "grade_out_of_range"),
        ("category", {0: {"name": " "}}, "empty_reply"),
        ("category", {0: {"description": "x" * 999}}, "reply_too_long"),
    ],
)
def test_replies_that_fit_the_schema_may_be_refused(
    step: str, changes: dict[int, dict[str, Any]], reason: str | None
) -> None:
    assert reason_after(step, changes) == reason


def test_low_grade_drops_the_text() -> None:
    score_step = STEPS.find("instruction_score")
    for fluency, verdict in ((5, False), (6, True)):
        talk: Talk[Written | Grade] = Talk(
            score_step.converse(SAMPLES.find("instruction_score").step_input, Asker(model="m"))
        )
        assert talk.requested is not None
        content = f'{{"fluency": {fluency}, "diversity": 9, "why": "so"}}'
        talk.receive(answer_to(talk.requested.digest(), Reply("answered", content)))
        assert isinstance(talk.value, Grade)
        assert talk.value.kept is verdict
        assert talk.value.score == fluency
