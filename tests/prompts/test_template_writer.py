"""Check that the offline writer's sentences read as a person would write them."""

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


def build_input(acts: Acts, name: str = "", lines: tuple[str, ...] = ()) -> ShortcutInput:
    """Return the input of a shortcut with these actions."""
    actions = tuple(action(api, None, index, values) for index, (api, values) in enumerate(acts))
    workflow = "\n".join(lines or [api for api, _ in acts])
    row = ShortcutRow("shortcut:1", "made/1.plist", name, None, actions, len(acts), workflow)
    return shortcut_input(row, {})


def write_in_style(acts: Acts, style: str, name: str = "") -> str:
    chosen = next(entry for entry in STYLES if entry.name == style)
    text = write_query(msgspec.structs.replace(build_input(acts, name), style=chosen))
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


def test_values_appear_in_the_words_of_their_actions() -> None:
    text = write_in_style(TEA, "terse")
    wish = 'tart a timer for 180 seconds and say "The tea is ready" out loud.'
    assert text in {f"S{wish}", f"Just s{wish}"}


def test_writer_has_eight_shapes_in_five_styles() -> None:
    assert set(SHAPES) == {style.name for style in STYLES}
    assert sum(len(shapes) for shapes in SHAPES.values()) == 8
    texts = {write_in_style(TEA, style, name) for style in SHAPES for name in "ABCDEFGHIJ"}
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
    shortcut = build_input(acts)
    assert [value.value for value in shortcut.required] == ["640", "Small"]
    text = write_in_style(acts, style)
    for value in shortcut.required:
        assert says(text, value), (value, text)
        assert text.count(value.value) == 1, (value, text)
    # Texts that only the device shows or speaks are not required, but templates include them.
    assert "Twelve o'clock" in text
    assert "All is well!" in text


def test_text_is_quoted_in_the_clause_of_the_next_action() -> None:
    note: Acts = (("gettext", {"WFTextActionText": "Buy pears"}),)
    other: Acts = (("gettext", {"WFTextActionText": "Buy plums"}),)
    assert 'copy the text "Buy pears"' in write_in_style((*note, ("setclipboard", {})), "polite")
    assert write_query(build_input((*note, ("text.split", {}), ("setclipboard", {})))) is None
    assert write_query(build_input((*note, *other, ("setclipboard", {})))) is None
    assert write_query(build_input(note)) is None


def test_shared_input_is_mentioned_first() -> None:
    acts: Acts = (("readinglist", {}), ("speaktext", {"WFText": "Saved"}))
    lines = ("Save [input of the shortcut] to read later", 'Say "Saved"')
    text = write_query(build_input(acts, lines=lines))
    assert text is not None
    assert "take what I share with you, save it to read later and say" in text
    assert write_query(build_input(acts)) is None


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
def test_undescribable_actions_yield_no_request(apis: tuple[str, ...]) -> None:
    assert write_query(build_input(tuple((api, {}) for api in apis))) is None


def test_branch_or_two_values_of_an_action_yield_no_request() -> None:
    shortcut = build_input(TEA)
    branch = Deed(2, "vibrate", "Vibrate", branch="1.0")
    replaced = msgspec.structs.replace(shortcut, deeds=(*shortcut.deeds, branch))
    assert write_query(replaced) is None
    replaced = msgspec.structs.replace(shortcut, decisions=shortcut.decisions * 2)
    assert write_query(replaced) is None


def test_reason_mentions_the_name_of_the_shortcut() -> None:
    assert write_in_style(TEA, "with_reason", "Tea time").startswith(
        'I need this for what I call "Tea time", so please start'
    )
    assert "{" not in write_in_style(TEA, "with_reason", "Tea {wish} time")


def test_final_quotation_gets_no_second_period() -> None:
    acts: Acts = (("speaktext", {"WFText": "It is done."}),)
    assert write_in_style(acts, "with_reason").endswith('so please say "It is done." out loud.')
    acts = (("showresult", {"Text": "It is done."}),)
    assert write_in_style(acts, "with_reason").endswith('show me "It is done."')


def test_description_addresses_its_reader() -> None:
    acts: Acts = (("getcurrentlocation", {}), ("ask", {}), ("getupcomingreminders", {}))
    category = write_category(build_input(acts, "Where to"))
    assert category is not None
    assert category[2] == (
        "Where to: it can find out where you are, ask you for what it needs and tell you which "
        "reminders are due."
    )
    assert write_category(build_input((), "Nothing")) is None
    assert write_category(build_input(acts, "\u00fcber")) is None


def test_very_long_texts_are_left_out_of_the_request() -> None:
    acts: Acts = (("timer.start", {}), ("speaktext", {"WFText": "so " * 33_000}))
    text = write_query(build_input(acts, "N" * 100_000))
    assert text is not None
    assert len(text) < 300
