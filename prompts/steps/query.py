"""The step that writes a natural English request that a person could make for a shortcut."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from benchloom.core.records import Rejected
from prompts.inputs.late_shortcuts import LateShortcut, late_shortcuts
from prompts.inputs.shortcuts import ApiText, ShortcutInput
from prompts.language.words import plain, title_words
from prompts.steps import Case, LateCase, Sampling, Step, Written, prompt
from prompts.styles import style_of
from prompts.subject import Subject, Value
from prompts.talks import Asker, Conversation, ask
from prompts.templates.requests import write_query

RULES = """
You read a description of an automation that somebody shared, and imagine the person who needs it.
Write down what that person would say to an assistant to have the whole thing done once.
- English, first person, one to three flowing sentences, specific.
- Speak about the result the person is after. Leave the way to it to the assistant: no sequence of
  operations, no lists, no names of actions, variables or parameters.
- "workflow" has one line per action; [output: ...] and [result of line 3: ...] are what an earlier
  line gave, [variable: ...] a value kept for later, [needs input: ...] what only the person or the
  device can tell. A line that names no input goes on with what the line before it gave.
- Work in every entry of "must_mention", each for what its "what" says, so that a reader could
  recover the exact value. Numbers, units and dates are written the way people say them; "also" are
  other ways to say the value.
- Conditions that decide what happens ("if the battery is below 20 percent") belong to the request.
- Where the automation asks its user for something, let the person say that they will provide it.
- Do not mention that a shortcut or automation exists, and add no facts that the data lacks.
"""


class Mention(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A value that a request must state: what it means for a person, and other words for it."""

    what: str
    value: str
    also: tuple[str, ...] = ()


class PromptData(msgspec.Struct, frozen=True):
    """The data block of a prompt about a shortcut; prompts for requests set `must_mention`."""

    name: str
    store_description: str
    author_comments: tuple[str, ...]
    apis: tuple[ApiText, ...]
    workflow: str
    must_mention: tuple[Mention, ...] | msgspec.UnsetType = msgspec.UNSET


class LiteralDecision(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An entry of `queries.structured`: a literal value, and whether the request must state it.

    `reason` says why. `value` is empty if no request states it.
    """

    action_index: int
    parameter: str
    say: str
    reason: str
    label: str
    value: str = ""


class QueryReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply: the request, and nothing else."""

    query: str


class QueryStep(Step[ShortcutInput]):
    """A step that writes requests for shortcuts of 1 to 30 actions that run no other shortcut."""

    name = "query"
    version = "4"
    reads = ("shortcuts",)
    kind = "query"
    max_tokens = 300
    expected_tokens_out = 45

    def cases(self, folder: Path, sampling: Sampling) -> Iterator[Case[ShortcutInput] | Rejected]:
        """Yield a case for each shortcut that a request can be written for."""
        for shortcut in late_shortcuts(folder):
            if isinstance(shortcut, Rejected):
                yield shortcut
            else:
                input_digest = shortcut.input_digest + str(sampling.seed).encode()
                make = partial(_with_style, shortcut, sampling.seed)
                yield LateCase(shortcut.shortcut_id, shortcut.source_uri, input_digest, make)

    def converse(self, step_input: ShortcutInput, asker: Asker) -> Conversation[Written]:
        """Ask the model for one request."""
        data = prompt_data(step_input, mentions(step_input.required))
        messages = prompt(self.name, RULES, data, step_input.style)
        reply = yield from ask(asker, messages, QueryReply, self.max_tokens)
        return _written_text(reply.query.strip(), step_input)

    def template(self, step_input: ShortcutInput) -> Written | None:
        """Return a request built from phrases for the actions and the values to be stated."""
        text = write_query(step_input)
        return None if text is None else _written_text(text, step_input)

    def subject(self, query_id: str, step_input: ShortcutInput, written: Written) -> Subject:
        """Return the text with its required values, and with the texts that it must not copy."""
        return Subject(
            query_id,
            self.kind,
            written.text,
            required=step_input.required,
            prompt=RULES,
            sources=step_input.sources,
            technical=step_input.technical,
            descriptions=step_input.descriptions,
            style=step_input.style.name,
        )


def prompt_data(
    step_input: ShortcutInput, must_mention: tuple[Mention, ...] | msgspec.UnsetType = msgspec.UNSET
) -> PromptData:
    """Return the data block of a prompt about a shortcut."""
    return PromptData(
        step_input.name,
        step_input.description,
        step_input.comments,
        step_input.apis,
        step_input.workflow,
        must_mention,
    )


def _with_style(shortcut: LateShortcut, seed: int) -> ShortcutInput:
    return msgspec.structs.replace(shortcut.make(), style=style_of(shortcut.shortcut_id, seed))


def mentions(values: Iterable[Value]) -> tuple[Mention, ...]:
    """Return values in the form of the prompt; other words that repeat the value are left out."""
    return tuple(
        Mention(
            value.label or title_words(value.name),
            value.value,
            tuple(title for title in value.titles if plain(title) != plain(value.value)),
        )
        for value in values
    )


def _written_text(text: str, step_input: ShortcutInput) -> Written:
    literals = [
        LiteralDecision(
            decision.action_index,
            decision.parameter,
            decision.say,
            decision.reason,
            decision.label,
            "" if decision.say == "never" else decision.value,
        )
        for decision in step_input.decisions
    ]
    structured = msgspec.json.encode(literals).decode() if literals else None
    return Written(text, structured, style=step_input.style.name or None)


STEP = QueryStep()
