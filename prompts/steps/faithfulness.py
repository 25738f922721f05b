"""The step that judges whether a text asks for exactly what its plan or workflow does.

The judge reads the writer's input and answers typed questions, each with a quote of the text as
evidence. If a quote is not in the text, the whole answer is rejected.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from benchloom.core.records import JUDGEMENT, Rejected
from prompts.columns import QueryRow, has_table, read_queries
from prompts.data_block import clean_text, read_data_block
from prompts.errors import ReplyError
from prompts.inputs.plan_words import services_of_plan
from prompts.inputs.planning_paths import PathInput
from prompts.inputs.shortcuts import ShortcutInput
from prompts.language.actions import ON_THE_WAY, PLUMBING
from prompts.language.words import plain
from prompts.steps import (
    JUDGED_WRITERS,
    STEPS,
    Case,
    Grade,
    Sampling,
    Step,
    Wording,
    Written,
    prompt,
)
from prompts.talks import Asker, Conversation, ask

NOT_JUDGED = "not_judged"
LABEL = "label"
"""The value of `style` in the prompt that tells the judge that the text names and describes a
shortcut, and is no request."""
MAX_WHY = 120
MAX_CALL = 200
CALLS_FOR_ONE_LEFT_OUT = 4
"""One in this many calls may be missing in a request, because people do not mention every file and
folder."""
FormKind = Literal["step_list", "values_dumped", "two_requests", "note"]
_PLUMBING = frozenset(api.removeprefix(SYSTEM_PREFIX) for api in PLUMBING)
RULES = """
You compare what a person says to an assistant ("text") with what the assistant does for it.
"source" is what the writer of the text was shown: where its "user_said" and "services" differ, the
services are right, and "found_out" are values the text should not state. "calls" are the things
that are done, each with its number; "known_only_later" are values that come from services or
devices when it is running.
Answer in this order, and quote words of "text" letter by letter wherever a "quote" is asked for.
- "calls": every call once, in the given order: as "quote" the words that ask for it or for a result
  that cannot be had without it (empty when there are none), then whether it is "asked" for. What
  only reports a fault or a newer version is asked for by the words for the result.
- "beyond": every wish in the text that neither a call nor "source" fulfils, other services and apps
  included, with its "quote" and, as "why", what is missing, in a few words.
- "misplaced": every value that the text gives another size, another service or another direction
  (from and to, before and after) than the source does, and every value the source does not have.
- "too_early": every value of "known_only_later" that the text states, in whole or in part.
- "form": every passage that no person would say to an assistant, with its "quote", "why", and its
  "kind": "step_list" for the order of operations told one by one in place of what is wanted,
  "values_dumped" for values in a row without words for what they are, "two_requests" for a second
  request that has nothing to do with the first, "note" for words to a developer, a writer or a
  reader instead of the assistant. A text of "style" terse may be fragments, as long as it says
  what each value is for.
- A text of "style" label is no request: it names and describes what the assistant does, with a
  category in brackets. It has no "calls"; "misplaced" is a category that clearly does not fit
  (neighbouring ones do), and "form" also what is not plain English, as names of actions.
The lists are empty where nothing is wrong. How elegant or polite the text is does not matter.
"""


class CallData(msgspec.Struct, frozen=True, gc=False):
    """One call of the plan or workflow in the judge's prompt."""

    number: int
    call: str


class PromptData(msgspec.Struct, frozen=True):
    """The data block of the judge's prompt; `source` is the data that the text's writer received.

    `calls` is empty for a label, and for a shortcut that only stores values and passes them on.
    """

    source: msgspec.Raw
    calls: tuple[CallData, ...]
    known_only_later: tuple[str, ...]
    text: str
    style: str = ""


class CallVerdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer about one call: its words in the text first."""

    number: int
    quote: str
    asked: bool


class Flaw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words of the text that are wrong, with the reason."""

    quote: str
    why: str


class FormFlaw(Flaw, frozen=True, forbid_unknown_fields=True):
    """Words of the text that no person would say to an assistant."""

    kind: FormKind


class FaithfulnessReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answers, in the order in which the model should decide them."""

    calls: tuple[CallVerdict, ...]
    beyond: tuple[Flaw, ...]
    misplaced: tuple[Flaw, ...]
    too_early: tuple[Flaw, ...]
    form: tuple[FormFlaw, ...]


EXAMPLE = (
    PromptData(
        msgspec.Raw(
            b'{"user_said":["Somewhere to stay in Brannock from May 4","and a coach from Tarn"],'
            b'"services":["rooms: town Brannock, from May 4","coaches: from Tarn, to Brannock"]}'
        ),
        (
            CallData(1, "Reserve a room (town Brannock, from May 4)"),
            CallData(2, "Book a coach (from Tarn, to Brannock)"),
        ),
        ("Hotel Quince",),
        "I need a coach from Brannock to Tarn and a room at Hotel Quince, with breakfast. "
        "Checked twice.",
    ),
    FaithfulnessReply(
        (
            CallVerdict(1, "a room at Hotel Quince", asked=True),
            CallVerdict(2, "a coach from Brannock to Tarn", asked=True),
        ),
        (Flaw("with breakfast", "no call orders meals"),),
        (Flaw("from Brannock to Tarn", "origin and destination are swapped"),),
        (Flaw("Hotel Quince", "the search for rooms found it"),),
        (FormFlaw("Checked twice.", "speaks to a reader", "note"),),
    ),
)
"""A text with a flaw of every kind, and the correct answer. The example also makes the common
beginning of all prompts long enough for the caches of providers."""
_EXAMPLE_LINES = "\n".join(msgspec.json.encode(part).decode() for part in EXAMPLE)


class FaithfulnessStep(Step[PromptData]):
    """A step that judges queries, instructions and labels; their source rows must be in the folder.

    A member of a panel has a `wording`: its own rules, and its name in the stored verdicts.
    """

    def __init__(self, wording: Wording | None = None) -> None:
        self.wording = wording

    name = "faithfulness"
    version = "4"
    reads = ("queries",)
    also_reads = ("shortcuts", "planning_paths")
    kind = "faithfulness"
    judges = True
    max_tokens = 1_200
    expected_tokens_out = 150

    def cases(self, folder: Path, sampling: Sampling) -> Iterator[Case[PromptData] | Rejected]:
        """Yield each text whose source row is in the folder, in the order of the source rows."""
        waiting: dict[tuple[str, str], list[QueryRow]] = {}
        writers = [STEPS.find(name) for name in JUDGED_WRITERS]
        kinds = {writer.kind for writer in writers}
        for row in read_queries(folder, every_text=sampling.every_text):
            if isinstance(row, Rejected):
                yield row
            elif row.kind in kinds:
                waiting.setdefault((row.kind, row.target_id), []).append(row)
        for writer in writers:
            if not has_table(folder, writer.reads[0]):
                continue
            for case in writer.cases(folder, sampling):
                if isinstance(case, Case):
                    for row in waiting.pop((writer.kind, case.target_id), ()):
                        step_input = self.input_about(writer, case.input, row)
                        yield Case(row.query_id, row.query_id, step_input)
        for rows in waiting.values():
            for row in rows:
                message = "the row it is about is not in this folder"
                yield Rejected("generate", row.query_id, "no_source", message, row.query_id)

    def check(self, judge: str) -> str:
        """Return the name under which this judge, one of several, stores verdicts."""
        name = "" if self.wording is None else f"/{self.wording.name}"
        return f"{JUDGEMENT}{judge}{name}" if judge else self.kind

    def template(self, step_input: PromptData) -> Grade:
        """Accept every text without asking a model; the verdict's reason is "not_judged"."""
        del step_input
        return Grade(None, kept=True, reason=NOT_JUDGED, evidence="no model was asked")

    def input_about(self, writer: Step[Any], step_input: Any, row: QueryRow) -> PromptData:
        """Return the judge's input: the data that the text's writer received, and the text."""
        request = next(writer.converse(step_input, Asker(model="")))
        source = msgspec.json.encode(read_data_block(request.messages[1].content))
        subject = writer.subject(row.query_id, step_input, Written(row.text))
        is_label = row.category is not None
        calls = () if is_label else _calls(step_input)
        names = [clean_text(" ".join(call.split()), MAX_CALL) for call in calls]
        return PromptData(
            msgspec.Raw(source),
            tuple(CallData(number, name) for number, name in enumerate(names, start=1)),
            tuple(value.value for value in subject.hidden),
            f"{row.text} ({row.category})" if is_label else row.text,
            LABEL if is_label else row.style or "",
        )

    def converse(self, step_input: PromptData, asker: Asker) -> Conversation[Grade]:
        """Ask all questions in one request, then check the reply's quotes and numbers by rules."""
        rules = RULES if self.wording is None else self.wording.rules or RULES
        messages = prompt(
            self.name,
            f"{rules.strip()}\nAn example and its answer:\n{_EXAMPLE_LINES}",
            step_input,
        )
        reply = yield from ask(asker, messages, FaithfulnessReply, self.max_tokens)
        return grade_of(reply, step_input)


def _calls(step_input: object) -> Iterator[str]:
    """Yield a description of each call that a text must ask for.

    For a shortcut, these are its actions with an effect, or its other actions if none has an
    effect.
    """
    if isinstance(step_input, PathInput):
        for service in services_of_plan(step_input):
            values = (f"{detail.what} {detail.value}" for detail in service.details if detail.value)
            details_text = ", ".join(values)
            yield f"{service.does} ({details_text})" if details_text else service.does
    elif isinstance(step_input, ShortcutInput):
        deeds = [deed for deed in step_input.deeds if deed.api not in _PLUMBING]
        results = [deed for deed in deeds if deed.api not in ON_THE_WAY]
        yield from dict.fromkeys(deed.line for deed in results or deeds)


def grade_of(reply: FaithfulnessReply, step_input: PromptData) -> Grade:
    """Return the grade that follows from a reply; the first fault in it is the reason.

    Raises:
        ReplyError: wrong_calls, or invented_evidence.
    """
    if [entry.number for entry in reply.calls] != [call.number for call in step_input.calls]:
        raise ReplyError(
            "wrong_calls", "the reply does not judge every call exactly once, in order"
        )
    words = f" {plain(step_input.text)} "
    for entry in reply.calls:
        if entry.asked or entry.quote:
            _require_quote(entry.quote, words)
    flaws: dict[str, tuple[Flaw, ...]] = {
        "asks_beyond": reply.beyond,
        "misplaced_value": reply.misplaced,
        "known_later": reply.too_early,
    }
    for form_flaw in reply.form:
        flaws[form_flaw.kind] = (*flaws.get(form_flaw.kind, ()), form_flaw)
    for reported_flaws in flaws.values():
        for flaw in reported_flaws:
            _require_quote(flaw.quote, words)
    left_out = [entry.number for entry in reply.calls if not entry.asked]
    if len(left_out) * CALLS_FOR_ONE_LEFT_OUT > len(reply.calls):
        name = step_input.calls[left_out[0] - 1].call
        return _against("call_left_out", f"{len(left_out)} not asked for, as {name}")
    for reason, reported_flaws in flaws.items():
        if reported_flaws:
            why = clean_text(" ".join(reported_flaws[0].why.split()), MAX_WHY)
            return _against(reason, f'"{clean_text(reported_flaws[0].quote, MAX_WHY)}": {why}')
    return Grade(
        None, kept=True, reason="ok", evidence=f"{len(reply.calls) - len(left_out)} calls asked for"
    )


def _against(reason: str, evidence: str) -> Grade:
    return Grade(None, kept=False, reason=reason, evidence=" ".join(evidence.split()))


def _require_quote(quote: str, words: str) -> None:
    """Raise if a quote of the judge is not literally in the text."""
    quoted = plain(quote)
    # Words of scripts without blanks have no ends.
    if not quoted or (f" {quoted} " if quoted.isascii() else quoted) not in words:
        raise ReplyError("invented_evidence", "a quote is not in the text")


STEP = FaithfulnessStep()
