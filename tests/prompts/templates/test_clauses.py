"""Clauses of requests for addresses, files, sums, conditions, links and sortings."""

import pytest

from prompts.inputs.shortcuts import Deed, ShortcutRow, shortcut_input
from prompts.language.value_texts.literals import ActionRow
from prompts.templates.clauses.addresses import Address, address_of, app_named
from prompts.templates.clauses.conditions import hour_of, outcome_of
from prompts.templates.clauses.files import file_clause
from prompts.templates.clauses.languages import translation
from prompts.templates.clauses.sums import sum_of
from prompts.templates.fitting import fitted
from prompts.templates.requests import write_query

SYSTEM = "is.workflow.actions."


def told(*actions: tuple[str, str]) -> str:
    """The request for actions of these APIs and lines, without the opening; empty for none."""
    controls = {"If": "open", "Otherwise": "branch", "End If": "close", "Menu": "open"}
    controls |= {"Case": "branch", "End Menu": "close"}
    rows = []
    for index, (api, line) in enumerate(actions):
        control = next((name for word, name in controls.items() if line.startswith(word)), None)
        rows.append(ActionRow(index, SYSTEM + api, control, ()))
    workflow = "\n".join(line for _, line in actions)
    row = ShortcutRow("shortcut:1", "a", "", None, tuple(rows), len(rows), workflow)
    return write_query(shortcut_input(row, {})) or ""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('"waze://"', Address("Waze", filled=False)),
        ('"comgooglemaps://?daddr=[variable: Home]"', Address("Google Maps", filled=True)),
        ('"prefs:root=BATTERY_USAGE"', Address("the battery settings", filled=False)),
        (
            'Replace "^https?://" with "firefox://" in "[output: URL]"',
            Address("Firefox", filled=True),
        ),
        ('"teapot://pour"', None),
        ('"prefs:root=TEAPOT"', None),
        ('"https://tea.example"', None),
    ],
)
def test_addresses_inside_the_device(line: str, expected: Address | None) -> None:
    assert address_of(line) == expected


def test_an_app_goes_by_the_name_in_its_identifier() -> None:
    assert app_named('Open App(app identifier: "com.example.TeaPot")') == "Tea Pot"
    assert app_named('Open App(app identifier: "com.example.teapot")') == ""
    assert "open Tea Pot" in told(("openapp", 'Open App(app identifier: "com.example.TeaPot")'))


def test_an_address_that_is_filled_opens_what_was_found_before() -> None:
    share = ("setvariable", 'Set variable "Link" to [needs input: ExtensionInput]')
    address = ("url", '"firefox://open-url?url=[variable: Link]" -> URL')
    text = told(share, address, ("openurl", "Open [output: URL]"))
    assert "take what I share with you and open it in Firefox" in text
    other = ("url", '"teapot://pour?what=[variable: Link]" -> URL')
    assert told(share, other, ("openurl", "Open [output: URL]")) == ""


@pytest.mark.parametrize(
    ("api", "line", "expected"),
    [
        ("documentpicker.open", 'Get File(path: "Drinks/Teas.txt")', 'open my file "Teas"'),
        ("file.append", '"Append" "x"  {file path: "Teas.csv"}', 'write it to my file "Teas"'),
        ("documentpicker.save", 'Save {subpath: "[output: Day].txt"}', ""),
        ("documentpicker.save", 'Save {subpath: "cache_v2.txt"}', ""),
        ("print", 'Print {path: "Teas.txt"}', ""),
    ],
)
def test_files_go_by_their_names(api: str, line: str, expected: str) -> None:
    assert file_clause(api, line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            '"[variable: cups]" "\u00d7" "[variable: cupPrice]" -> Total',
            "multiply the cups by the cup price",
        ),
        ('[variable: minutes] "-" 4', "subtract 4 from the minutes"),
        ('[output: Calculation Result] "+" 7 -> Sum', ""),
        ('[variable: cups] "\u2026" [Operand not given]', ""),
    ],
)
def test_sums_of_named_things(line: str, expected: str) -> None:
    assert sum_of(Deed(0, "math", line)) == expected


def test_what_is_worked_out_is_told_where_its_parts_have_names() -> None:
    level = ("getbatterylevel", "Get battery level -> Battery Level")
    named = ("math", '[output: Battery Level] "\u00d7" 2 -> Twice')
    show = ("showresult", 'Show "[output: Twice]"')
    text = told(level, named, show)
    assert "heck the battery, multiply the battery level by 2 and show me the result" in text
    assert told(level, ("math", '[result of step 1: Battery] "\u00d7" 2 -> Twice'), show) == ""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('Translate [previous output] from "Detect Language" to "sv_SE"', "into Swedish"),
        ("Translate x to [needs input: asked each time]", "into a language that I name"),
        ('Translate x to "[variable: Language]"', ""),
    ],
)
def test_the_language_that_is_translated_into(line: str, expected: str) -> None:
    assert translation(line).removeprefix("translate the text ") == expected


FORMAT = ("format.date", 'Format "[output: Date]"  {format string: "H"} -> Hour')
WAZE = (("url", '"waze://" -> URL'), ("openurl", "Open [output: URL]"))


def test_a_condition_on_the_hour_is_told_as_the_time_of_day() -> None:
    end = ("conditional", "End If")
    text = told(FORMAT, ("conditional", "If [output: Hour] is less than 7"), *WAZE, end)
    assert "pen Waze if it is before 7 o'clock" in text
    text = told(FORMAT, ("conditional", 'If [output: Hour] is at least "7"'), *WAZE, end)
    assert "pen Waze if it is 7 o'clock or later" in text
    # What comes behind the condition would read as if it depended on it too.
    block = (("conditional", "If [output: Hour] is less than 7"), *WAZE, end)
    assert told(FORMAT, *block, ("takephoto", "Take a photo")) == ""
    assert told(FORMAT, ("conditional", "If [output: Hour] is less than 70"), *WAZE, end) == ""


@pytest.mark.parametrize(
    ("deeds", "line"),
    [
        ((Deed(0, "ask", 'Ask "When?"'), Deed(1, *FORMAT)), "If [output: Hour] is less than 7"),
        (
            (Deed(0, "format.date", 'Format {format string: "d"}'),),
            "If [output: Day] is at least 7",
        ),
        ((Deed(0, *FORMAT), Deed(1, *FORMAT)), "If [output: Hour] is less than 7"),
        ((Deed(0, *FORMAT),), "If [output: Hour] is greater than 7"),
    ],
)
def test_any_other_condition_is_no_time_of_day(deeds: tuple[Deed, ...], line: str) -> None:
    assert hour_of(Deed(5, "conditional", line), deeds) is None


def test_which_of_two_reports_comes_is_told_by_both() -> None:
    block = Deed(1, "conditional", "If [output: Leaf] is 1")
    green = Deed(2, "alert", 'Show alert "Green tea"', "1.0")
    black = Deed(3, "notification", 'Show notification "Black tea"', "1.1")
    assert outcome_of(block, (block, green, black)) == (
        'show me "Green tea" or "Black tea", whichever applies'
    )
    untold = "let me know how it turns out"
    token = Deed(3, "alert", 'Show alert "[output: Tea]"', "1.1")
    assert outcome_of(block, (block, green, token)) == untold
    titled = Deed(3, "alert", 'Show alert "More?"  {title of the alert: "No tea"}', "1.1")
    assert 'or "No tea", whichever' in outcome_of(block, (block, green, titled))
    assert outcome_of(block, (block, green)) == untold
    # Alone it says nothing that anybody could ask for.
    parts = (("conditional", "Otherwise"), ("alert", 'Show alert "[output: B]"'))
    first = ("alert", 'Show alert "[output: A]"')
    end = ("conditional", "End If")
    assert told(("conditional", "If [output: Leaf] is 1"), first, *parts, end) == ""


PREVIOUS = ("conditional", 'If [input of the shortcut] contains "tea.example.com"')
OTHERWISE = (("conditional", "Otherwise"), ("getclipboard", "Get clipboard"))
END = ("conditional", "End If")


def test_a_link_that_is_shared_is_opened_shown_or_downloaded() -> None:
    text = told(PREVIOUS, *OTHERWISE, END, ("openurl", "Open [input of the shortcut]"))
    assert "pen the tea.example.com link that I share with you" in text
    text = told(("showwebpage", "Show webpage at [input of the shortcut]"))
    assert "how me the page behind the link that I share with you" in text
    text = told(("count", "Count [needs input: ExtensionInput]"), ("downloadurl", "Get contents"))
    assert "ownload what is behind the link that I share with you" in text


def test_a_link_that_is_changed_is_another_one() -> None:
    share = ("setvariable", 'Set variable "Link" to [needs input: ExtensionInput]')
    changed = ("text.replace", 'Replace "a" with "b" in "[variable: Link]"')
    assert told(share, changed, ("openurl", "Open [input of the shortcut]")) == ""


def test_what_is_chosen_of_a_link_is_downloaded() -> None:
    menu = (("choosefrommenu", 'Menu ["Large", "Small"]'), ("choosefrommenu", "Case"))
    cases = (("gettext", "Text"), ("choosefrommenu", "Case"), ("gettext", "Text"))
    fetch = ("downloadurl", "Get contents of [result of step 3: End If]")
    text = told(
        PREVIOUS, *OTHERWISE, END, fetch, *menu, *cases, ("choosefrommenu", "End Menu"), fetch
    )
    assert 'choose between "Large" and "Small" and download what is behind the tea' in text
    # Without a choice nobody can tell what is fetched in the end.
    assert told(PREVIOUS, *OTHERWISE, END, fetch, ("takephoto", "Take a photo"), fetch) == ""


def test_sorting_by_words_is_told_by_its_drawers() -> None:
    drawer = 'Replace "(?i)^.*(%s).*$" with "%s" in "[previous output]" -> Updated Text'
    words = (("oolong|sencha", "Tea"), ("latte|mocha", "Coffee"), ("milk|cream...", "Dairy"))
    rows = [("text.replace", drawer % pair) for pair in words]
    rows[2] = ("text.replace", rows[2][1].replace('...).*$"', '..."'))
    share = ("gettext", 'Text("[needs input: ExtensionInput]")')
    save = ("file.append", '"Append" "[output: Text]"  {file path: "Drinks.txt"}')
    text = told(share, *rows, save)
    assert 'tell whether it is "Tea", "Coffee" or "Dairy" and write it to my file "Dri' in text
    assert "whether" not in told(share, *rows[:2], save)


def test_a_list_goes_by_its_question() -> None:
    # What is asked with stands in the arguments, of which these actions have none.
    share = ("choosefromlist", "Choose from [output: Teas]")
    page = ("showwebpage", "Show webpage at [output: Selected Item]")
    text = told(("getmyworkflows", "Get my shortcuts"), share, page)
    assert "let me pick from a list and show me the page that I choose" in text


def test_a_question_that_is_none_for_a_sentence_is_not_left_out() -> None:
    rest = ["ask me for what you need", "write a note"]
    assert fitted(['ask me "Which tea?"', *rest], "") == [
        'ask me "Which tea?"', "ask me for the rest", "write a note",
    ]  # fmt: skip
    assert fitted(rest, "") is None
