"""Check which texts state a value, including texts that were once misjudged."""

import pytest

from prompts.language.statements import says
from prompts.subject import Value

BACK = Value("2019-03-11", "return_date")
SHOW = Value("19:30", "show_time")
FREE = Value("True", "free_entry", about="Whether entrance to the place is free")
GUESTS = Value("3", "party_size", label="number of guests")
FEWER_THAN_6 = Value("6", label="Files Count is less than")
MORE_THAN_5 = Value("5", label="Files Count is greater than")
CELSIUS = Value("celsius", "unit", ("\u00b0C", "C"))
NOT_ALL_DAY = Value("false", "allDay")
NOT_SHARED = Value("False", "shared_ride")
PLAIN_NUMBER = Value("203", "WFNumberActionNumber", label="number")
SHIFT = Value("1 Minute", "WFAdjustOffsetPicker", label="time to shift by")
BEFORE_7 = Value("7", "WFNumberValue", label="Formatted Date is less than")
BELOW_7 = Value("7", "WFNumberValue", label="Battery Level is less than")
NO_FEE = Value("True", "free_entrance_yes_or_no")

CASES: dict[str, tuple[Value, list[str], list[str]]] = {
    "a value or one of its titles": (CELSIUS, ["make it warmer by 3 \u00b0C"], []),
    "other titles": (
        Value("celsius", "unit", ("Celsius degrees",)), [], ["make it warmer"],
    ),
    "a value in words": (Value("12", "minutes"), ["in twelve minutes"], []),
    "an event with a time is not all day": (
        NOT_ALL_DAY, ["Dinner on March 11, 2 to 4 pm"], ["Dinner on March 11"],
    ),
    "a start with a time": (
        Value("2019-03-11T14:00", "startDate"), ["Dinner on March 11, 2019, 2 to 4 pm"], [],
    ),
    "days in ranges, lists and digits, and other digits": (
        BACK,
        [
            "from March 1st until the 11th", "March 2 to 11", "from 2 to 11 March", "2-11 March",
            "the 3rd, 9th and 11th of March", "come on the 10th of March, leave on the 11th",
            "the eleventh day of March", "11 Mar 2019", "3/11", "11.3.2019", "11-03-2019",
            "2019/03/11", "March 11 in the evening", "next Monday until March 14th", "MAR 11",
            "Monday, the 11th", "the 11th day of the month",
        ],
        [
            "March 1 to 12", "until April 10, back on the 11th", "11 people in March",
            "March 11, 2020", "the 11th floor in March", "tomorrow", "not on March 11",
            "any day but Monday", "at 11 on March 12", "11 Elm Street, March 2", "April 11",
            "march up 11 stairs", "between March 9 and 14",
        ],
    ),
    "a limit by the last number below it": (
        FEWER_THAN_6, ["up to five of them", "five or fewer"], ["five of them", "at least five"],
    ),
    "a limit by the first number above it": (
        MORE_THAN_5, ["six or more", "no less than six"], ["at most six"],
    ),
    "times in words, and other digits": (
        SHOW,
        [
            "half past seven", "7.30 pm", "seven thirty tonight", "19:30", "evening 7:30",
            "at 7:30", "thirty minutes past seven in the evening", "by half past 7 at the latest",
            "no later than 7:30 pm",
        ],
        [
            "7ish", "7:30 in the morning", "half past eight", "$7.30", "7 hours 30 minutes",
            "not at 7:30 pm", "version 7.30 of it", "19 people, 30 bags",
        ],
    ),
    "counts, and digits of something else": (
        GUESTS,
        [
            "a table for three", "three of us", "a party of 3", "three friends and nobody else",
            "3, please",
        ],
        [
            "March 3 for two", "on the 3rd", "at 3", "room 3", "in 3 minutes",
            "3 rooms for two guests", "$3", "3%", "iOS 3.1", "13", "call 555 0103 333", "3/8",
            "3 Elm Street", "not three", "http://x.org/3", "A3",
        ],
    ),
    "a switch by what it means": (
        FREE,
        [
            "places with free entry", "without an entry fee", "free of charge",
            "somewhere free to get in",
        ],
        ["I am free on Monday", "is there an entrance fee?", "feel free to call"],
    ),
    "a switch that is off by a negation or its opposite": (
        NOT_SHARED,
        ["no shared rides", "a private cab"],
        ["a shared ride just for myself", "a cab home"],
    ),
    "a syllable that is no negation": (Value("True", "is_unisex"), ["a unisex salon"], []),
    "no negation of a syllable": (Value("False", "is_unisex"), [], ["a unisex salon"]),
    "a syllable that is a negation": (Value("False", "furnished"), ["an unfurnished flat"], []),
    "a switch whose name asks yes or no": (
        NO_FEE, ["a place with free entrance"], ["a place with an entrance fee"],
    ),
    "a number that counts nothing, and may name something": (
        PLAIN_NUMBER,
        [
            "Use the number 203, please, and tell me what it is.", "put on channel 203",
            "put on channel two hundred three", "a timer of 203 minutes",
        ],
        [
            "Use the number 204, please, and tell me what it is.", "bring it to 203 Elm Street",
            "put on channel 204",
        ],
    ),
    "a room that is no count": (
        Value("203", "number_of_seats", label="number of seats"), [], ["meet me in room 203"],
    ),
    "a further unit": (
        SHIFT,
        ["until then plus one extra minute", "until then and another minute"],
        ["until then plus two extra minutes"],
    ),
    "a compared hour as a time of day": (
        BEFORE_7,
        [
            "if it is before seven in the morning", "when it's not yet 7 am",
            "as long as it is not seven in the morning yet",
        ],
        ["if it is before eight in the morning", "whenever it is not seven in the morning"],
    ),
    "a compared level by no time of day": (
        BELOW_7, [], ["if the battery is low at seven in the morning"],
    ),
    "half a unit": (
        Value("30", "WFNumber", label="number"), ["wait half a minute"], ["wait half an hour"],
    ),
    "a fraction": (
        Value("0.05", "delay", label="seconds per photo"),
        ["a twentieth of a second"],
        ["a tenth"],
    ),
    "a share": (
        Value("0,30", "WFNumber", label="number"),
        ["rain above 30 percent"],
        ["above 3 percent"],
    ),
    "a kind of forecast": (
        Value("Hourly", "type", label="type"), ["the weather hour by hour"], ["for an hour"],
    ),
    "a light": (
        Value("Off", "WFFlashlightSetting"), ["blink the light on and off"], ["the light on"],
    ),
    "a choice of several": (
        Value("true", "WFSelectMultiplePhotos"), ["let me pick several photos"], ["a photo"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_says_separates_stating_from_silent_texts(name: str) -> None:
    value, saying, silent = CASES[name]
    assert [text for text in saying + silent if says(text, value)] == saying


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("a ticket to Leeds", "number_of_tickets", True),
        ("a ticket office", "number_of_tickets", False),
        ("a quiet evening", "number_of_tickets", False),
        ("just me", "party_size", True),
        ("a group of 2", "party_size", False),
        ("get me one for two people", "party_size", False),
        ("one of the three guests is late", "party_size", False),
        ("a good one with two baths", "number_of_baths", False),
        ("one room", "number_of_rooms", True),
    ],
)
def test_singular_noun_states_a_count_of_1(text: str, name: str, expected: bool) -> None:
    assert says(text, Value("1", name)) is expected


@pytest.mark.parametrize(
    ("text", "value", "label", "expected"),
    [
        ("three minutes", "180", "duration in seconds", True),
        ("three seconds", "180", "duration in seconds", False),
        ("an hour and a half", "90", "minutes", True),
        ("1h30", "PT1H30M", "", True),
        ("a week", "7", "days", True),
        ("half a litre", "500", "millilitres of water", True),
        ("$1.5k", "1500", "amount of money", True),
        ("nine dollars and 99 cents", "9.99", "price", True),
        ("20 minutes", "20", "amount of money", False),
        ("\u20ac40", "$40", "budget", False),
        ("three quarters", "0.75", "volume level", True),
        ("three hundred thousand, two hundred", "300200", "number", True),
        ("3 1/2 cups", "3.5", "cups", True),
        ("the third item", "3", "item number", True),
        ("on iOS 17", "17", "iOS version", True),
        ("page 40", "40", "number of pages", False),
        ("350 F", "350", "temperature in Fahrenheit", True),
        ("five degrees below zero", "-5", "temperature", True),
        ("minus five degrees", "5", "temperature", False),
        ("11 eggs", "11", "amount of money", False),
        ("11 eggs", "11", "corner radius", True),
        ("do it 11 times", "11", "repetitions", True),
        ("do it 11 times", "11", "number of guests", False),
        ("1,250 square feet", "1250", "monthly rent", False),
    ],
)
def test_amounts_are_compared_in_their_units(
    text: str, value: str, label: str, expected: bool
) -> None:
    assert says(text, Value(value, "", label=label)) is expected


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("at Barba and Co", "Barba & Co.", True),
        ("at Koryo", "Koryo Sushi", True),
        ("near the korean place", "Koryo Sushi", False),
        ("the Holiday District", "The District By Alba Club", False),
        ("on the speaker in the kitchen", "kitchen speaker", True),
        ("on the bedroom speaker", "Kitchen speaker", False),
        ("to LA", "Los Angeles", True),
        ("la la la", "Los Angeles", False),
        ("something very costly", "very_expensive", True),
        ("not very costly", "expensive", False),
        ("Thai rather than Italian", "Italian", False),
        ("why not Italian", "Italian", True),
        ("a Silvestre Stallone film", "Sylvester Stallone", False),
        ("a Silvester Stallone film", "Sylvester Stallone", True),
        ("print a page 4", "A4", False),
        ("the title: \u201c-5 km\u201d", "-5 km", True),
        ("at 10:00 or 7:30", "10:00 7:30", False),
        ("the slots 10:00 7:30", "10:00 7:30", True),
        ("watch Up tonight", "Up", True),
        ("wake me up", "Up", False),
        ("at the Harbor Lights", "Harbour Lights Hotel", True),
    ],
)
def test_names_match_despite_small_differences(text: str, value: str, expected: bool) -> None:
    assert says(text, Value(value, "name")) is expected


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("a lift for me and two friends", "3", True),
        ("my three kids and I need seats", "4", True),
        ("a lift for me and two friends", "4", False),
        ("a lift for two friends", "3", False),
        ("a lift for me and two suitcases", "3", False),
    ],
)
def test_speaker_counts_toward_the_number_of_people(text: str, number: str, expected: bool) -> None:
    assert says(text, Value(number, "number_of_seats", label="number of seats")) is expected
