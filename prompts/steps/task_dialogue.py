"""The step that writes a conversation about a task, with real tool results between the turns.

The task determines the user's wishes, the assistant's questions and the refusals; its known
solution is replayed in the simulated world. Without a model, templates word the assistant; a model
words both speakers, and the user speaks as a persona would.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.core.identity import pick
from benchloom.core.records import Rejected
from prompts.errors import ReplyError
from prompts.inputs.personas import Persona
from prompts.inputs.tasks import TaskCall, TaskTalk, TaskTurn, read_talks
from prompts.language.words import plain
from prompts.steps import Case, Sampling, Step, Written, prompt
from prompts.subject import Statement, Subject, Value
from prompts.talks import Asker, Conversation, ask
from prompts.templates.assistant import assistant_words

RULES = """
You write down a conversation between a person and an assistant that can call "tools". Word every
entry of "turns" anew, in its order, and add or leave out none.
- "user": what the person says there, as "persona" would say it where there is one. It asks for the
  same as the entry's "user" and says nothing earlier or later than there; every text of "values"
  stays letter by letter. No names of tools or parameters.
- "assistant": what the assistant says after the entry's "calls", in one or two short sentences. Its
  "duty" is to "confirm" what was done, to "ask" for what "about" names, to "refuse" for the reason
  in "about", or to "answer" with "about". It claims nothing that is not in the results, and offers
  nothing further. "rules" are what it obeys, and the reason of a refusal may be one of them.
"""


class TalkInput(msgspec.Struct, frozen=True):
    """A task as a conversation, and the persona of its user."""

    talk: TaskTalk
    persona: Persona | None = None


class PromptData(msgspec.Struct, frozen=True, omit_defaults=True):
    """The data block of the prompt: the tools, the task's turns, its rules and the persona."""

    tools: dict[str, str]
    turns: tuple[TaskTurn, ...]
    rules: tuple[str, ...] = ()
    persona: str = ""


class TurnReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply about one turn."""

    user: str
    assistant: str


class TalkReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply: both speakers' words, turn by turn."""

    turns: tuple[TurnReply, ...]


class SpokenTurn(msgspec.Struct, frozen=True):
    """One turn of a finished conversation, as `queries.structured` stores it."""

    user: str
    calls: tuple[TaskCall, ...]
    assistant: str


class Spoken(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finished conversation with its task, persona and rules, for `queries.structured`."""

    task_id: str
    suite: str
    turns: tuple[SpokenTurn, ...]
    persona: Persona | None = None
    rules: tuple[str, ...] = ()


class _AssistantWords(msgspec.Struct, frozen=True):
    assistant: str


class _Words(msgspec.Struct, frozen=True):
    """The part of `queries.structured` that has the assistant's words in each turn."""

    turns: tuple[_AssistantWords, ...]


class TaskDialogueStep(Step[TalkInput]):
    """A step that writes a conversation for each task in which the user speaks several times."""

    name = "task_dialogue"
    version = "2"
    reads = ("tasks",)
    kind = "dialogue"
    uses_personas = True
    max_tokens = 1_500
    expected_tokens_out = 250

    def cases(self, folder: Path, sampling: Sampling) -> Iterator[Case[TalkInput] | Rejected]:
        """Yield the tasks in order, each with a random persona that the seed determines."""
        for task, talk in read_talks(folder):
            if isinstance(talk, Rejected):
                yield talk
                continue
            persona = None
            if sampling.personas:
                number = pick(sampling.seed, 0, f"persona/{task.task_id}", len(sampling.personas))
                persona = sampling.personas[number]
            yield Case(task.task_id, task.source_uri or task.task_id, TalkInput(talk, persona))

    def template(self, step_input: TalkInput) -> Written:
        """Return the task's own turns, with the assistant's replies as fixed phrases."""
        talk = step_input.talk
        words = [assistant_words(talk, number) for number in range(len(talk.turns))]
        spoken = [
            SpokenTurn(turn.user, turn.calls, assistant)
            for turn, assistant in zip(talk.turns, words, strict=True)
        ]
        return _written_text(TalkInput(talk), spoken)

    def converse(self, step_input: TalkInput, asker: Asker) -> Conversation[Written]:
        """Ask for all turns in one reply; then check their number and the user's values."""
        talk, persona = step_input.talk, step_input.persona
        words = "" if persona is None else persona.persona
        data = PromptData(talk.tools, talk.turns, talk.rules, words)
        messages = prompt(self.name, RULES, data)
        reply = yield from ask(asker, messages, TalkReply, self.max_tokens)
        if len(reply.turns) != len(talk.turns):
            message = f"{len(reply.turns)} turns, not {len(talk.turns)}"
            raise ReplyError("wrong_turns", message)
        for number, (turn, said) in enumerate(zip(talk.turns, reply.turns, strict=True), start=1):
            if not said.user.strip() or not said.assistant.strip():
                raise ReplyError("wrong_turns", f"turn {number}: the text is empty")
            missing = [text for text in turn.values if plain(text) not in plain(said.user)]
            if missing:
                raise ReplyError("wrong_turns", f"turn {number}: the user does not say a value")
        spoken = [
            SpokenTurn(said.user.strip(), turn.calls, said.assistant.strip())
            for turn, said in zip(talk.turns, reply.turns, strict=True)
        ]
        return _written_text(step_input, spoken)

    def subject(self, query_id: str, step_input: TalkInput, written: Written) -> Subject:
        """Return the user's first turn with the data that checks compare it with."""
        talk = step_input.talk
        return Subject(
            query_id,
            self.kind,
            written.text,
            required=tuple(map(Value, talk.turns[0].values)),
            prompt=RULES,
            technical=tuple(talk.tools),
            descriptions=tuple(talk.tools.values()),
            statements=tuple(_statements(talk, written)),
        )


def _statements(talk: TaskTalk, written: Written) -> Iterator[Statement]:
    """Yield each statement of the assistant, with all that was said and returned before it."""
    words = msgspec.json.decode(written.structured or "", type=_Words)
    sources = [*talk.tools.values(), *talk.rules]
    for turn, said in zip(talk.turns, words.turns, strict=True):
        results = msgspec.json.encode(turn.calls).decode().replace("_", " ")
        lists = [call.result for call in turn.calls if isinstance(call.result, list)]
        counts = " ".join(str(len(rows)) for rows in lists)
        sources += [turn.user, turn.about, counts, results]
        yield Statement(said.assistant, tuple(sources))


def _written_text(step_input: TalkInput, turns: list[SpokenTurn]) -> Written:
    talk = step_input.talk
    spoken = Spoken(talk.task_id, talk.suite, tuple(turns), step_input.persona, talk.rules)
    return Written(turns[0].user, msgspec.json.encode(spoken).decode())


STEP = TaskDialogueStep()
