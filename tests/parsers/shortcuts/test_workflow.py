"""Check that workflow descriptions read in order and mark tokens that need input."""

from demo.containers import binary
from demo.drafts import Draft, attachment, text, token, variable
from parsers.shortcuts import parse_shortcut
from tests.support.demo_files.good import rain_or_shine, sort_the_mail


def describe(draft: Draft) -> list[str]:
    return parse_shortcut(binary(draft.build()), "x").workflow.splitlines()


def test_attachments_are_described_in_numeric_order() -> None:
    draft = Draft("t")
    parts = [f"{number}=" for number in range(12)]
    tokens = [variable(f"v{number}") for number in range(12)]
    pieces = [piece for pair in zip(parts, tokens, strict=True) for piece in pair]
    draft.add("showresult", Text=text(*pieces))
    expected = "".join(f"{number}=[variable: v{number}]" for number in range(12))
    assert describe(draft) == [f'showresult(Text="{expected}")']


def test_surrogate_pairs_do_not_shift_tokens() -> None:
    draft = Draft("t")
    draft.add("showresult", Text=text("\U0001f600\U0001f600", token("Ask"), "\U0001f600!"))
    assert describe(draft) == [
        'showresult(Text="\U0001f600\U0001f600[needs input: Ask]\U0001f600!")'
    ]


def test_condition_is_described_as_if_otherwise_end_if() -> None:
    lines = describe(rain_or_shine())
    assert lines[1] == 'If [output: Weather Conditions] contains "Rain"'
    assert lines[2] == '  speaktext(WFText="Take the umbrella")'
    assert lines[3] == "Otherwise"
    assert lines[-1] == "End If"


def test_menu_description_lists_choices_and_cases() -> None:
    lines = describe(sort_the_mail())
    assert lines[0] == 'Menu "What came today?" ["Bill", "Letter", "Nothing"]'
    assert [line for line in lines if line.startswith("Case")] == [
        'Case "Bill"',
        'Case "Letter"',
        'Case "Nothing"',
    ]
    assert "[needs input: CurrentDate]" in lines[5]


def test_comments_and_data_stay_on_one_line() -> None:
    draft = Draft("t")
    draft.add("comment", WFCommentActionText="first line\nsecond   line")
    draft.add("file", Data=b"\0" * 7, Input=attachment(token("Clipboard")))
    assert describe(draft) == [
        "# first line second line",
        "file(Data=[7 bytes of data, sha256 837885c8f809], Input=[needs input: Clipboard])",
    ]
