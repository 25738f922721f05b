"""The step that writes one sentence that asks for everything that a plan of API calls does.

The sentence states only the values that the user knew.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.core.records import Rejected
from prompts.inputs.plan_words import Service, services_of_plan, values_named_first
from prompts.inputs.planning_paths import (
    PathInput,
    calls_to_check,
    read_paths,
)
from prompts.steps import Case, Sampling, Step, Written, prompt
from prompts.styles import style_of
from prompts.subject import Subject
from prompts.talks import Asker, Conversation, ask
from prompts.templates.instructions import write_instruction

RULES = """
You turn a finished conversation with an assistant into the one sentence that would have made the
assistant do all of it unasked. "user_said" is what the user said, turn by turn; "services" are the
calls that were made, in order.
- One natural English sentence in the voice of the user, in words of your own.
- State the value of every detail from "user", for the service it belongs to, so that it can be
  recovered. Dates, times and numbers may be said the way people say them; for yes and no say what
  they mean ("a shared ride", "without insurance"). What services share is said once.
- A detail that comes from an earlier step became known only then: leave its value out and point
  at it by what it is ("the cheapest one you find", "to its address"). "found_out" are such values
  that the user repeats; they stay out as well.
- Details that were left open, or that the user does not mind, need no word. What the assistant put
  forward is not for the user to say.
- Every step has to be recognisable, without the technical name of its service. Where a step has an
  "outcome" that failed, say what to do instead, as the later step does it.
- Where "user_said" and "services" differ, the services are right: people change their minds.
- No questions back, no politeness beyond a word, no lists, no step by step.
"""


class PromptData(msgspec.Struct, frozen=True):
    """The data block of the prompt for one instruction.

    `found_out` are values that the user repeats, but could not know at first.
    """

    user_said: tuple[str, ...]
    services: tuple[Service, ...]
    found_out: tuple[str, ...]


class InstructionReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply: the sentence."""

    instruction: str


class InstructionStep(Step[PathInput]):
    """A step that writes instructions: requests of one sentence for plans of API calls."""

    name = "instruction"
    version = "2"
    reads = ("planning_paths",)
    kind = "instruction"
    max_tokens = 250
    expected_tokens_out = 40

    def cases(self, folder: Path, sampling: Sampling) -> Iterator[Case[PathInput] | Rejected]:
        """Yield a case for each plan in `folder`, or a rejected row if the plan has no calls."""
        for row, step_input in read_paths(folder):
            if step_input.calls:
                style = style_of(row.path_id, sampling.seed)
                yield Case(
                    row.path_id, row.source_uri, msgspec.structs.replace(step_input, style=style)
                )
            else:
                yield Rejected("generate", row.source_uri, "no_steps", "an empty path", row.path_id)

    def converse(self, step_input: PathInput, asker: Asker) -> Conversation[Written]:
        """Ask the model for one sentence."""
        data_block = PromptData(
            step_input.utterances, services_of_plan(step_input), values_named_first(step_input)
        )
        messages = prompt(self.name, RULES, data_block, step_input.style)
        reply = yield from ask(asker, messages, InstructionReply, self.max_tokens)
        return Written(" ".join(reply.instruction.split()), style=step_input.style.name or None)

    def template(self, step_input: PathInput) -> Written:
        """Return a sentence that is made by rules from the calls and the user's values."""
        return Written(write_instruction(step_input), style=step_input.style.name or None)

    def subject(self, query_id: str, step_input: PathInput, written: Written) -> Subject:
        """Return the text with the values that it must state, and those that it must not state."""
        return Subject(
            query_id,
            self.kind,
            written.text,
            required=step_input.stated,
            hidden=step_input.hidden,
            calls=calls_to_check(step_input.calls),
            prompt=RULES,
            sources=step_input.utterances,
            technical=step_input.technical,
            descriptions=step_input.descriptions,
            style=step_input.style.name,
        )


STEP = InstructionStep()
