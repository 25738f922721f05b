"""Which shortcuts the offline writer tells, and that it tells nothing else of them."""

import pytest

from prompts.inputs.shortcuts import Deed, ShortcutInput, ShortcutRow, shortcut_input
from prompts.language.value_texts.literals import ActionRow
from prompts.templates.requests import write_query
from prompts.templates.uses import when_due

SYSTEM = "is.workflow.actions."


def told(*lines: str) -> str | None:
    """The request for a shortcut of these lines; indented ones stand in the block before them."""
    actions: list[ActionRow] = []
    for index, line in enumerate(lines):
        bare = line.strip()
        api = bare.partition("(")[0].partition(" ")[0]
        control: str | None = None
        for word, name in (("If", "conditional"), ("Menu", "choosefrommenu")):
            if bare.startswith(word):
                api, control = name, "open"
        for word, name, part in (
            ("Otherwise", "conditional", "branch"),
            ("End If", "conditional", "close"),
            ("Case", "choosefrommenu", "branch"),
            ("End Menu", "choosefrommenu", "close"),
        ):
            if bare.startswith(word):
                api, control = name, part
        actions.append(ActionRow(index, SYSTEM + api, control, ()))
    row = ShortcutRow("shortcut:1", "a", "", None, tuple(actions), len(lines), "\n".join(lines))
    return write_query(shortcut_input(row, {}))


def branches_of(*lines: str) -> list[str]:
    actions = tuple(
        ActionRow(index, SYSTEM + api, control or None, ())
        for index, (api, _, control) in enumerate(line.partition(":") for line in lines)
    )
    row = ShortcutRow("shortcut:1", "a", "", None, actions, 1, "\n".join(lines))
    sample_input: ShortcutInput = shortcut_input(row, {})
    return [deed.branch for deed in sample_input.deeds]


def test_every_action_knows_its_branches() -> None:
    assert branches_of(
        "takephoto", "conditional:open", "alert", "conditional:branch", "repeat.each:open",
        "choosefrommenu:open", "choosefrommenu:branch", "print", "choosefrommenu:close",
        "repeat.each:close", "conditional:close", "share",
    ) == ["", "", "1.0", "1.1", "1.1", "1.1/5.1", ""]  # fmt: skip


def test_what_depends_on_a_choice_is_not_told() -> None:
    assert told("Menu", "Case", "  takephoto", "Case", "  deletephotos", "End Menu") is None
    assert told("takephoto", "If [output: Day] is 3", "  print", "End If") is None


def test_a_menu_of_a_few_things_is_told_by_them() -> None:
    menu = ('["Brew tea", "Read on"]', "Case", "  createnote", "Case", "  print", "End Menu")
    text = told(f"Menu {menu[0]}", *menu[1:], "takephoto")
    assert text is not None
    assert 'et me choose between "Brew tea" and "Read on"' in text
    assert "note" not in text
    long = ", ".join(f'"Thing {number}"' for number in range(6))
    assert told(f"Menu [{long}]", *menu[1:], "takephoto") is None


def test_a_question_of_a_menu_that_only_holds_the_answer_is_told() -> None:
    text = told(
        'Menu "Which tea?" ["Green", "Black", "White", "Blue", "Cold"]',
        "Case", "  gettext", "Case", "  gettext", "End Menu", "createnote",
    )  # fmt: skip
    assert text is not None
    assert 'ask me "Which tea?" and write a note' in text


def test_what_gathers_the_input_or_reports_a_fault_needs_no_words() -> None:
    text = told(
        "If [needs input: ExtensionInput] has any value", "  setvariable", "Otherwise",
        "  selectphoto", "End If", "takephoto", "If [output: Photo] is 0", "  alert", "  exit",
        "End If", "print",
    )  # fmt: skip
    assert text is not None
    assert "take a photo and print it" in text
    assert "message" not in text
    text = told(
        "takephoto", "If [output: Fault] has any value", "  alert", "  openurl", "  exit",
        "End If", "print",
    )  # fmt: skip
    assert text is not None
    assert "take a photo and print it" in text
    text = told("If [output: Tea] has any value", "  createnote", "Otherwise", "  alert", "End If")
    assert text is not None
    assert "write a note" in text
    assert "message" not in text


@pytest.mark.parametrize(
    "lines",
    [
        ("takephoto", "runsshscript"),
        ("takephoto", *["text.replace"] * 4, "print"),
        ("takephoto", 'gettext(WFTextActionText="<html> <body>")', "print"),
        ("ask", "math", "showresult"),
        ("createnote", "com.example.brew"),
        ('url("teapot://pour")', "openurl", "takephoto"),
        ("takephoto", "print", "createnote", "sendmessage", "share", "tweet"),
        ("takephoto", "filter.photos(filter: [where Name is x])"),
    ],
)
def test_what_no_clause_shows_leaves_no_request(lines: tuple[str, ...]) -> None:
    assert told(*lines) is None


def test_it_and_them_have_something_to_mean() -> None:
    text = told("print")
    assert text is not None
    assert "take what I share with you and print it" in text
    text = told("searchmaps")
    assert text is not None
    assert "take what I share with you and look it up on the map" in text
    text = told("getpodcastsfromlibrary", "airdropdocument", "print")
    assert text is not None
    assert "print them" in text
    assert told("setvariable", "gettext", "share") is None
    text = told("takephoto", "alert", "print")
    assert text is not None
    assert "ake a photo and print it" in text


def test_an_address_inside_an_app_is_no_page_of_the_site_before() -> None:
    address = 'url("https://gardens.example/a")'
    text = told(address, "openurl")
    assert text is not None
    assert "open the page on gardens.example" in text
    assert told(address, "downloadurl", 'url("garden://b")', "openurl") is None


def test_what_only_an_update_takes_is_no_input_and_no_question_is_left_out() -> None:
    text = told("setvariable([needs input: ExtensionInput], jjh_input)", "takephoto", "print")
    assert text is not None
    assert "share with you" not in text
    assert told('ask(question to ask: "[output: Pot]?")', "takephoto", "print") is None


ROWING = "https://rowing.example.com"


@pytest.mark.parametrize(
    "lines",
    [
        ("ask(prompt)", f'downloadurl(url: "{ROWING}/times") -> Times'),
        (f'downloadurl(url: "{ROWING}/tide?harbour=Ostrand") -> Tide', "showresult(content)"),
        (f'downloadurl(url: "{ROWING}/lock", method: "POST")', "takephoto"),
        (
            'getarticle(url: "[needs input: what is shared with it]") -> Article',
            'gettext(text: "[output: Article.property(Author)]") -> Text',
            "setclipboard(content: [output: Text])",
        ),
        (
            "selectphoto(select multiple: true) -> sails",
            "image.combine(images: [output: sails]) -> grid",
            "image.crop(image: [output: sails])",
            'showresult(content: "[output: grid]")',
        ),
        ("selectcontacts", "setclipboard", "sendmessage"),
        ('Menu ["Row out", "Row home"]', "Case", "  takephoto", "Case", "  print", "End Menu"),
        (
            'ask(question to ask: "How long?") -> Answer',
            'adjustdate(by: {Operation: "Add", Unit: "Second", Value: [variable: Sum]}) -> Due',
            'addnewreminder(time: "[output: Due]", alert trigger: "At Time")',
        ),
    ],
)
def test_what_a_clause_would_tell_wrongly_or_without_its_point_is_not_told(
    lines: tuple[str, ...],
) -> None:
    assert told(*lines) is None


def test_several_photos_and_what_is_done_with_what_was_fetched_are_told() -> None:
    text = told("selectphoto(select multiple: true) -> sails", "makepdf", "showresult")
    assert text is not None
    assert "choose some photos" in text
    fetched = told(f'downloadurl(url: "{ROWING}/times") -> Times', "createnote")
    assert fetched is not None
    assert "from rowing.example.com" in fetched


def test_a_reminder_comes_as_many_minutes_later_as_were_asked_for() -> None:
    lines = (
        'ask(input type: "Number") -> Minutes',
        'adjustdate(by: {Operation: "Add", Unit: "Minute", Value: [output: Minutes]}) -> Due',
        'addnewreminder(time: "[output: Due]", alert trigger: "At Time")',
    )
    apis = ("ask", "adjustdate", "addnewreminder")
    deeds = tuple(Deed(n, api, line) for n, (api, line) in enumerate(zip(apis, lines, strict=True)))
    assert when_due(deeds[2], deeds) == " that many minutes later"
    assert when_due(deeds[2], deeds[1:]) is None
    assert when_due(Deed(0, "addnewreminder", "New Reminder()"), deeds) == ""
