"""One sentence that asks for what a planning path does, and gives away only what the user knew."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.records import Rejected
from prompts.inputs.planning_paths import PathInput, PlannedCall, calls_to_check, read_paths
from prompts.steps.base import Case, Sample, Sampling, Step, Written, prompt
from prompts.subject import Subject, Value
from prompts.talks.conversation import Asker, Conversation, ask
from prompts.templates.instructions import write_instruction

RULES = """
You turn a finished conversation with an assistant into the one sentence that would have made the
assistant do all of it unasked.
- One natural English sentence in the voice of the user.
- State every entry of "tell" so that its exact value can be recovered; dates and times may be
  written the way people say them.
- Everything else became known only later, from services. Leave it out and, where it matters, point
  at it by what it is ("the cheapest one you find", "its address").
- Every service in "services" has to be recognisable from the sentence, without its technical name.
- No questions back, no politeness beyond a word, no lists.
"""


class Service(msgspec.Struct, frozen=True):
    """One call in the data block, without the values it was given."""

    app: str
    api: str
    description: str
    gives_back: tuple[str, ...]


class Shown(msgspec.Struct, frozen=True):
    """The data block of an instruction prompt."""

    user_said: tuple[str, ...]
    services: tuple[Service, ...]
    tell: tuple[Value, ...]


class InstructionReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply: the sentence."""

    instruction: str


class InstructionStep(Step[PathInput]):
    """Instructions for planning paths."""

    name = "instruction"
    version = "1"
    reads = ("planning_paths",)
    kind = "instruction"
    max_tokens = 250
    expected_tokens_out = 40

    def cases(self, folder: Path, sampling: Sampling) -> Iterator[Case[PathInput] | Rejected]:
        """Every path that has a step."""
        del sampling
        for row, given in read_paths(folder):
            if given.calls:
                yield Case(row.path_id, row.source_uri, given)
            else:
                yield Rejected("generate", row.source_uri, "no_steps", "an empty path", row.path_id)

    def converse(self, given: PathInput, asker: Asker) -> Conversation[Written]:
        """Ask for one sentence."""
        services = tuple(
            Service(call.app, call.api, call.description, call.returns) for call in given.calls
        )
        messages = prompt(self.name, RULES, Shown(given.utterances, services, given.known))
        reply = yield from ask(asker, messages, InstructionReply, self.max_tokens)
        return Written(" ".join(reply.instruction.split()))

    def template(self, given: PathInput) -> Written:
        """A sentence made of the calls and their known values."""
        return Written(write_instruction(given))

    def subject(self, query_id: str, given: PathInput, written: Written) -> Subject:
        """Known values are required, all others hidden, every call must be alluded to."""
        return Subject(
            query_id,
            self.kind,
            written.text,
            required=given.known,
            hidden=given.hidden,
            calls=calls_to_check(given.calls),
            prompt=RULES,
        )

    def sample(self) -> Sample[PathInput]:
        """A table for two and the way there."""
        table = PlannedCall(
            "Eateries",
            "ReserveTable",
            "Reserves a table",
            (Value("Nordhafen", "city"), Value("2", "guests")),
            ("address",),
        )
        ride = PlannedCall("Rides", "GetRide", "Orders a cab", (Value("19:30", "time"),))
        given = PathInput(
            ("I want to eat out in Nordhafen", "two of us, and a cab there at half past seven"),
            (table, ride),
            (*table.known, *ride.known),
            (Value("14 Quay Lane", "address"),),
        )
        text = (
            "Reserve a table for two at a place in Nordhafen and get us a cab to its address "
            "at 7:30 pm."
        )
        reply = msgspec.json.encode(InstructionReply(text)).decode()
        return Sample(given, (reply,), given.utterances[0])


STEP = InstructionStep()
