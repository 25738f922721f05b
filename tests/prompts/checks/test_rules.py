"""Check which faults each rule finds and which texts it accepts, on invented targets."""

import pytest

from prompts.checks import CHECKS
from prompts.subject import Call, Subject, Value

TRIP = Subject(
    "trip",
    "instruction",
    "",
    required=(
        Value("Porto Alto", "city"),
        Value("2019-03-08", "date"),
        Value("18:45", "time"),
        Value("Barba & Co. San Jose", "restaurant"),
    ),
    hidden=(Value("Quill Tower 4", "sight"), Value("88 Harbour Road", "address")),
    calls=(
        Call(("Restaurants_1.ReserveRestaurant", "ReserveRestaurant", "Restaurants_1", "")),
        Call(("Banks_1.CheckBalance", "CheckBalance", "Banks_1", "Balance of an account")),
    ),
    descriptions=("Reserve a table at a restaurant",),
)
TEA = Subject(
    "tea",
    "query",
    "",
    required=(Value("180", "WFDuration"), Value("1.15", "WFMathOperand")),
    sources=("Tea time", "Green tea needs three minutes, on a Sunday five."),
    technical=("timer.start", "Fuzzy Seconds", "Start Timer", "WFDuration"),
)


SIGHTS = Subject(
    "sights",
    "instruction",
    "",
    calls=(Call(("Travel_1.FindAttractions", "FindAttractions", "Travel_1", "Browse sights")),),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Find something fun to do in Porto Alto.", "ok"),
        ("What is there for kids to do in Porto Alto?", "ok"),
        ("What could we do in Porto Alto on Friday?", "ok"),
        ("List some activities in Porto Alto.", "ok"),
        ("Show me a few interesting places in Porto Alto.", "ok"),
        ("Remind me of something I have to do in Porto Alto.", "call_not_alluded"),
        ("I know what I want to do, so get me a cab.", "call_not_alluded"),
    ],
)
def test_only_requests_for_activities_allude_to_sights(text: str, expected: str) -> None:
    assert reason("calls_alluded", SIGHTS, text) == expected


def reason(check: str, base: Subject, text: str) -> str:
    subject = Subject(
        **{name: getattr(base, name) for name in base.__struct_fields__} | {"text": text}
    )
    return CHECKS.find(check).examine(subject).reason


@pytest.mark.parametrize(
    ("check", "text", "expected"),
    [
        ("length", "Book me into Barba & Co. San Jose at 6:45 p.m. on March 8, please.", "ok"),
        (
            "length",
            "Book me into Barba & Co. San Jose. Then tell me my balance.",
            "not_one_sentence",
        ),
        ("calls_alluded", "Get me a table, and how much is in my checking account?", "ok"),
        ("calls_alluded", "Tell me how much is in my checking account.", "call_not_alluded"),
        ("disclosed_values", "Book Barba & Co. in Porto Alto near Quill Tower.", "disclosed_value"),
        ("disclosed_values", "Book Barba & Co. in Porto Alto on the Harbour.", "disclosed_value"),
        ("disclosed_values", "Book Barba & Co. in Porto Alto by the harbour.", "ok"),
        ("invented_values", "In Porto Alto on March 8th at a quarter to seven.", "ok"),
        ("invented_values", "In Porto Alto on the 8th of March at 6:45 pm.", "ok"),
        ("invented_values", "In Porto Alto on March 9th at a quarter to seven.", "invented_value"),
        ("invented_values", "In Porto Alto on April 8th at 6:45 pm.", "invented_value"),
        ("invented_values", "In Porto Alto on Friday, March 8, at 6:45 pm.", "ok"),
        ("invented_values", "In Porto Alto on Monday, March 8, at 6:45 pm.", "invented_value"),
        ("invented_values", "A table for eleven in Porto Alto on March 8.", "invented_value"),
        ("foreign_names", "Get me a table in Porto Alto through OpenTable.", "foreign_app"),
        ("foreign_names", "Signal me when I have a table in Porto Alto.", "ok"),
        ("foreign_names", "Tell me on signal about a table in Porto Alto.", "foreign_app"),
        ("foreign_names", "Tell my friends in Signal groups about it.", "foreign_app"),
        ("invented_values", "A one-way ride to Porto Alto on March 8 at 6:45 pm.", "ok"),
        ("cut_off", "A table in Porto Alto and my balance after that", "ok"),
        ("cut_off", "Find a place in Porto Alto that is easy to get into.", "ok"),
        ("cut_off", "Find a place in Porto Alto that is easy to get into", "cut_off"),
        ("cut_off", "A table in Porto Alto whose guests I will", "cut_off"),
        ("asking_back", "Get me a table. Which evening should I book?", "asks_back"),
        ("asking_back", "It is cold in Porto Alto. What should I wear?", "ok"),
        ("foreign_names", "Get me a table at Luigi in Porto Alto.", "foreign_name"),
        ("foreign_names", "Get me a table in Porto Alto in March.", "ok"),
        ("copied_text", "Reserve a table at a restaurant.", "source_echo"),
        ("copied_text", "Reserve a table at Barba & Co. San Jose in Porto Alto.", "ok"),
        ("names_actions", "Use ReserveRestaurant for Porto Alto.", "names_action"),
        ("names_actions", "Use the Check Balance action for my account.", "names_action"),
        ("names_actions", "Please check the balance of my account.", "ok"),
        ("names_actions", "Pay Timo back with a card as the payment method.", "ok"),
        ("cut_off", "Book a table in Porto Alto and tell me the", "cut_off"),
        ("cut_off", "Book me a table in Porto Alto, it is the town I come from.", "ok"),
        ("asking_back", "Which day would you like the table in Porto Alto for?", "asks_back"),
        ("asking_back", "Would you book a table in Porto Alto for me?", "ok"),
        ("second_request", "Get me a table, by the way, who painted the sky?", "second_request"),
        ("second_request", "Get me a table, and also tell me my account balance.", "ok"),
        ("dumped_values", "Porto Alto, March 8, 18:45, Barba & Co. San Jose.", "dumped_values"),
        ("step_listing", "1) Reserve a table 2) Check the balance", "lists_steps"),
        ("developer_note", "Book it, the date is filled from the result.", "developer_note"),
        ("developer_note", "Please set the alarm to {time} for me.", "developer_note"),
        ("developer_note", "What comes out of this [action]?", "developer_note"),
        ("developer_note", "Send a message to <name> that I am late.", "developer_note"),
        ("empty_request", "Many thanks to you, and have a nice day!", "no_request"),
    ],
)
def test_rule_gives_the_expected_reason_for_an_instruction(
    check: str, text: str, expected: str
) -> None:
    assert reason(check, TRIP, text) == expected


@pytest.mark.parametrize(
    ("check", "text", "expected"),
    [
        ("invented_values", "Add 15 percent and time my tea for 3 minutes.", "ok"),
        ("invented_values", "Time my tea for 180 seconds, on Sundays five minutes.", "ok"),
        ("invented_values", "Time my tea for 3 minutes, and add 12 g of sugar.", "invented_value"),
        (
            "invented_values",
            "Time my tea and show \u201cGulls ahead\u201d at the end.",
            "invented_value",
        ),
        ("invented_values", "Time my tea, and play the MP3 after it.", "ok"),
        ("names_actions", "Run the tea shortcut for me.", "names_automation"),
        ("names_actions", "Quiz me on every keyboard shortcut I know.", "ok"),
        ("names_actions", "Back up all of my shortcuts.", "ok"),
        ("names_actions", "Write the sum into Fuzzy Seconds.", "names_action"),
        ("names_actions", "Tell me about those fuzzy seconds.", "ok"),
        ("names_actions", "Do a timer.start for my tea.", "names_action"),
        ("step_listing", "Get the time, add 30, set a timer, show it, repeat that.", "lists_steps"),
        ("asking_back", 'Ask me "What would you like?" and time my tea.', "ok"),
        ("step_listing", "Time my tea and then tell me to take it out.", "ok"),
    ],
)
def test_rule_gives_the_expected_reason_for_a_query(check: str, text: str, expected: str) -> None:
    assert reason(check, TEA, text) == expected


def test_near_duplicate_rule_accepts_equal_wording_with_other_values() -> None:
    text = "Could you please find me a quiet room near the sea for the whole of {} this year?"
    examine = CHECKS.find("near_duplicate").examiner()
    findings = [
        examine(
            Subject(month, "instruction", text.format(month), required=(Value(month, "month"),))
        )
        for month in ("June", "July", "July")
    ]
    assert [finding.reason for finding in findings] == ["ok", "ok", "near_duplicate"]
    reworded_text = text.replace("please ", "").format("June")
    finding = examine(
        Subject("x", "instruction", reworded_text, required=(Value("June", "month"),))
    )
    assert finding.reason == "near_duplicate"


def test_questions_about_conditions_allude_to_the_weather() -> None:
    plan = Subject(
        "sky",
        "instruction",
        "",
        calls=(Call(("Weather_1.GetWeather", "GetWeather", "Weather_1", "")),),
    )
    assert reason("calls_alluded", plan, "What's it going to be like in Porto Alto?") == "ok"
    assert reason("calls_alluded", plan, "How windy is Porto Alto on Sunday?") == "ok"
    assert reason("calls_alluded", plan, "What is Porto Alto?") == "call_not_alluded"


@pytest.mark.parametrize(
    ("quote", "label", "value", "expected"),
    [
        ("half of it", "number to calculate with", "2", "ok"),
        ("the heaviest of them", "operation", "Maximum", "false_stated"),
        ("the largest one", "operation", "Maximum", "ok"),
        ("the smallest one", "operation", "Maximum", "false_stated"),
        ("taken away", "operation", "-", "ok"),
        ("pitch dark", "brightness", "0", "ok"),
        ("a little dark", "brightness", "0.4", "false_stated"),
        ("a tenth", "Battery Level is less than", "10", "ok"),
        ("twenty per second", "seconds per picture", "0.05", "ok"),
        ("unpaid", "Is Paid is", "false", "ok"),
        ("paid", "Is Paid is", "false", "false_stated"),
        ("Do Not Disturb", "state (Set Focus)", "1", "ok"),
        ("Dutch", "language", "nl_NL", "ok"),
        ("Danish", "language", "nl_NL", "false_stated"),
        ("Lena", "recipient", "Lena Brandt", "ok"),
        ("Lena Vogel", "recipient", "Lena Brandt", "false_stated"),
        ("water the ferns", "title", "\u6d47\u82b1", "ok"),
        ("in a while", "time", "20 minutes", "false_stated"),
        ("my next appointment", "title", "Next Event", "ok"),
        ("the last photo", "screenshots", "false", "false_stated"),
        ("whether it is 0", "number is", "1", "false_stated"),
        ("show it in a message", "title of the message", "\u51fa\u884c", "false_stated"),
        ("the trips", "folder", "\u51fa\u884c", "ok"),
        ("under Spese", "folder", "\u51fa\u884c", "false_stated"),
    ],
)
def test_judged_quote_may_paraphrase_its_value(
    quote: str, label: str, value: str, expected: str
) -> None:
    text = f"Please, {quote}, as always."
    name = "WFMathOperation" if label == "operation" else "WFInput"
    required = (Value(value, name, label=label, quote=quote), Value("Spese", name, quote="Spese"))
    subject = Subject("x", "parameters", text, required=required)
    assert CHECKS.find("judged_parameters").examine(subject).reason == expected
