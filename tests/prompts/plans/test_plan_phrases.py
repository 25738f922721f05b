"""Check the phrases of the offline writer's instructions, rule by rule."""

import pytest

from prompts.inputs.planning_paths import PlannedArgument, PlannedCall
from prompts.language.statements import says
from prompts.subject import Value
from prompts.templates.plan_phrases import arranged, named_inside, without_end
from prompts.templates.plan_values import pointed_at, value_words
from prompts.templates.plan_verbs import does


def argument(label: str, value: str, about: str = "") -> PlannedArgument:
    name = label.replace(" ", "_")
    return PlannedArgument(Value(value, name, label=label, about=about), "user")


@pytest.mark.parametrize(
    ("label", "value", "about", "phrase"),
    [
        ("harbour city", "Oslo", "", "in Oslo"),
        ("destination", "Bergen", "City the boat sails to", "to Bergen"),
        ("start date", "2031-05-03", "", "with start on May 3rd"),
        ("leaving time", "18:30", "", "leaving at 6:30 pm"),
        ("number of guests", "2", "", "for 2 guests"),
        ("number of cabins", "1", "", "with 1 cabin"),
        ("party size", "4", "", "for a party of 4"),
        ("hire length", "3", "Length of the hire in days", "for 3 days"),
        ("has sail", "True", "", "with a sail"),
        ("has sail", "False", "", "without sail"),
        ("good for children", "True", "", "that is good for children"),
        ("refundable", "False", "", "that is not refundable"),
        ("serves coffee", "True", "", "that serves coffee"),
        ("dogs allowed", "True", "", "with dogs allowed"),
        ("turn lanterns on off", "True", "", "with lanterns"),
        ("turn lanterns on off", "False", "", "without lanterns"),
        ("visibility", "True", "Whether the booking is private or not", "that is private"),
        ("visibility", "False", "Whether the booking is private or not", "that is not private"),
        ("lantern", "True", "Whether the booking is private or not", "with a lantern"),
        ("kind", "ketch", "", "with ketch as the kind"),
        ("payment method", "cash", "", "by cash"),
        ("starring", "Ada Lund", "", "starring Ada Lund"),
        ("receiver", "Ann", "", "to Ann"),
    ],
)
def test_value_phrase_suits_its_parameter_and_states_the_value(
    label: str, value: str, about: str, phrase: str
) -> None:
    planned_argument = argument(label, value, about)
    assert value_words(planned_argument, "hire a boat") == phrase
    assert says(f"Please hire a boat {phrase}.", planned_argument.value)


@pytest.mark.parametrize(
    ("description", "verb"),
    [
        ("Hire a boat for a given date", "hire a boat"),
        ("Searches boats by size and harbour", "search boats"),
        ("Send a note to another user", "send a note to somebody else"),
        ("List the boats the user has hired", "list the boats I have hired"),
        ("Reserve the selected berth, with water on request", "reserve the berth"),
        ("", "hire boat"),
    ],
)
def test_verb_phrase_comes_from_the_description_without_parameters(
    description: str, verb: str
) -> None:
    assert does(PlannedCall("Harbour_2", "HireBoat", description)).replace(" a boat", " boat") == (
        verb.replace(" a boat", " boat")
    )


def test_requested_payment_comes_from_the_receiver() -> None:
    assert value_words(argument("receiver", "Ann"), "request payment") == "from Ann"


def test_earlier_results_are_referenced_without_their_value() -> None:
    gull = Value("Grey Gull", "boat_name", label="boat name")
    boat_name = PlannedArgument(gull, "result", 0, "boat name")
    assert named_inside("hire a boat", boat_name) == "hire that boat"
    quay = PlannedArgument(Value("1 Quay", "to", label="destination"), "result", 0, "address")
    assert pointed_at(quay) == "to its address"


def test_names_and_numbers_join_the_object_of_the_verb() -> None:
    assert named_inside("hire a boat", argument("boat name", "Gull")) == "hire a boat called Gull"
    assert named_inside("buy tickets", argument("number of tickets", "1")) == "buy 1 ticket"
    assert named_inside("buy bread", argument("number of tickets", "1")) is None
    assert without_end("send a note to somebody else", "to Ann") == "send a note"
    assert without_end("call at a harbour", "at 6 pm") == "call at a harbour"


def test_phrases_are_arranged_in_spoken_order() -> None:
    words = ["with a sail", "on May 3rd", "with pickup at 8 pm", "that is free", "in Oslo"]
    assert arranged(words, "find boats") == [
        "that are free",
        "in Oslo",
        "on May 3rd",
        "with a sail and pickup at 8 pm",
    ]
    moments = ["with pickup at 8 pm", "with pickup on May 3rd"]
    assert arranged(moments, "hire a boat") == ["with pickup on May 3rd at 8 pm"]
