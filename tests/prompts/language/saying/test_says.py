"""Values as people say them."""

from prompts.language.saying import says
from prompts.subject import Value


def test_a_value_or_one_of_its_titles_counts() -> None:
    assert says("in twelve minutes", Value("12", "minutes"))
    assert says("make it warmer by 3 °C", Value("celsius", "unit", ("°C", "C")))
    assert not says("make it warmer", Value("celsius", "unit", ("Celsius degrees",)))
