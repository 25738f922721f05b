"""The offline writer's sentences, read as a person reads them."""

import msgspec
import pytest

from prompts.inputs.shortcuts import Deed, ShortcutInput, ShortcutRow, shortcut_input
from prompts.language.saying import says
from prompts.language.value_texts.literals import ActionRow, ArgumentRow
from prompts.styles import STYLES
from prompts.templates.categories import write_category
from prompts.templates.requests import write_query
from prompts.templates.sentences import SHAPES

SYSTEM = "is.workflow.actions."
Acts = tuple[tuple[str, dict[str, object]], ...]


def given(acts: Acts, name: str = "", lines: tuple[str, ...] = ()) -> ShortcutInput:
    """The input of a shortcut of these actions."""
    actions = tuple(
        ActionRow(
            index,
            SYSTEM + api,
            None,
            tuple(
                ArgumentRow(key, "literal", msgspec.json.encode(value).decode())
                for key, value in values.items()
            ),
        )
        for index, (api, values) in enumerate(acts)
    )
    workflow = "\n".join(lines or [api for api, _ in acts])
    row = ShortcutRow("shortcut:1", "made/1.plist", name, None, actions, len(acts), workflow)
    return shortcut_input(row, {})


def styled(acts: Acts, style: str, name: str = "") -> str:
    chosen = next(entry for entry in STYLES if entry.name == style)
    text = write_query(msgspec.structs.replace(given(acts, name), style=chosen))
    assert text is not None
    return text


TEA: Acts = (
    ("delay", {"WFDelayTime": 180}),
    ("notification", {"WFNotificationActionBody": "The tea is ready"}),
    ("getbatterylevel", {}),
)


def test_values_stand_in_the_words_of_their_actions() -> None:
    text = styled(TEA, "terse")
    wish = 'ait 180 seconds, send me a notification that says "The tea is ready" and check the'
    assert text in {f"W{wish} battery.", f"Just w{wish} battery."}


def test_there_are_eight_shapes_in_five_styles() -> None:
    assert set(SHAPES) == {style.name for style in STYLES}
    assert sum(len(shapes) for shapes in SHAPES.values()) == 8
    texts = {styled(TEA, style, name) for style in SHAPES for name in "ABCDEFGHIJ"}
    openings = {text.split("wait")[0].split("Wait")[0] for text in texts}
    assert len([entry for entry in openings if "what I call" not in entry]) >= 7


@pytest.mark.parametrize("style", list(SHAPES))
def test_every_required_value_is_stated_once(style: str) -> None:
    acts: Acts = (
        ("number.random", {"WFRandomNumberMinimum": 10, "WFRandomNumberMaximum": 49}),
        ("math", {"WFMathOperation": "\u00d7", "WFMathOperand": 1.15}),
        ("math", {"WFMathOperation": "-", "WFMathOperand": 7}),
        ("image.crop", {"WFImageCropWidth": "640", "WFImageCropHeight": "480"}),
        ("speaktext", {"WFText": "Twelve o'clock"}),
        ("showresult", {"Text": "All is well!"}),
    )
    shortcut = given(acts)
    assert [value.value for value in shortcut.required] == [
        "10", "49", "640", "480", "Twelve o'clock", "All is well!"
    ]  # fmt: skip
    text = styled(acts, style)
    for value in shortcut.required:
        assert says(text, value), (value, text)
        assert text.count(value.value) == 1, (value, text)


def test_questions_in_a_row_are_one_clause() -> None:
    acts: Acts = (
        ("ask", {"WFAskActionPrompt": "How many guests?"}),
        ("ask", {"WFAskActionPrompt": "Which day?"}),
        ("createnote", {}),
    )
    assert 'ask me "How many guests?" and "Which day?"' in styled(acts, "polite")
    unworded = (*acts[:2], ("ask", {}), *acts[2:])
    phrase = 'ask me "How many guests?", "Which day?" and for the rest'
    assert phrase in styled(unworded, "polite")


def test_the_site_of_an_address_is_told_and_its_path_is_not() -> None:
    acts: Acts = (
        ("url", {"WFURLActionURL": "https://www.gardens.example/api?x=1"}),
        ("openurl", {}),
    )
    lines = ('"https://www.gardens.example/api?x=1" -> URL', "Open [output: URL]")
    text = write_query(given(acts, lines=lines))
    assert text is not None
    assert "open the page on gardens.example" in text
    assert "api" not in text


@pytest.mark.parametrize(
    "apis",
    [("gettext", "setvariable"), ("ask",), ("openurl",), ("setclipboard", "showresult"), ()],
)
def test_where_nothing_can_be_told_there_is_no_request(apis: tuple[str, ...]) -> None:
    assert write_query(given(tuple((api, {}) for api in apis))) is None


def test_another_apps_action_is_told_by_its_summary() -> None:
    shortcut = ShortcutInput(
        "",
        "",
        (),
        "",
        (),
        (),
        deeds=(Deed(0, "com.example.Brew", "Brew [output: Tea Leaves] now"),),
    )
    text = write_query(shortcut)
    assert text is not None
    assert "brew the tea leaves now" in text.lower()


def test_a_name_is_the_reason_where_there_is_one() -> None:
    assert styled(TEA, "with_reason", "Tea time").startswith(
        'I need this for what I call "Tea time", so please wait'
    )
    assert "{" not in styled(TEA, "with_reason", "Tea {wish} time")


def test_a_sentence_that_ends_in_a_quotation_has_one_end() -> None:
    acts: Acts = (("speaktext", {"WFText": "It is done."}),)
    assert styled(acts, "with_reason").endswith('so please say "It is done." out loud.')
    acts = (("showresult", {"Text": "It is done."}),)
    assert styled(acts, "with_reason").endswith('show me "It is done."')


def test_a_description_speaks_of_its_reader() -> None:
    acts: Acts = (("getcurrentlocation", {}), ("ask", {}), ("filter.reminders", {}))
    category = write_category(given(acts, "Where to"))
    assert category is not None
    assert category[2] == (
        "Where to: it can find out where you are, ask you for what it needs and look through your "
        "reminders."
    )
    assert write_category(given((), "Nothing")) is None


def test_texts_of_a_hundred_thousand_characters_do_not_reach_the_request() -> None:
    acts: Acts = (("speaktext", {"WFText": "so " * 33_000}), ("timer.start", {}))
    text = write_query(given(acts, "N" * 100_000))
    assert text is not None
    assert len(text) < 300
