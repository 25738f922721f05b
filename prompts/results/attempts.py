"""Write several texts about one row, repair texts that lack values, and choose the best text.

To write another text, the conversation of the step is held again with another seed. A repair is
the same conversation with further messages. The checks examine a text first, and a model judges
the faithfulness only of texts that pass them. After an accepted text no further request is sent.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from prompts.checks import checks_for
from prompts.checks.required_values import CHECK as REQUIRED_VALUES
from prompts.checks.required_values import missing_values
from prompts.columns import QueryRow
from prompts.data_block import data_block
from prompts.errors import ReplyError
from prompts.exchange import Answer, Message, Request
from prompts.steps import JUDGE, JUDGED_STEPS, STEPS, AnyStep, Grade, Written
from prompts.steps.query import Mention, mentions
from prompts.talks import Asker, Conversation

REPAIR = (
    "A reader could not recover these values from your text. Write the whole text again so that it "
    'states each of them, for what its "what" says, and send it in the same form as before.'
)
USUAL_FAILURES = 0.2
"""The share of a strong model's texts that are not accepted, which forecasts assume if the log has
no replies yet."""
_CHARS_PER_TOKEN = 4


class MissingValues(msgspec.Struct, frozen=True):
    """The data block of a request to repair a text: the values that the text does not state."""

    must_mention: tuple[Mention, ...]


class Further(msgspec.Struct, frozen=True):
    """A request that may follow the first request about a row.

    `expected` and `most` are the usual and the maximum number of such requests about the row.
    """

    request: Request
    reply_tokens: int
    expected: float
    most: int


class Attempts(msgspec.Struct, frozen=True):
    """The maximum number of texts about a row, and whether each text may be repaired once."""

    candidates: int = 1
    repair: bool = False

    def converse(
        self, step: AnyStep, step_input: Any, asker: Asker
    ) -> Conversation[Written | Grade]:
        """Return the first text that checks and judge accept, or the best text if there is none.

        The best text is the first one that passes the checks, or else the first one.

        Raises:
            ReplyError: no request for a text got a usable reply.
        """
        if self == Attempts():
            return (yield from step.converse(step_input, asker))
        best: Written | None = None
        is_kept, fault = False, None
        for number in range(self.candidates):
            try:
                written, failed = yield from self._candidate(step, step_input, asker, number)
            except ReplyError as error:
                fault = fault or error
                continue
            if failed:
                best = best or written
                continue
            is_last = number + 1 == self.candidates
            # A judge would change nothing if this is the last text and the only one that passes the
            # checks.
            if step.name not in JUDGED_STEPS or (is_last and not is_kept):
                return written
            if (yield from _ask_judge(step, step_input, asker, written)):
                return written
            best, is_kept = (best if is_kept else written), True
        if best is None:
            raise fault or ReplyError("no_result", "no text was written")
        return best

    def _candidate(
        self, step: AnyStep, step_input: Any, asker: Asker, number: int
    ) -> Conversation[tuple[Written, bool]]:
        """Return a text and whether checks drop it; a text that lacks values is repaired first."""
        if number:
            seed = (asker.seed or 0) + number
            asker = msgspec.structs.replace(asker, seed=seed, purpose="candidate")
        written, content = yield from _write(step, step_input, asker)
        failed = _failed_checks(step, step_input, written)
        if failed != {REQUIRED_VALUES.name} or not self.repair:
            return written, bool(failed)
        missing = missing_values(step.subject("", step_input, written))
        asker = msgspec.structs.replace(
            asker,
            purpose="repair",
            turns=(
                Message("assistant", content),
                Message("user", f"{REPAIR}\n{data_block(MissingValues(mentions(missing)))}"),
            ),
        )
        try:
            repaired, _ = yield from _write(step, step_input, asker)
        except ReplyError:
            return written, True
        if _failed_checks(step, step_input, repaired):
            return written, True
        return repaired, False

    def further(self, step: AnyStep, step_input: Any, asker: Asker) -> Iterator[Further]:
        """Yield the requests that may follow the first request about a row."""
        if self == Attempts():
            return
        tried = sum(USUAL_FAILURES**number for number in range(self.candidates))
        text = "word " * (step.expected_tokens_out * _CHARS_PER_TOKEN // len("word "))
        first: Request = next(step.converse(step_input, asker))
        if self.candidates > 1:
            yield Further(first, step.expected_tokens_out, tried - 1, self.candidates - 1)
            if step.name in JUDGED_STEPS:
                row = QueryRow("", "", step.kind, text)
                judged = next(_judging(step, step_input, row, asker))
                reply_tokens = STEPS.find(JUDGE).expected_tokens_out
                yield Further(judged, reply_tokens, tried, self.candidates)
        if self.repair:
            required = step.subject("", step_input, Written(text)).required
            block = data_block(MissingValues(mentions(required[:1])))
            turns = (Message("assistant", text), Message("user", f"{REPAIR}\n{block}"))
            repair = msgspec.structs.replace(first, messages=(*first.messages, *turns))
            expected = tried * USUAL_FAILURES
            yield Further(repair, step.expected_tokens_out, expected, self.candidates)


def repeatable_steps() -> tuple[str, ...]:
    """Return the names of the steps for which several texts can be written about one row.

    These are the steps whose texts must state values. A step has the name of its kind of text, so
    no step is imported.
    """
    return tuple(name for name in STEPS.names() if name in REQUIRED_VALUES.kinds)


def _write(step: AnyStep, step_input: Any, asker: Asker) -> Conversation[tuple[Written, str]]:
    """Return a text with the answer that contained it, and the content of that answer."""
    conversation = step.converse(step_input, asker)
    answer: Answer | None = None
    try:
        request = next(conversation)
        while True:
            answer = yield request
            request = conversation.send(answer)
    except StopIteration as over:
        written: Written = over.value
    content = "" if answer is None else answer.reply.content
    return msgspec.structs.replace(written, answer=answer), content


def _failed_checks(step: AnyStep, step_input: Any, written: Written) -> set[str]:
    """Return the names of the checks that drop a text, without checks that compare texts."""
    subject = step.subject("", step_input, written)
    checks = (check for check in checks_for(step.kind) if check.comparison is None)
    return {check.name for check in checks if not check.examine(subject).kept}


def _ask_judge(
    step: AnyStep, step_input: Any, asker: Asker, written: Written
) -> Conversation[bool]:
    """Ask the judge of faithfulness about a text, and return whether it accepts the text.

    The request is the same as in a run of the judge alone, so that a later run of the judge finds
    the reply in the log.
    """
    style, category = written.style, written.category
    row = QueryRow("", "", step.kind, written.text, style=style, category=category)
    try:
        asker = msgspec.structs.replace(asker, purpose="judge")
        grade = yield from _judging(step, step_input, row, asker)
    except ReplyError:
        return False
    return grade.kept


def _judging(step: AnyStep, step_input: Any, row: QueryRow, asker: Asker) -> Conversation[Grade]:
    """Start the conversation in which a model judges whether a text is faithful to its row."""
    from prompts.steps.faithfulness import STEP  # only where a judge may be asked

    return STEP.converse(STEP.input_about(step, step_input, row), asker)
