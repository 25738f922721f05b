"""Simulate a judge that answers the faithfulness step's questions according to the labels."""

from collections.abc import Mapping

import msgspec

from prompts.columns import QueryRow
from prompts.steps import STEPS, Case
from prompts.steps.faithfulness import (
    STEP,
    CallVerdict,
    FaithfulnessReply,
    Flaw,
    FormFlaw,
    FormKind,
    grade_of,
)
from prompts.subject import Subject
from tests.prompts.labelled.texts import STEP_OF, LabelledText

ASKS_NOTHING = frozenset({"politeness", "asking_back"})
"""Flaws of texts that request no call; for `call_left_out`, only the last call is missing."""
BEYOND = frozenset({"wrong_service", "wrong_app", "second_request", "unrelated_label"})
MISPLACED = frozenset(
    {
        "swapped", "reversed", "changed_listed", "changed_unlisted", "invented_value",
        "wrong_category",
    }
)  # fmt: skip
TOO_EARLY = frozenset({"intermediate_told", "part_of_intermediate"})
FORM: dict[str, FormKind] = {
    "developer_note": "note",
    "dumped_values": "values_dumped",
    "second_request": "two_requests",
    "steps_marked": "step_list",
    "steps_unmarked": "step_list",
}


def judge_keeps(
    file: str,
    text: LabelledText,
    subject: Subject,
    cases: Mapping[tuple[str, str], Case[msgspec.Struct]],
) -> bool:
    """Return whether the verdict from the simulated judge's answers keeps the text."""
    step = STEPS.find(STEP_OF[file])
    judge_input = STEP.input_about(
        step,
        cases[step.name, text.target].input,
        QueryRow(
            subject.query_id, text.target, step.kind, subject.text, category=text.category or None
        ),
    )
    quote = subject.text
    flaws = (Flaw(quote, text.flaw),)
    last = len(judge_input.calls)
    calls = tuple(
        CallVerdict(call.number, quote if is_requested else "", is_requested)
        for call in judge_input.calls
        for is_requested in [
            text.flaw not in ASKS_NOTHING
            and not (text.flaw == "call_left_out" and call.number == last)
        ]
    )
    reply = FaithfulnessReply(
        calls,
        flaws if text.flaw in BEYOND else (),
        flaws if text.flaw in MISPLACED else (),
        flaws if text.flaw in TOO_EARLY else (),
        (FormFlaw(quote, text.flaw, FORM[text.flaw]),) if text.flaw in FORM else (),
    )
    return grade_of(reply, judge_input).kept
