"""The step in which a model decides which values in a shortcut its request states or implies."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from benchloom.core.records import Rejected
from prompts.columns import QueryRow, dropped, read_queries
from prompts.data_block import clean_text
from prompts.errors import ReplyError
from prompts.inputs.late_shortcuts import late_shortcuts
from prompts.inputs.shortcuts import ApiText
from prompts.language.value_texts.decisions import Decision
from prompts.language.words import plain
from prompts.steps import Case, Sampling, Step, Written, prompt
from prompts.steps.query import mentions
from prompts.subject import Subject, Value
from prompts.talks import Asker, Conversation, ask

MAX_PARAMETERS = 80
MAX_LINE = 200
RULES = """
You compare what a person asked for with the fixed values inside the automation that answers it.
"apis" says what its actions do; an entry's "action" is the line that holds the value, the same as
that of the entry before where there is none.
For each entry of "parameters" decide how the request relates to its value. Give the entry's
number, as "evidence" the exact words of the request that decide it, copied letter by letter (empty
for "absent"), and then the "relation":
- "stated": the request says the value, in whatever form;
- "implied": the request leaves no other value possible without saying it;
- "absent": anything else, including values that are merely likely.
Judge every entry once, in the given order.
"""


class ParameterData(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A literal value in the prompt: what it means, the value, and other words for it.

    `action` is the line of its action; it is omitted if the previous entry has the same action.
    """

    number: int
    what: str
    value: str
    also: tuple[str, ...] = ()
    action: str = ""


class PromptData(msgspec.Struct, frozen=True):
    """The data block of the prompt: a request, and the values in its shortcut."""

    request: str
    apis: tuple[ApiText, ...]
    parameters: tuple[ParameterData, ...]


class ParametersInput(msgspec.Struct, frozen=True):
    """A request, the literal values of its shortcut that people might say, and the APIs' texts.

    A reply names each value by its position. `lines` maps the index of each action to its line of
    the workflow.
    """

    request: str
    parameters: tuple[Decision, ...]
    apis: tuple[ApiText, ...] = ()
    lines: Mapping[int, str] = {}


class Judged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply about one parameter."""

    number: int
    evidence: str
    relation: Literal["stated", "implied", "absent"]


class ParametersReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply about all parameters."""

    parameters: tuple[Judged, ...]


class StatedParameter(msgspec.Struct, frozen=True):
    """An entry of the column `queries.structured`: a value, and whether the request states it."""

    action_index: int
    api: str
    parameter: str
    value: str
    relation: str
    evidence: str


class ParametersStep(Step[ParametersInput]):
    """A step that judges which values of a shortcut the request for the shortcut states."""

    name = "parameters"
    version = "3"
    reads = ("shortcuts", "queries")
    kind = "parameters"
    max_tokens = 3_000
    expected_tokens_out = 180

    def cases(self, folder: Path, sampling: Sampling) -> Iterator[Case[ParametersInput] | Rejected]:
        """Yield a case for each shortcut that has a request."""
        texts = {
            row.target_id: row
            for row in read_queries(folder, every_text=True)
            if isinstance(row, QueryRow) and row.kind == "query"
        }
        for shortcut in late_shortcuts(folder):
            if isinstance(shortcut, Rejected):
                yield shortcut
                continue
            text = texts.get(shortcut.shortcut_id)
            if text is None:
                yield Rejected(
                    "generate", shortcut.source_uri, "no_query", "no query to compare with"
                )
                continue
            if not (text.kept or sampling.every_text):
                yield dropped(text)
                continue
            step_input = shortcut.make()
            judged = [entry for entry in step_input.decisions if entry.say != "never"]
            # If one reply cannot contain everything, required values come first.
            judged.sort(key=lambda entry: entry.say != "say")
            lines = {deed.action_index: deed.line for deed in step_input.deeds}
            parameters = tuple(judged[:MAX_PARAMETERS])
            yield Case(
                shortcut.shortcut_id,
                shortcut.source_uri,
                ParametersInput(text.text, parameters, step_input.apis, lines),
            )

    def converse(self, step_input: ParametersInput, asker: Asker) -> Conversation[Written]:
        """Ask about all values in one request, and reject quotes that are not in the text."""
        if not step_input.parameters:
            return Written(step_input.request, "[]")
        messages = prompt(self.name, RULES, _prompt_data(step_input))
        reply = yield from ask(asker, messages, ParametersReply, self.max_tokens)
        parameters = step_input.parameters
        if sorted(entry.number for entry in reply.parameters) != list(range(len(parameters))):
            raise ReplyError(
                "wrong_parameters", "the reply does not judge every parameter exactly once"
            )
        stated = [
            _stated_parameter(parameters[entry.number], entry, step_input.request)
            for entry in sorted(reply.parameters, key=lambda judged: judged.number)
            if entry.relation != "absent"
        ]
        return Written(step_input.request, msgspec.json.encode(stated).decode())

    def subject(self, query_id: str, step_input: ParametersInput, written: Written) -> Subject:
        """Return the request for the checks of the judge's decisions.

        Values that are judged as stated are `required`, and values that are judged as absent are
        `hidden`.
        """
        judged = msgspec.json.decode(written.structured or "[]", type=tuple[StatedParameter, ...])
        quotes = {
            (entry.action_index, entry.parameter, entry.value): (entry.relation, entry.evidence)
            for entry in judged
        }
        values = [
            (
                *quotes.get((entry.action_index, entry.parameter, entry.value), ("absent", "")),
                entry,
            )
            for entry in step_input.parameters
        ]
        return Subject(
            query_id,
            self.kind,
            written.text,
            required=tuple(
                # Every name that the prompt shows.
                Value(entry.value, entry.parameter, entry.titles, entry.label, quote=quote)
                for relation, quote, entry in values
                if relation == "stated"
            ),
            hidden=tuple(
                Value(entry.value, entry.parameter, entry.titles, entry.label)
                for relation, _, entry in values
                if relation == "absent"
            ),
        )


def _prompt_data(step_input: ParametersInput) -> PromptData:
    parameter_blocks: list[ParameterData] = []
    before = ""
    mentioned = mentions(entry.as_value() for entry in step_input.parameters)
    for number, (entry, mention) in enumerate(zip(step_input.parameters, mentioned, strict=True)):
        line = clean_text(step_input.lines.get(entry.action_index, ""), MAX_LINE)
        action = line if line != before else ""
        data = ParameterData(number, mention.what, mention.value, mention.also, action)
        parameter_blocks.append(data)
        before = line
    return PromptData(step_input.request, step_input.apis, tuple(parameter_blocks))


def _stated_parameter(literal: Decision, judged: Judged, request: str) -> StatedParameter:
    """Return the entry for one value, after checking that the judge's quote is in the request.

    Raises:
        ReplyError: invented_evidence.
    """
    quote = plain(judged.evidence)
    if not quote or quote not in plain(request):
        raise ReplyError(
            "invented_evidence", f"{literal.parameter}: the quote is not in the request"
        )
    return StatedParameter(
        literal.action_index,
        literal.api,
        literal.parameter,
        literal.value,
        judged.relation,
        judged.evidence,
    )


STEP = ParametersStep()
