"""Check that values are recognised in the forms in which people write them."""

import pytest

from prompts.language.statements import says
from prompts.language.words import plain, read_number, title_words
from prompts.subject import Value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("in twelve minutes", "12"),
        ("add 1,500 ml", "1500"),
        ("twenty-one guests", "21"),
        ("two hundred and five pages", "205"),
        ("fifteen hundred steps", "1500"),
        ("three thousand and four", "3004"),
        ("a dozen eggs", "12"),
        ("it is 0.50 euros", "0.5"),
        ("minus 3 degrees, that is -3", "-3"),
        ("on March 8th", "2019-03-08"),
        ("on the 8th of March, 2019", "2019-03-08"),
        ("on 8 Mar", "2019-03-08"),
        ("on 03/08/2019", "2019-03-08"),
        ("on 2019-03-08", "2019-03-08"),
        ("on the 8th", "2019-03-08"),
        ("at half past six", "18:30"),
        ("at 6:30 pm", "18:30"),
        ("at 6 am", "06:00"),
        ("at six in the morning", "06:00"),
        ("at noon", "12:00"),
        ("at quarter to nine", "08:45"),
        ("at 9 o'clock", "09:00"),
        ("turn it to fan only please", "fanOnly"),
        ("the FAN-ONLY mode", "fan_only"),
        ("say Grüße from me", "grüße"),
        ("send \U0001f600 please", "\U0001f600"),
        ("McDonald's in town", "McDonald's"),
    ],
)
def test_text_states_the_value(text: str, value: str) -> None:
    assert says(text, Value(value))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("in two minutes", "12"),
        ("add 150 ml", "1500"),
        ("at 3/8/2019 we meet", "3"),
        ("at 8:30 in the morning", "8"),
        ("on March 9th", "2019-03-08"),
        ("on April 8th", "2019-03-08"),
        ("on the 8th of April", "2019-03-08"),
        ("at 6:30 am", "18:30"),
        ("at six in the evening", "06:00"),
        ("at half past seven", "18:30"),
        ("the fan", "fanOnly"),
        ("scatter it", "cat"),
        ("2019-99-99 never", "2019-99-98"),
    ],
)
def test_text_does_not_state_the_value(text: str, value: str) -> None:
    assert not says(text, Value(value))


def test_identifiers_become_words() -> None:
    assert title_words("getHTTPHeader_field") == "get http header field"


def test_read_number_accepts_only_whole_texts() -> None:
    assert read_number(" -1,500.5 ") == -1500.5
    assert read_number("5 apples") is None


def test_plain_removes_case_and_punctuation() -> None:
    assert plain("  The CAFÉ, now! ") == "the café now"
