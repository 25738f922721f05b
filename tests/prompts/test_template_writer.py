"""The offline writer's sentences, read as a person reads them."""

import pytest

from prompts.inputs.shortcuts import ShortcutInput
from prompts.language.values import states
from prompts.subject import Value
from prompts.templates.writer import write_category, write_query


def given(name: str, called: tuple[str, ...], *required: Value) -> ShortcutInput:
    """A shortcut whose workflow is in the words of its APIs' summaries."""
    return ShortcutInput(name, "", (), 'Show "it"\nCopy [output: Text]', (), required, (), called)


@pytest.mark.parametrize("name", ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"])
def test_the_wishes_come_from_the_calls_however_the_workflow_is_worded(name: str) -> None:
    text = write_query(given(name, ("ask", "gettext", "showresult", "setclipboard")))
    assert "ask me for what you need, show me the result and copy the result" in text
    assert "me the result and copy the result for me" not in text
    assert text[-1] == ("?" if text.startswith(("Could", "Can", "Would")) else ".")


@pytest.mark.parametrize("name", ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"])
def test_values_are_quoted_or_named_and_still_stated(name: str) -> None:
    values = (
        Value("One tap and it is done.", "WFTextActionText"),
        Value("420", "WFDelayTime"),
        Value("12.5", "WFNumberActionNumber"),
        Value("Travel", "WFCalendarItemCalendar"),
        Value('He said "go"', "WFText"),
    )
    text = write_query(given(name, ("delay",), *values))
    assert '"One tap and it is done.", delay time 420, number 12.5, Travel and He said' in text
    assert all(states(text, value.value) for value in values)
    assert ".." not in text


def test_a_sentence_that_ends_in_a_quotation_has_one_end() -> None:
    texts = [
        write_query(given(name, ("vibrate",), Value("It is done.", "WFText")))
        for name in "ABCDEFGHIJKLMNOP"
    ]
    assert {text[-2:] for text in texts} == {'."', '"?'}


def test_a_description_speaks_of_its_reader() -> None:
    called = ("getcurrentlocation", "ask", "filter.reminders")
    _, _, text = write_category(given("Where to", called))
    assert text == (
        "Where to: it can find out where you are, ask you for what it needs and look through your "
        "reminders."
    )
