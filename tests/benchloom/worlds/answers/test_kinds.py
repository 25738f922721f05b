"""Kinds of right and wrong replies: each row is a question, its answer, and one reply of each."""

import pytest

from benchloom.core.records.values import Plain
from benchloom.worlds.answers import Question, fault_in, records_at
from tests.benchloom.worlds.answers.labelled import NOW

KINDS: dict[str, tuple[str, str, Plain, str, str]] = {
    "a place after a verb of travel": (
        "Tell me when the bus from Tolm to Riva on 19 March leaves.",
        "departs",
        "2027-03-19T14:00",
        "It leaves Tolm at 14:00.",
        "It leaves Riva at 14:00.",
    ),
    "the other group": (
        "Tell me how many people are in the group Rowers.",
        "members",
        14,
        "There are 11 people in Quiz and 14 in Rowers.",
        "There are 14 people in Quiz and 11 in Rowers.",
    ),
    "a concluded number": (
        "Tell me how many people are in the group Rowers.",
        "members",
        14,
        "Rowers has 13 people besides you, so 14.",
        "Rowers has 14 people besides you, so 15.",
    ),
    "a number of the request claimed as the answer": (
        "Tell me the mean of 12, 3 and 21.",
        "mean",
        12.0,
        "The mean of 12, 3 and 21 is 12.",
        "The mean of 12, 3 and 21 is 21.",
    ),
    "a rate beside the answer": (
        "Convert 8 pt to cup.",
        "amount",
        16.0,
        "16 (1 pt = 2 cups)",
        "8 pt are 4 cups (1 cup = 2 pt)",
    ),
    "a negated noun": (
        'Find me another word for "eager".',
        "word",
        "keen",
        'Instead of "eager" you can say "keen".',
        'Say "willing" instead of "keen".',
    ),
    "two names joined": (
        "Tell me in which town Ada Holm lives.",
        "city",
        "Riva",
        "Ada Holm lives in Riva, and her alarm is off.",
        "Ada Holm lives in Riva and Tolm.",
    ),
    "another verb": (
        "Tell me in which town Ada Holm lives.",
        "city",
        "Riva",
        "Ada Holm lives in Riva and works elsewhere.",
        "Ada Holm works in Riva.",
    ),
    "the opposite adjective": (
        "Is the lamp on?",
        "enabled",
        True,
        "It isn't off.",
        "It is off.",
    ),
    "another sentence beside a yes": (
        'Delete the note "Sea". Then tell me whether the note "Hill" is pinned.',
        "pinned",
        False,
        'The note "Sea" is deleted. "Hill" is not pinned.',
        'The note "Sea" is not there any more. "Hill" is pinned.',
    ),
    "a short weekend": (
        "Tell me which weekday 24 April is.",
        "weekday",
        "Saturday",
        "Sat.",
        "Sun.",
    ),
    "letters without accents": (
        "Tell me the French for water.",
        "text",
        "l'été",
        "It is l'ete.",
        "It is l'hiver.",
    ),
    "a column of a table": (
        "Tell me what the kettle costs.",
        "price_cents",
        4380,
        "| Article | Pieces | Price |\n|---|---|---|\n| Kettle | 30 | 43.80 |\n| Mug | 4 | 9.00 |",
        "| Article | Pieces | Price |\n|---|---|---|\n| Kettle | 30 | 9.00 |\n| Mug | 4 | 43.80 |",
    ),
    "an object of JSON": (
        "Tell me when the ferry on 19 March arrives.",
        "arrives",
        "2027-03-19T14:00",
        'Here:\n```json\n{"departure_time": "12:30", "arrival_time": "14:00"}\n```',
        'Here:\n```json\n{"departure_time": "14:00", "arrival_time": "15:30"}\n```',
    ),
    "a calculation before the answer": (
        "Tell me what the lamp and the mug cost together.",
        "total_cents",
        6196,
        "Lamps: 2 x 23.38 = 46.76\nMug: 15.20\nSum: 61.96",
        "Lamps: 2 x 30.98 = 61.96\nMug: 15.20\nSum: 77.16",
    ),
    "two days with two verbs": (
        "When is the reminder due?",
        "due",
        "2027-03-29",
        "You wrote it on 12 March, and it is due on 29 March.",
        "You wrote it on 29 March, and it is due on 12 April.",
    ),
    "a weekday behind its date": (
        "Tell me the date of the day 18 days after March 28.",
        "date",
        "2027-04-15",
        "It is April 15, 2027 — which is a Thursday.",
        "It is April 15, 2027 — which is a Friday.",
    ),
    "a dash that is no minus": (
        "Tell me how many notes are in the notebook Trips.",
        "notes",
        14,
        "14 — 3 of them are pinned.",
        "3 — 14 pages.",
    ),
    "working days beside all days": (
        "Tell me how many days there are from 1 April to May 8.",
        "days",
        37,
        "It's 37 days (27 of those are working days).",
        "It's 27 days (37 of those are working days).",
    ),
    "two places with two values": (
        "Tell me the balance of my Harbour account.",
        "balance_cents",
        123456,
        "There is 1,234.56 on your Harbour account, and 500.00 on the Attic account.",
        "There is 500.00 on your Harbour account, and 1,234.56 on the Attic account.",
    ),
    "advice behind the answer": (
        "How likely is rain in Riva on Sunday?",
        "rain_percent",
        35,
        "The chance of rain is 35 %, so an umbrella might be a good idea.",
        "The chance of rain might be 35 %, so an umbrella is a good idea.",
    ),
    "a request behind the question": (
        "When does the flight to Tolm arrive?\nFind me a flight to Riva.\nThat is all.",
        "outbound_arrival_time",
        "19:07",
        "The flight arrives in Tolm at 7:07 pm. To Riva there is one at 8 am.",
        "The flight leaves for Tolm at 7:07 pm. To Riva there is one at 8 am.",
    ),
    "the flight back": (
        "When do the flights arrive?",
        "inbound_arrival_time",
        "16:41",
        "The outbound flight arrives at 22:36, and the return flight at 16:41.",
        "The outbound flight arrives at 16:41, and the return flight at 22:36.",
    ),
    "a pair of numbers": (
        "What is my blood pressure?",
        "blood_pressure",
        [120, 80],
        "It was 120/80.",
        "It was 12/80.",
    ),
    "a later item of an order": (
        "Tell me what the next alarm is for.",
        "label",
        "Soup",
        "Next comes Soup, then Bread.",
        "Next comes Bread, then Soup.",
    ),
}


FERRIES: list[Plain] = [
    {
        "boat": "Sea Lark",
        "harbour": "Tern Quay",
        "leaves": "08:15",
        "arrives": "10:40",
        "seats": 30,
    },
    {
        "boat": "Old Tern",
        "harbour": "Long Pier",
        "leaves": "09:30",
        "arrives": "11:05",
        "seats": 12,
    },
]
RECORDS: dict[str, tuple[str, str, Plain, str, str]] = {
    "other fields of the object": (
        "arrives",
        "When does the ferry arrive?",
        "10:40",
        "Sea Lark leaves Tern Quay at 8:15 and arrives at 10:40. It has 30 seats.",
        "Sea Lark leaves Tern Quay at 10:40 and arrives at 8:15. It has 30 seats.",
    ),
    "another object beside it": (
        "arrives",
        "When does the ferry arrive?",
        "10:40",
        "1. Sea Lark: arrives at 10:40\n2. Old Tern: arrives at 11:05\n\nShall I book?",
        "1. Sea Lark: arrives at 11:05\n2. Old Tern: arrives at 10:40\n\nShall I book?",
    ),
    "labels of two fields": (
        "harbour",
        "Where does the ferry leave?",
        "Tern Quay",
        "Harbour: Tern Quay\nBoat: Sea Lark",
        "Harbour: Sea Lark\nBoat: Tern Quay",
    ),
    "the name of the object": (
        "harbour",
        "Where does the ferry leave?",
        "Tern Quay",
        "Sea Lark sails from Tern Quay, unlike Old Tern, which sails from Long Pier.",
        "Sea Lark sails from Long Pier, unlike Old Tern, which sails from Tern Quay.",
    ),
}


@pytest.mark.parametrize("kind", RECORDS)
def test_a_reply_with_other_values_of_the_results_is_decided_right(kind: str) -> None:
    field, request, answer, right, wrong = RECORDS[kind]
    question = Question(
        turns=(request,),
        field=field,
        answer=answer,
        now=NOW,
        records=records_at(FERRIES, (0, field)),
    )
    assert fault_in(question, right) == ""
    assert fault_in(question, wrong)


def test_a_result_without_the_path_of_the_answer_has_no_objects() -> None:
    assert records_at(FERRIES, (1, "arrives")) == (FERRIES[1], FERRIES[0])
    assert records_at([], (0, "arrives")) == records_at({}, ("ferry", "arrives")) == ()


BIRDS: Plain = [
    {"name": "Dipper", "description": "A small bird that walks under water in fast streams."},
    {
        "name": "Wryneck",
        "description": "A brown woodpecker that eats ants or beetles on the ground.",
    },
]
YEARS: Plain = [
    "Title: The Birth of Ida Lund, Date: 1901-05-12, Description: Ida Lund painted harbours.",
    "Title: The Opening of the Sound Bridge, Date: 1954-05-12, Description: A bridge was opened.",
]


@pytest.mark.parametrize(
    ("answer", "right", "wrong"),
    [
        (
            BIRDS,
            (
                "- **Dipper**: small, walks under water in fast streams\n- **Wryneck**: a brown "
                "woodpecker that eats ants or beetles\n\nShall I look for small birds near streams?"
            ),
            (
                "- **Wryneck**: small, walks under water in fast streams\n- **Dipper**: a brown "
                "woodpecker that eats ants or beetles"
            ),
        ),
        (
            YEARS,
            "1901: Ida Lund was born\n1954: The Sound Bridge opened",
            "1954: Ida Lund was born\n1901: The Sound Bridge opened",
        ),
    ],
)
def test_a_reply_describes_each_object_by_its_own_values(
    answer: Plain, right: str, wrong: str
) -> None:
    question = Question(turns=("What did you find?",), field="", answer=answer, now=NOW)
    assert fault_in(question, right) == ""
    assert fault_in(question, wrong)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_reply_is_decided_right(kind: str) -> None:
    request, field, answer, right, wrong = KINDS[kind]
    question = Question(turns=tuple(request.split("\n")), field=field, answer=answer, now=NOW)
    assert fault_in(question, right) == ""
    assert fault_in(question, wrong)
