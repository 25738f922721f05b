"""Check that replies of agents are judged as people labelled them."""

import random
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

import msgspec
import pytest

from benchloom.core.records.values import Plain
from benchloom.worlds.answers import Question, fault_in, records_at
from tests.benchloom.worlds.answers.labelled_replies import NOW, LabelledReply, read_replies
from tests.support.shared_data import shared_file
from tests.support.soak import samples

MIN_RIGHT = 0.97


def misjudged_replies(cases: list[LabelledReply]) -> list[str]:
    """Return the replies whose verdict differs from their label."""
    return [case.reply for case in cases if bool(fault_in(case.question, case.reply)) is case.right]


@pytest.mark.parametrize(
    ("name", "min_right"),
    [
        ("third_set.txt", MIN_RIGHT),
        ("fifth_set.txt", MIN_RIGHT),
        ("sixth_set.txt", MIN_RIGHT),
        ("seventh_first_half.txt", MIN_RIGHT),
        ("seventh_second_half.txt", 0.95),
        ("eighth_set.txt", 0.95),
        ("ninth_set.txt", 0.88),
        ("tenth_set.txt", 0.95),
        ("eleventh_set.txt", 0.98),
        ("fifteenth_set.txt", 0.98),
        ("sixteenth_set.txt", MIN_RIGHT),
        ("seventeenth_set.txt", MIN_RIGHT),
        ("eighteenth_set.txt", 0.98),
        ("nineteenth_set.txt", 0.98),
        ("twentieth_set.txt", 0.98),
        ("twentyfirst_set.txt", 0.96),
        ("twentysecond_set.txt", 0.99),
        ("twentythird_set.txt", 0.96),
        ("twentyfourth_set.txt", 0.96),
        ("twentyfifth_set.txt", 0.99),
        ("twentysixth_set.txt", 0.98),
        ("variants.txt", MIN_RIGHT),
        ("kinds.txt", 1),
    ],
)
def test_labelled_replies_are_judged_correctly(name: str, min_right: float) -> None:
    cases = read_replies(name)
    assert len(cases) >= 40
    wrong = misjudged_replies(cases)
    assert len(wrong) <= (1 - min_right) * len(cases), wrong


def test_result_without_the_answer_path_has_no_records() -> None:
    ferries: list[Plain] = [{"arrives": "10:40"}, {"arrives": "11:05"}]
    assert records_at(ferries, (1, "arrives")) == (ferries[1], ferries[0])
    assert records_at([], (0, "arrives")) == records_at({}, ("ferry", "arrives")) == ()


QUESTION = Question(
    turns=("Book the noodles place. Then check how many seats are left on the ferry.",),
    field="free_seats",
    answer=9,
    now=NOW,
)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "not said"),
        ("There are not 9 seats.", "not affirmed"),
        ("It is not 9.", "not affirmed"),
        ("Seats: " + ", ".join(map(str, range(41))), "the reply states other values as well"),
        ("Seats: " + ", ".join(map(str, range(400))), "the reply is a list of guesses"),
        ("Perhaps 9 seats.", "not affirmed"),
        ("There are 9 cabins.", "not said"),
        ("More than 9 seats.", "not affirmed"),
        ("9 seats, sorry, 8 seats.", "corrected"),
        ("9 seats are taken.", "only the opposite is stated"),
        ("The place with 9 seats is another one.", "the value is about something else"),
        ("I found no ferry. The train has 9 seats.", "the reply says that the answer is unknown"),
    ],
)
def test_wrong_reply_has_a_reason(reply: str, reason: str) -> None:
    assert fault_in(QUESTION, reply) == reason


def test_answer_encoded_as_json_is_right() -> None:
    for answer in (9, [1067, 1066], {"a": [True, None]}, "Can it be? No, it is not."):
        question = msgspec.structs.replace(QUESTION, answer=answer)
        assert not fault_in(question, msgspec.json.encode(answer).decode())


_LENGTH = samples(1_000, 2_000)
HOSTILE = {
    "digits": "9" * _LENGTH,
    "other digits": "\u0664\u0663 " * _LENGTH,
    "slashes": "120/80/" * _LENGTH,
    "dashes": "9 \u2014 " * _LENGTH,
    "numbers": "9 " * _LENGTH,
    "words": "one hundred and " * _LENGTH,
    "marks": "*_`[(" * _LENGTH,
    "links": "[a](b" * _LENGTH,
    "negations": "is it not " * _LENGTH,
    "names": "Ada B. or " * _LENGTH,
    "days": "monday, march 18 " * _LENGTH,
    "times": "15:30 " * _LENGTH,
    "telephones": "+9 9 9 " * _LENGTH,
    "surrogate": "\ud800 9",
    "nothing": "\0",
    "declines": "I found no kettle " * _LENGTH,
    "quotations": '"A" "b" ' * _LENGTH,
    "measures": "3 days 4 hours 5 minutes " * _LENGTH,
    "long letters": "\u0130" * _LENGTH,
}
ANSWERS: tuple[Plain, ...] = (
    4380,
    1.5e300,
    "2027-03-18T15:30",
    "2027-02-30",
    "+99955306001",
    "Tuesday",
    "...",
    "",
    True,
    [],
    {"a": {"b": [1, 2]}},
    [{"name": "Ada B", "person_id": "p1"}],
)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_reply_is_never_a_right_answer(name: str) -> None:
    for answer in ANSWERS:
        question = Question(
            turns=("Tell me what the kettle costs.",), field="price_cents", answer=answer, now=NOW
        )
        if answer not in ("", []):
            assert fault_in(question, HOSTILE[name])


_NUMBERS_TEXT = """
    wind humidity ride_fare total_price approximate_ride_duration price_per_day price_per_ticket
    price_per_night wait_time passengers number_of_tickets transfers number_checked_bags price
    number_stops transfer_time"""
_NUMBERS = frozenset(_NUMBERS_TEXT.split())


class _Action(msgspec.Struct):
    act: str
    slot: str
    canonical_values: list[str]


class _Frame(msgspec.Struct):
    actions: list[_Action]


class _Turn(msgspec.Struct):
    speaker: str
    utterance: str
    frames: list[_Frame]


class _Dialogue(msgspec.Struct):
    turns: list[_Turn]


class _Exchange(msgspec.Struct):
    slot: str
    request: str
    value: str
    reply: str


def _recorded_exchanges() -> Iterator[_Exchange]:
    """Yield each exchange in which a user asks for one slot and gets only its value."""
    with zipfile.ZipFile(shared_file("sgd.zip")) as archive:
        for name in archive.namelist():
            if "/dialogues_" in name:
                for dialogue in msgspec.json.decode(archive.read(name), type=list[_Dialogue]):
                    for user_turn, system_turn in pairwise(dialogue.turns):
                        yield from _exchanges_of_turns(user_turn, system_turn)


def _exchanges_of_turns(user_turn: _Turn, system_turn: _Turn) -> Iterator[_Exchange]:
    """Yield an exchange if a user turn asks for one slot and the next turn gives only its value."""
    requested_slots = {action.slot for action in _actions(user_turn) if action.act == "REQUEST"}
    reply_actions = _actions(system_turn)
    if user_turn.speaker == "USER" and len(requested_slots) == len(reply_actions) == 1:
        action = reply_actions[0]
        if (
            action.act == "INFORM"
            and action.slot in requested_slots
            and len(action.canonical_values) == 1
        ):
            value = action.canonical_values[0]
            yield _Exchange(action.slot, user_turn.utterance, value, system_turn.utterance)


def _actions(turn: _Turn) -> list[_Action]:
    return [action for frame in turn.frames for action in frame.actions]


def _question(exchange: _Exchange) -> Question:
    is_number = exchange.slot in _NUMBERS and exchange.value[0].isdigit()
    return Question(
        turns=(exchange.request,),
        field=exchange.slot,
        answer=float(exchange.value) if is_number else exchange.value,
        now="2019-03-01T09:00:00+00:00",
    )


@pytest.mark.real_data
def test_recorded_reply_is_right_only_for_its_question() -> None:
    by_slot: dict[str, list[_Exchange]] = defaultdict(list)
    for exchange in _recorded_exchanges():
        by_slot[exchange.slot].append(exchange)
    rng = random.Random(1)
    cases = []
    for exchanges in by_slot.values():
        for exchange in exchanges:
            question = _question(exchange)
            cases.append(LabelledReply(question, exchange.reply, right=True))
            other = rng.choice(exchanges)
            value, other_value = exchange.value.lower(), other.value.lower()
            if value not in other_value and other_value not in value:
                cases.append(LabelledReply(question, other.reply, right=False))
    assert len(cases) > 3000
    assert len(misjudged_replies(cases)) <= (1 - MIN_RIGHT) * len(cases)
