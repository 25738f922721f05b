"""Check `says` on real utterances, against the values that annotators marked in them."""

import collections
import re
import zipfile
from collections.abc import Iterator

import msgspec
import pytest

from prompts.language.statements import says
from prompts.subject import Value
from tests.support.shared_data import shared_file

pytestmark = pytest.mark.real_data
FILES = ("test/dialogues_004.json", "test/dialogues_018.json", "dev/dialogues_004.json")
LEAST_RECALL = {"date": 0.97, "time": 0.99, "number": 0.97, "name": 0.97}
MOST_FALSE = 0.02
_RELATIVE = re.compile(r"today|tomorrow", re.IGNORECASE)


class _Span(msgspec.Struct):
    slot: str
    start: int = -1
    exclusive_end: int = -1


class _Act(msgspec.Struct):
    act: str
    slot: str
    canonical_values: list[str] = []


class _Frame(msgspec.Struct):
    actions: list[_Act] = []
    slots: list[_Span] = []


class _Turn(msgspec.Struct):
    speaker: str
    utterance: str
    frames: list[_Frame]


class _Dialogue(msgspec.Struct):
    turns: list[_Turn]


def user_spans() -> Iterator[tuple[str, str, str, str]]:
    """Yield the utterance, slot, canonical value and words of each span that a user said."""
    with zipfile.ZipFile(shared_file("sgd.zip")) as archive:
        for file in FILES:
            data = archive.read(f"dstc8-schema-guided-dialogue/{file}")
            for dialogue in msgspec.json.decode(data, type=list[_Dialogue]):
                for turn in dialogue.turns:
                    for frame in turn.frames if turn.speaker == "USER" else ():
                        spans = {span.slot: span for span in frame.slots if span.start >= 0}
                        for act in frame.actions:
                            if act.slot in spans and len(act.canonical_values) == 1:
                                span = spans[act.slot]
                                words = turn.utterance[span.start : span.exclusive_end]
                                yield turn.utterance, act.slot, act.canonical_values[0], words


def kind_of(value: str, words: str) -> str | None:
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        # Relative words are no date, since the day on which the text was written is unknown.
        return None if _RELATIVE.search(words) else "date"
    if re.fullmatch(r"\d{1,2}:\d\d", value):
        return "time"
    if value.isdigit():
        return "number"
    # Without shared words ("pizza and pasta" for Italian), only titles could reveal the name.
    shared = set(re.findall(r"\w+", value.lower())) & set(re.findall(r"\w+", words.lower()))
    return "name" if shared else None


def test_spans_of_users_state_their_values_and_no_others() -> None:
    rows = sorted(set(user_spans()))
    others = collections.defaultdict(list)
    for _, slot, value, _ in rows:
        others[slot].append(value)
    counts: collections.Counter[str] = collections.Counter()
    for number, (text, slot, value, words) in enumerate(rows):
        kind = kind_of(value, words)
        if kind is None:
            continue
        counts[kind] += 1
        counts[f"{kind} said"] += says(text, Value(value, slot))
        other = others[slot][number * 7919 % len(others[slot])]
        if other != value and other.casefold() not in text.casefold():
            counts[f"{kind} other"] += 1
            counts[f"{kind} wrong"] += says(text, Value(other, slot))
    assert counts["date"] > 100
    assert counts["name"] > 400
    for kind, least in LEAST_RECALL.items():
        assert counts[f"{kind} said"] >= least * counts[kind], (kind, counts)
        assert counts[f"{kind} wrong"] <= MOST_FALSE * counts[f"{kind} other"] + 1, (
            kind,
            counts,
        )
