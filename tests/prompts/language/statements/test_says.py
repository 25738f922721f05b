"""Values as people say them: what was mended once stays mended."""

import pytest

from prompts.language.statements import says
from prompts.subject import Value

GUESTS = Value("3", "party_size", label="number of guests")
BACK = Value("2019-03-11", "return_date")
SHOW = Value("19:30", "show_time")
FREE = Value("True", "free_entry", about="Whether entrance to the place is free")


def test_a_value_or_one_of_its_titles_counts() -> None:
    assert says("in twelve minutes", Value("12", "minutes"))
    assert says("make it warmer by 3 \u00b0C", Value("celsius", "unit", ("\u00b0C", "C")))
    assert not says("make it warmer", Value("celsius", "unit", ("Celsius degrees",)))


def test_an_event_with_a_time_is_not_all_day() -> None:
    all_day = Value("false", "allDay")
    assert says("Dinner on March 11, 2 to 4 pm", all_day)
    assert says("Dinner on March 11, 2019, 2 to 4 pm", Value("2019-03-11T14:00", "startDate"))
    assert not says("Dinner on March 11", all_day)


@pytest.mark.parametrize(
    "text",
    [
        "from March 1st until the 11th", "March 2 to 11", "from 2 to 11 March", "2-11 March",
        "the 3rd, 9th and 11th of March", "come on the 10th of March, leave on the 11th",
        "the eleventh day of March", "11 Mar 2019", "3/11", "11.3.2019", "11-03-2019",
        "2019/03/11",
        "March 11 in the evening",
        "next Monday until March 14th", "MAR 11", "Monday, the 11th", "the 11th day of the month",
    ],
)  # fmt: skip
def test_days_are_said_in_ranges_lists_and_digits(text: str) -> None:
    assert says(text, BACK)


@pytest.mark.parametrize(
    "text",
    [
        "March 1 to 12", "until April 10, back on the 11th", "11 people in March", "March 11, 2020",
        "the 11th floor in March", "tomorrow", "not on March 11", "any day but Monday",
        "at 11 on March 12", "11 Elm Street, March 2", "April 11", "march up 11 stairs",
        "between March 9 and 14",
    ],
)  # fmt: skip
def test_other_digits_are_no_day(text: str) -> None:
    assert not says(text, BACK)


@pytest.mark.parametrize(
    ("limit", "value", "text", "said"),
    [
        ("less", "6", "up to five of them", True),
        ("less", "6", "five or fewer", True),
        ("less", "6", "five of them", False),
        ("less", "6", "at least five", False),
        ("greater", "5", "six or more", True),
        ("greater", "5", "no less than six", True),
        ("greater", "5", "at most six", False),
    ],
)
def test_a_limit_is_said_by_the_last_number_within_it(
    limit: str, value: str, text: str, *, said: bool
) -> None:
    assert says(text, Value(value, label=f"Files Count is {limit} than")) is said


@pytest.mark.parametrize(
    "text",
    ["half past seven", "7.30 pm", "seven thirty tonight", "19:30", "evening 7:30", "at 7:30",
     "thirty minutes past seven in the evening", "by half past 7 at the latest",
     "no later than 7:30 pm"],
)  # fmt: skip
def test_times_are_said_in_words(text: str) -> None:
    assert says(text, SHOW)


@pytest.mark.parametrize(
    "text",
    ["7ish", "7:30 in the morning", "half past eight", "$7.30", "7 hours 30 minutes",
     "not at 7:30 pm", "version 7.30 of it", "19 people, 30 bags"],
)  # fmt: skip
def test_other_digits_are_no_time(text: str) -> None:
    assert not says(text, SHOW)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a table for three", True), ("three of us", True), ("a party of 3", True),
        ("three friends and nobody else", True), ("3, please", True),
        ("March 3 for two", False), ("on the 3rd", False), ("at 3", False), ("room 3", False),
        ("in 3 minutes", False), ("3 rooms for two guests", False), ("$3", False), ("3%", False),
        ("iOS 3.1", False), ("13", False), ("call 555 0103 333", False), ("3/8", False),
        ("3 Elm Street", False), ("not three", False), ("http://x.org/3", False), ("A3", False),
    ],
)  # fmt: skip
def test_counts_are_not_the_digits_of_something_else(text: str, said: bool) -> None:
    assert says(text, GUESTS) is said


@pytest.mark.parametrize(
    ("text", "name", "said"),
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
def test_a_thing_is_one_where_things_are_counted(text: str, name: str, said: bool) -> None:
    assert says(text, Value("1", name)) is said


@pytest.mark.parametrize(
    ("text", "value", "label", "said"),
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
def test_amounts_are_compared_in_their_units(text: str, value: str, label: str, said: bool) -> None:
    assert says(text, Value(value, "", label=label)) is said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("places with free entry", True), ("without an entry fee", True), ("free of charge", True),
        ("somewhere free to get in", True), ("I am free on Monday", False),
        ("is there an entrance fee?", False), ("feel free to call", False),
    ],
)  # fmt: skip
def test_switches_are_said_by_what_they_mean(text: str, said: bool) -> None:
    assert says(text, FREE) is said


def test_a_switch_that_is_off_needs_a_negation_or_its_opposite() -> None:
    off = Value("False", "shared_ride")
    assert says("no shared rides", off)
    assert says("a private cab", off)
    assert not says("a shared ride just for myself", off)
    assert not says("a cab home", off)
    # "Un" is no negation of everything.
    assert says("a unisex salon", Value("True", "is_unisex"))
    assert not says("a unisex salon", Value("False", "is_unisex"))
    assert says("an unfurnished flat", Value("False", "furnished"))


@pytest.mark.parametrize(
    ("text", "value", "said"),
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
def test_names_differ_a_little(text: str, value: str, said: bool) -> None:
    assert says(text, Value(value, "name")) is said


def test_what_is_called_number_alone_counts_nothing() -> None:
    entry = Value("203", "WFNumberActionNumber", label="number")
    assert says("Use the number 203, please, and tell me what it is.", entry)
    assert not says("Use the number 204, please, and tell me what it is.", entry)


@pytest.mark.parametrize(
    ("text", "number", "said"),
    [
        ("a lift for me and two friends", "3", True),
        ("my three kids and I need seats", "4", True),
        ("a lift for me and two friends", "4", False),
        ("a lift for two friends", "3", False),
        ("a lift for me and two suitcases", "3", False),
    ],
)
def test_who_speaks_counts_with_the_others(text: str, number: str, said: bool) -> None:
    assert says(text, Value(number, "number_of_seats", label="number of seats")) is said


def test_a_further_unit_is_one_of_it() -> None:
    shift = Value("1 Minute", "WFAdjustOffsetPicker", label="time to shift by")
    assert says("until then plus one extra minute", shift)
    assert says("until then and another minute", shift)
    assert not says("until then plus two extra minutes", shift)


def test_a_compared_hour_is_said_as_a_time_of_day() -> None:
    hour = Value("7", "WFNumberValue", label="Formatted Date is less than")
    assert says("if it is before seven in the morning", hour)
    assert not says("if it is before eight in the morning", hour)
    level = Value("7", "WFNumberValue", label="Battery Level is less than")
    assert not says("if the battery is low at seven in the morning", level)
    assert says("as long as it is not seven in the morning yet", hour)
    assert says("when it's not yet 7 am", hour)
    assert not says("whenever it is not seven in the morning", hour)


def test_a_mere_number_may_name_something() -> None:
    number = Value("203", "WFNumberActionNumber", label="number")
    assert says("put on channel 203", number)
    assert says("put on channel two hundred three", number)
    assert says("a timer of 203 minutes", number)
    assert not says("bring it to 203 Elm Street", number)
    assert not says("put on channel 204", number)
    assert not says("meet me in room 203", Value("203", "number_of_seats", label="number of seats"))


def test_a_switch_whose_name_asks_yes_or_no_is_about_the_rest() -> None:
    assert says("a place with free entrance", Value("True", "free_entrance_yes_or_no"))
    assert not says("a place with an entrance fee", Value("True", "free_entrance_yes_or_no"))


@pytest.mark.parametrize(
    ("text", "other", "entry"),
    [
        ("wait half a minute", "wait half an hour", Value("30", "WFNumber", label="number")),
        ("a twentieth of a second", "a tenth", Value("0.05", "delay", label="seconds per photo")),
        ("rain above 30 percent", "above 3 percent", Value("0,30", "WFNumber", label="number")),
        ("the weather hour by hour", "for an hour", Value("Hourly", "type", label="type")),
        ("blink the light on and off", "the light on", Value("Off", "WFFlashlightSetting")),
        ("let me pick several photos", "a photo", Value("true", "WFSelectMultiplePhotos")),
    ],
)  # fmt: skip
def test_settings_of_actions_are_said_in_everyday_words(
    text: str, other: str, entry: Value
) -> None:
    assert says(text, entry)
    assert not says(other, entry)
