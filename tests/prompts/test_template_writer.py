"""The offline writer's sentences, read as a person reads them."""

import msgspec
import pytest

from prompts.inputs.shortcuts import Deed, ShortcutInput, ShortcutRow, shortcut_input
from prompts.language.statements import says
from prompts.styles import STYLES
from prompts.templates import SHAPES
from prompts.templates.categories import write_category
from prompts.templates.requests import write_query
from tests.prompts.action_rows import action

Acts = tuple[tuple[str, dict[str, object]], ...]


def given(acts: Acts, name: str = "", lines: tuple[str, ...] = ()) -> ShortcutInput:
    """The input of a shortcut of these actions."""
    actions = tuple(action(api, None, index, values) for index, (api, values) in enumerate(acts))
    workflow = "\n".join(lines or [api for api, _ in acts])
    row = ShortcutRow("shortcut:1", "made/1.plist", name, None, actions, len(acts), workflow)
    return shortcut_input(row, {})


def styled(acts: Acts, style: str, name: str = "") -> str:
    chosen = next(entry for entry in STYLES if entry.name == style)
    text = write_query(msgspec.structs.replace(given(acts, name), style=chosen))
    assert text is not None
    return text


TIME = {
    "Value": {"Magnitude": "180", "Unit": "sec"},
    "WFSerializationType": "WFQuantityFieldValue",
}
TEA: Acts = (
    ("timer.start", {"WFDuration": TIME}),
    ("speaktext", {"WFText": "The tea is ready"}),
)


def test_values_are_in_the_words_of_their_actions() -> None:
    text = styled(TEA, "terse")
    wish = 'tart a timer for 180 seconds and say "The tea is ready" out loud.'
    assert text in {f"S{wish}", f"Just s{wish}"}


def test_there_are_eight_shapes_in_five_styles() -> None:
    assert set(SHAPES) == {style.name for style in STYLES}
    assert sum(len(shapes) for shapes in SHAPES.values()) == 8
    texts = {styled(TEA, style, name) for style in SHAPES for name in "ABCDEFGHIJ"}
    openings = {text.split("start")[0].split("Start")[0] for text in texts}
    assert len([entry for entry in openings if "what I call" not in entry]) >= 7


@pytest.mark.parametrize("style", list(SHAPES))
def test_every_required_value_is_stated_once(style: str) -> None:
    acts: Acts = (
        ("selectphoto", {}),
        ("image.resize", {"WFImageResizeWidth": "640"}),
        ("savetocameraroll", {"WFCameraRollSelectedGroup": "Small"}),
        ("speaktext", {"WFText": "Twelve o'clock"}),
        ("showresult", {"Text": "All is well!"}),
    )
    shortcut = given(acts)
    assert [value.value for value in shortcut.required] == ["640", "Small"]
    text = styled(acts, style)
    for value in shortcut.required:
        assert says(text, value), (value, text)
        assert text.count(value.value) == 1, (value, text)
    # Nobody has to say the words of the device; a template still tells them.
    assert "Twelve o'clock" in text
    assert "All is well!" in text


def test_a_text_is_in_the_clause_of_the_action_after_it() -> None:
    note: Acts = (("gettext", {"WFTextActionText": "Buy pears"}),)
    other: Acts = (("gettext", {"WFTextActionText": "Buy plums"}),)
    assert 'copy the text "Buy pears"' in styled((*note, ("setclipboard", {})), "polite")
    assert write_query(given((*note, ("text.split", {}), ("setclipboard", {})))) is None
    assert write_query(given((*note, *other, ("setclipboard", {})))) is None
    assert write_query(given(note)) is None


def test_shared_input_is_taken_first() -> None:
    acts: Acts = (("readinglist", {}), ("speaktext", {"WFText": "Saved"}))
    lines = ("Save [input of the shortcut] to read later", 'Say "Saved"')
    text = write_query(given(acts, lines=lines))
    assert text is not None
    assert "take what I share with you, save it to read later and say" in text
    assert write_query(given(acts)) is None


@pytest.mark.parametrize(
    "apis",
    [
        ("gettext", "setvariable"),
        ("ask",),
        ("openurl",),
        ("setclipboard", "showresult"),
        ("image.resize", "savetocameraroll"),
        ("selectphoto", "share"),
        (),
    ],
)
def test_where_nothing_can_be_told_there_is_no_request(apis: tuple[str, ...]) -> None:
    assert write_query(given(tuple((api, {}) for api in apis))) is None


def test_a_shortcut_with_a_branch_or_two_values_in_an_action_has_no_request() -> None:
    shortcut = given(TEA)
    branch = Deed(2, "vibrate", "Vibrate", branch="1.0")
    replaced = msgspec.structs.replace(shortcut, deeds=(*shortcut.deeds, branch))
    assert write_query(replaced) is None
    replaced = msgspec.structs.replace(shortcut, decisions=shortcut.decisions * 2)
    assert write_query(replaced) is None


def test_a_name_is_the_reason_where_there_is_one() -> None:
    assert styled(TEA, "with_reason", "Tea time").startswith(
        'I need this for what I call "Tea time", so please start'
    )
    assert "{" not in styled(TEA, "with_reason", "Tea {wish} time")


def test_a_sentence_that_ends_in_a_quotation_has_one_end() -> None:
    acts: Acts = (("speaktext", {"WFText": "It is done."}),)
    assert styled(acts, "with_reason").endswith('so please say "It is done." out loud.')
    acts = (("showresult", {"Text": "It is done."}),)
    assert styled(acts, "with_reason").endswith('show me "It is done."')


def test_a_description_speaks_of_its_reader() -> None:
    acts: Acts = (("getcurrentlocation", {}), ("ask", {}), ("getupcomingreminders", {}))
    category = write_category(given(acts, "Where to"))
    assert category is not None
    assert category[2] == (
        "Where to: it can find out where you are, ask you for what it needs and tell you which "
        "reminders are due."
    )
    assert write_category(given((), "Nothing")) is None
    assert write_category(given(acts, "\u00fcber")) is None


def test_texts_of_a_hundred_thousand_characters_do_not_reach_the_request() -> None:
    acts: Acts = (("timer.start", {}), ("speaktext", {"WFText": "so " * 33_000}))
    text = write_query(given(acts, "N" * 100_000))
    assert text is not None
    assert len(text) < 300
