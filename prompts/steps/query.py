"""One natural English request that a person could make for a shortcut."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.records import Rejected
from prompts.inputs.shortcuts import ApiText, ShortcutInput, read_shortcuts
from prompts.steps.base import Case, Sample, Sampling, Step, Written, prompt
from prompts.styles import style_of
from prompts.subject import Subject, Value
from prompts.talks.conversation import Asker, Conversation, ask
from prompts.templates.writer import write_query

RULES = """
You read a description of an automation that somebody shared, and imagine the person who needs it.
Write down what that person would say to an assistant to have the whole thing done once.
- English, first person, one to three flowing sentences, friendly and specific.
- Speak about the result the person is after. Leave the way to it to the assistant: no sequence of
  operations, no lists, no names of actions, variables or parameters.
- Work in every entry of "must_mention" so that a reader could recover the exact value. Numbers
  and dates may be written the way people say them.
- Where the automation asks its user for something, let the person say that they will provide it.
- Do not mention that a shortcut or automation exists, and add no facts that the data lacks.
"""


class Shown(msgspec.Struct, frozen=True):
    """The data block of a query prompt."""

    name: str
    store_description: str
    author_comments: tuple[str, ...]
    workflow: str
    apis: tuple[ApiText, ...]
    must_mention: tuple[Value, ...]


class QueryReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply: the request, and nothing else."""

    query: str


class QueryStep(Step[ShortcutInput]):
    """Requests for shortcuts of length 1 to 30 that run no other shortcut."""

    name = "query"
    version = "3"
    reads = ("shortcuts",)
    kind = "query"
    max_tokens = 300
    expected_tokens_out = 45

    def cases(self, folder: Path, sampling: Sampling) -> Iterator[Case[ShortcutInput] | Rejected]:
        """Every eligible shortcut."""
        for row, given in read_shortcuts(folder):
            if isinstance(given, Rejected):
                yield given
            else:
                style = style_of(row.shortcut_id, sampling.seed)
                styled = msgspec.structs.replace(given, style=style)
                yield Case(row.shortcut_id, row.source_uri, styled)

    def converse(self, given: ShortcutInput, asker: Asker) -> Conversation[Written]:
        """Ask for one request."""
        shown = Shown(
            name=given.name,
            store_description=given.description,
            author_comments=given.comments,
            workflow=given.workflow,
            apis=given.apis,
            must_mention=given.required,
        )
        messages = prompt(self.name, RULES, shown, given.style)
        reply = yield from ask(asker, messages, QueryReply, self.max_tokens)
        return Written(reply.query.strip(), style=_named(given))

    def template(self, given: ShortcutInput) -> Written:
        """A request made of the name and what the actions do."""
        return Written(write_query(given), style=_named(given))

    def subject(self, query_id: str, given: ShortcutInput, written: Written) -> Subject:
        """Required literals, the prompt, and the strangers' texts."""
        return Subject(
            query_id,
            self.kind,
            written.text,
            required=given.required,
            prompt=RULES,
            sources=(given.description, *given.comments),
        )

    def sample(self) -> Sample[ShortcutInput]:
        """A tea timer."""
        given = ShortcutInput(
            name="Tea time",
            description="Reminds me to take the leaves out of the pot",
            comments=("green tea needs three minutes",),
            workflow='timer.start(WFDuration=180)\nnotification(WFNotificationActionTitle="Tea")',
            apis=(ApiText("timer.start", "Start Timer", "Starts a countdown."),),
            required=(Value("180", "WFDuration"), Value("Tea", "WFNotificationActionTitle")),
            called=("timer.start", "notification"),
        )
        text = (
            "Could you count down 180 seconds for me and pop up a note saying Tea when it is over?"
        )
        return Sample(given, (msgspec.json.encode(QueryReply(text)).decode(),), given.description)


def _named(given: ShortcutInput) -> str | None:
    return given.style.name if given.style is not None else None


STEP = QueryStep()
