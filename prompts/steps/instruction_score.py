"""The step in which a model grades requests for fluency and diversity from 1 to 10.

A request is kept if the lower grade is at least 6.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.core.records import Rejected
from prompts.columns import read_queries
from prompts.data_block import clean_text
from prompts.errors import ReplyError
from prompts.steps import Case, Grade, Sampling, Step, prompt
from prompts.talks import Asker, Conversation, ask

LEAST_SCORE = 6
MAX_SCORE = 10
JUDGED_KINDS = frozenset({"query", "instruction", "nested"})
NEIGHBOURS = 3
MAX_WHY = 200
RULES = """
You grade one sentence that is meant to sound like a real person talking to an assistant.
- "why": first, one short sentence that names the weakest point.
- "fluency": 1 is broken or robotic, 6 is clear with small flaws, 10 is what a careful native
  speaker would say.
- "diversity": 1 repeats the pattern of the texts in "others" almost word for word, 6 shares a
  common phrase or two, 10 is worded in its own way, or there are no others.
"style" is how the text was asked to be worded, such as a hurried note: no flaw of it.
Use whole numbers. Grade the wording alone; whether the wish is sensible does not matter.
"""


class ScoreInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """The text to grade, its style if it has one, and the few texts before it in the run."""

    text: str
    others: tuple[str, ...]
    style: str = ""


class ScoreReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply."""

    why: str
    fluency: int
    diversity: int


class ScoreStep(Step[ScoreInput]):
    """A step that grades the queries, instructions and nested requests in a folder."""

    name = "instruction_score"
    version = "3"
    reads = ("queries",)
    kind = "instruction_score"
    judges = True
    max_tokens = 120
    expected_tokens_out = 35

    def cases(self, folder: Path, sampling: Sampling) -> Iterator[Case[ScoreInput] | Rejected]:
        """Yield each text with the few texts before it.

        So the prompt about a text depends only on the input folder, and not on the order of
        replies.
        """
        before: list[str] = []
        for row in read_queries(folder, every_text=sampling.every_text):
            if isinstance(row, Rejected):
                yield row
            elif row.kind in JUDGED_KINDS:
                step_input = ScoreInput(row.text, tuple(before), row.style or "")
                yield Case(row.query_id, row.query_id, step_input)
                before = [*before[-NEIGHBOURS + 1 :], row.text]

    def converse(self, step_input: ScoreInput, asker: Asker) -> Conversation[Grade]:
        """Ask the model for both grades; the lower one decides."""
        reply = yield from ask(
            asker, prompt(self.name, RULES, step_input), ScoreReply, self.max_tokens
        )
        grades = (reply.fluency, reply.diversity)
        if not all(1 <= grade <= MAX_SCORE for grade in grades):
            raise ReplyError(
                "grade_out_of_range", f"expected grades from 1 to {MAX_SCORE}, not {grades}"
            )
        score = min(grades)
        is_kept = score >= LEAST_SCORE
        evidence = (
            f"fluency {reply.fluency}, diversity {reply.diversity}: "
            f"{clean_text(' '.join(reply.why.split()), MAX_WHY)}"
        )
        return Grade(score, is_kept, "ok" if is_kept else "low_score", evidence)


STEP = ScoreStep()
