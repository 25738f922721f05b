"""Read hand-labelled replies from `tests/data/worlds/replies`."""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.worlds.answers import Question

NOW = "2027-03-15T09:00:00+00:00"
REPLIES = Path(__file__).parents[3] / "data" / "worlds" / "replies"


class LabelledReply(msgspec.Struct, frozen=True):
    """A reply to a question with a label that says whether the reply is right."""

    question: Question
    reply: str
    right: bool


def read_replies(name: str) -> list[LabelledReply]:
    """Return the labelled replies of a file."""
    return list(_parse_replies((REPLIES / name).read_text(encoding="utf-8")))


def _parse_replies(text: str) -> Iterator[LabelledReply]:
    """Yield the labelled replies of a text; the first character of a line gives its kind."""
    request, now, records, question = "", NOW, "[]", None
    for line in text.splitlines():
        mark, rest = line[:2], line[2:]
        if mark == "? ":
            request, now, records = rest.replace("\\n", "\n"), NOW, "[]"
        elif mark == "@ ":
            now = rest
        elif mark == "& ":
            records = rest
        elif mark == "= ":
            question = _parse_question(request, rest, now, records)
        elif mark in {"+ ", "- "}:
            assert question is not None
            yield LabelledReply(
                question, rest.replace("\\n", "\n").replace("\\t", "\t"), mark == "+ "
            )


def _parse_question(request: str, line: str, now: str, records: str) -> Question:
    """Return the question of a line that contains a field, an answer and arguments."""
    _, field, values = line.split(" ", 2)
    answer, end = json.JSONDecoder().raw_decode(values)
    arguments = json.loads(values[end:]) if values[end:].strip() else {}
    turns = tuple(request.split("\n"))
    return Question(
        turns=turns,
        field=field,
        answer=answer,
        arguments=arguments,
        records=tuple(json.loads(records)),
        now=now,
    )
