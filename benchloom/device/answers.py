"""Supply a run with answers of the user, the web and other apps, from a file or simulated."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from benchloom.core.records import Shortcut
from benchloom.device.errors import AnswersError
from benchloom.device.items import (
    AppItem,
    Contact,
    Content,
    File,
    Item,
    Location,
    MadeAnswer,
    RichText,
    Url,
    spread,
)
from benchloom.worlds.everyday.rules import drawn

# msgspec.convert accepts each of these types; they have no common base class.
_TYPES: dict[str, Any] = {"$file": File, "$contact": Contact, "$location": Location}
_OF_TEXT: dict[str, Callable[[str], Item]] = {
    "$date": datetime.fromisoformat,
    "$made": lambda text: MadeAnswer(tuple(text.split("/"))),
    "$url": Url,
    "$html": RichText,
}
_MAX_NESTED = 60
ITSELF = "itself"
"""The name of an unnamed shortcut that runs itself, in keys of the form `NAME/NUMBER`."""


class AnswersFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of answers, which maps the number of each step to the answers in their order.

    The last answer of a step is repeated. The key `NAME/NUMBER` is a step of the nested shortcut
    NAME. The answer to a menu is the text of an entry, its position from 0, or a list of several
    entries. `clipboard` is the text in the clipboard at the start, and `now` is the clock as an ISO
    8601 time with a zone.
    """

    answers: dict[str, list[Any]] = {}
    clipboard: str | None = None
    now: str | None = None


class _Thing(msgspec.Struct):
    kind: str
    name: str
    properties: dict[str, object] = {}
    row_id: str = ""


def read_answers(data: bytes) -> AnswersFile:
    """Read a file of answers; the run checks whether its steps exist.

    Raises:
        AnswersError: the data are not a file of answers.
    """
    try:
        answers = msgspec.json.decode(data, type=AnswersFile)
        if answers.now is not None and datetime.fromisoformat(answers.now).tzinfo is None:
            raise AnswersError(
                f"answers: 'now' has no time zone ({answers.now}); add an offset such as +01:00"
            )
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise AnswersError(
            f'answers: {error}. Write {{"answers": {{"STEP": [ANSWER, ...]}}}}'
        ) from error
    return answers


def unknown_steps(
    answers: AnswersFile, shortcut: Shortcut, others: Mapping[str, Shortcut]
) -> list[str]:
    """Return the keys in a file of answers that match no step, not even of nested shortcuts."""
    steps = {str(action.index) for action in shortcut.actions}
    for name, nested in (*others.items(), (shortcut.name or ITSELF, shortcut)):
        steps |= {f"{name}/{action.index}" for action in nested.actions}
    return sorted(set(answers.answers) - steps)


def from_plain(value: object, depth: int = 0) -> Item:
    """Convert JSON to an item; for example, `{"$date": "2027-03-15"}` becomes a date.

    Raises:
        AnswersError: the value of a key such as `$date` is not valid, or values are nested too
            deeply.
    """
    if depth > _MAX_NESTED:
        raise AnswersError(f"answers: values are nested more than {_MAX_NESTED} levels deep")
    if isinstance(value, list):
        return [from_plain(entry, depth + 1) for entry in value]
    if not isinstance(value, dict):
        return value if isinstance(value, str | bool | int | float) else None
    if len(value) == 1:
        ((name, inner),) = value.items()
        try:
            if name in _TYPES:
                item: Item = msgspec.convert(inner, _TYPES[name])
                return item
            if name in _OF_TEXT:
                return _OF_TEXT[name](str(inner))
            if name == "$thing":
                thing = msgspec.convert(inner, _Thing)
                properties = {
                    key: from_plain(entry, depth + 1) for key, entry in thing.properties.items()
                }
                return AppItem(thing.kind, thing.name, properties, thing.row_id)
        except (msgspec.ValidationError, ValueError) as error:
            raise AnswersError(f"answers: {name}: {error}") from error
    return {str(key): from_plain(entry, depth + 1) for key, entry in value.items()}


class Question(msgspec.Struct, frozen=True):
    """A question that a step of a run asked, with its choices, and the answer as text.

    `made` is true for a simulated answer. `shortcut` is the name of the nested shortcut that asked,
    or "" for the main shortcut.
    """

    step: int
    identifier: str
    prompt: str
    answer: str
    choices: tuple[str, ...] = ()
    made: bool = False
    shortcut: str = ""

    @property
    def key(self) -> str:
        """The key of this question in a file of answers."""
        return answer_key(self.shortcut, self.step)


def answer_key(shortcut: str, step: int) -> str:
    """Return the key of a step in a file of answers; `shortcut` is "" for the main shortcut."""
    return f"{shortcut}/{step}" if shortcut else str(step)


class Draws(msgspec.Struct, frozen=True):
    """Pseudo-random answers, which depend on `number`, a question's words and its repetitions.

    An answer is one of the `texts` or a text made from the question; if it is read as a number, it
    is one of the `numbers`. Neither `texts` nor `numbers` may be empty.
    """

    number: int
    numbers: tuple[int | float, ...]
    texts: tuple[str, ...]

    def answer(self, prompt: str, turn: int, choices: int) -> Content:
        """Return the answer to a question that was asked `turn` times before.

        `choices` is the number of choices, or 0 if the answer is not a choice.
        """
        parts = (str(self.number), prompt, str(turn))
        if choices:
            return (drawn(choices, *parts),)
        # Half of the answers contain the question, so that different questions get different ones.
        texts = (*self.texts, *[f"{prompt} {turn}"] * len(self.texts))
        text = texts[drawn(len(texts), "text", *parts)]
        return (MadeAnswer((text,), self.numbers[drawn(len(self.numbers), "number", *parts)]),)


class Answers:
    """The answers supplied to a run; they come from a file, are drawn, or are simulated."""

    def __init__(self, file: AnswersFile, draws: Draws | None = None) -> None:
        self._file, self._draws = file, draws
        self._turns: dict[tuple[str, int | str], int] = {}

    def next(self, name: str, step: int, prompt: str, choices: int = 0) -> tuple[Content, bool]:
        """Return the next answer of a step, and whether it is simulated.

        The last answer of a step in the file is repeated. Simulated answers are the first choice,
        then the second, and so on, so that a menu in a loop ends.
        """
        question = (name, step if self._draws is None else prompt)
        turn = self._turns.get(question, 0)
        self._turns[question] = turn + 1
        if self._draws is not None:
            return self._draws.answer(prompt, turn, choices), False
        answer = self._file.answers.get(answer_key(name, step))
        if answer:
            return spread(from_plain(answer[min(turn, len(answer) - 1)])), False
        if choices:
            return (turn % choices,), True
        return (MadeAnswer((f"answer {step}",)),), True
