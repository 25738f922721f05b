"""Write the replies of an assistant after its tool calls, without a model."""

import datetime
import re

import msgspec

from benchloom.core.identity import pick
from prompts.inputs.tasks import AGREEMENT, UNCHANGED, TaskTalk

_DONE = ("Done.", "That is done.", "All right, done.", "It is done.")
_ASKS = ("Which {}?", "Sure. Which {}?", "All right. Which {} do you mean?")
_ASKS_FOR = ("What should the {} be?", "Sure. What should the {} be?", "What {} would you like?")
_REFUSES = ("That did not work: {}.", "I am afraid that is not possible: {}.", "Sorry, {}.")
_NAMES = {
    "due": "day and time",
    "email": "person",
    "contact": "person",
    "payee account": "person",
    "query": "name",
    "thread": "chat",
}
_THINGS = frozenset(
    {"date", "due", "kind", "label", "name", "phone", "query", "text", "time", "title"}
)
_CENTS = re.compile(r"(\d+) cents\b")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?$")


def assistant_words(talk: TaskTalk, number: int) -> str:
    """Return what the assistant says after turn `number` of a conversation."""
    turn = talk.turns[number]
    if turn.duty == "answer":
        return _answer(msgspec.json.decode(turn.about), turn.field)
    if turn.duty == "ask" and turn.about.startswith(AGREEMENT):
        return f"Shall I go ahead? Please say {turn.about.removeprefix(AGREEMENT).strip()} if so."
    if turn.about in talk.rules:
        return f'I may not do that. The rule is: "{turn.about}"'
    if turn.about == UNCHANGED:
        return f"All right, {UNCHANGED}."
    asks = _ASKS_FOR if turn.about in _THINGS else _ASKS
    choices = {"confirm": _DONE, "refuse": _REFUSES, "ask": asks}[turn.duty]
    words = choices[pick(0, number, talk.task_id, len(choices))]
    about = _CENTS.sub(lambda match: _crowns(int(match[1])), turn.about)
    return words.format(_NAMES.get(about, about).rstrip("."))


def _answer(value: object, field: str) -> str:
    """Return an answer as a sentence; a text only gets a full stop."""
    if isinstance(value, bool):
        return "Yes." if value else "No."
    if isinstance(value, str) and _MOMENT.match(value):
        moment = datetime.datetime.fromisoformat(value)
        day = f"{moment.day} {moment:%B}"
        return f"{day} at {moment:%H:%M}." if "T" in value else f"{day}."
    values = value if isinstance(value, list) else [value]
    texts = [_value_text(part, field) for part in values]
    each = len(texts) > 1 and field.endswith("_cents") and len(set(texts)) == 1
    text = f"{texts[0]} each" if each else ", ".join(texts)
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _value_text(value: object, field: str) -> str:
    if isinstance(value, int) and field.endswith("_cents"):
        return _crowns(value)
    if isinstance(value, dict):
        return str(next((value[name] for name in ("name", "title") if name in value), "one"))
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return str(value)


def _crowns(cents: int) -> str:
    """Format an amount of cents as crowns, the currency of the simulated worlds."""
    return f"{cents / 100:g} crowns" if cents % 100 == 0 else f"{cents / 100:.2f} crowns"
