"""Check which ranges of text attachments are valid, and whether they point to placeholders."""

import pytest

from benchloom.core.built_in_actions import Mapping, parse_range, part_of_output
from demo.drafts import PLACEHOLDER
from parsers.shortcuts.arguments import has_placeholders


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("{0, 1}", (0, 1)),
        ("{12,3}", (12, 3)),
        (" { 4 , 1 } ", (4, 1)),
        ("{2147483647, 1}", (2147483647, 1)),
        ("{2147483648, 1}", None),
        ("{0, 2147483648}", None),
        ("{-1, 1}", None),
        ("{1}", None),
        ("{\u0661, 1}", None),
        ("0, 1", None),
        ("{0, 1}}", None),
        ("", None),
    ],
)
def test_valid_ranges_are_parsed(key: str, expected: tuple[int, int] | None) -> None:
    assert parse_range(key) == expected


def attachment_text(string: object, *keys: str) -> Mapping:
    return {"string": string, "attachmentsByRange": {key: {"Type": "Clipboard"} for key in keys}}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (attachment_text(PLACEHOLDER, "{0, 1}"), True),
        (attachment_text(f"a{PLACEHOLDER}b{PLACEHOLDER}", "{1, 1}", "{3, 1}"), True),
        (attachment_text(f"\U0001f331{PLACEHOLDER}", "{2, 1}"), True),
        # The range points to plain text, or the number of ranges and placeholders differs.
        (attachment_text("a", "{0, 1}"), False),
        (attachment_text(f"a{PLACEHOLDER}", "{0, 1}"), False),
        (attachment_text(f"a{PLACEHOLDER}", "{1, 1}", "{0, 1}"), False),
        (attachment_text(f"{PLACEHOLDER}a", "{0, 1}", "{1, 1}"), False),
        (attachment_text(f"\U0001f331{PLACEHOLDER}", "{1, 1}"), False),
        (attachment_text(PLACEHOLDER, "{1, 1}"), False),
        (attachment_text(PLACEHOLDER, "0, 1"), False),
        (attachment_text("", "{0, 1}"), False),
        (attachment_text("plain"), True),
        (attachment_text(None, "{0, 1}"), False),
        (attachment_text(None), True),
        ({"string": "a", "attachmentsByRange": "x"}, False),
        ({"string": "a", "attachmentsByRange": ""}, True),
    ],
)
def test_ranges_point_to_placeholders(value: Mapping, *, expected: bool) -> None:
    assert has_placeholders(value) is expected


def part(kind: object, **fields: object) -> Mapping:
    return {"Type": kind, **fields}


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([], ""),
        ("x", ""),
        ([part("WFDictionaryValueVariableAggrandizement", DictionaryKey="a.b")], "key(a.b)"),
        ([part("WFPropertyVariableAggrandizement", PropertyName="Name")], "property(Name)"),
        ([part("WFContentItemPropertyName", PropertyName="Name")], "property(Name)"),
        ([part("WFCoercionVariableAggrandizement", CoercionItemClass="WFURL")], "as(WFURL)"),
        ([part("WFDictionaryValueVariableAggrandizement")], "key()"),
        ([part("WFDictionaryValueVariableAggrandizement", DictionaryKey=3)], "key(3)"),
        ([part("Other"), "no step", part(4)], "Other().?()"),
        ([part("WFDateFormatVariableAggrandizement", WFDateFormatStyle="Short")], "date(Short)"),
        (
            [
                part(
                    "WFDateFormatVariableAggrandizement",
                    WFDateFormatStyle="Short",
                    WFTimeFormatStyle="Long",
                )
            ],
            "date(Short) time(Long)",
        ),
        (
            [
                part(
                    "WFDateFormatVariableAggrandizement",
                    WFDateFormatStyle="None",
                    WFTimeFormatStyle="Long",
                )
            ],
            "time(Long)",
        ),
        (
            [
                part(
                    "WFDateFormatVariableAggrandizement",
                    WFDateFormatStyle="RFC 2822",
                    WFTimeFormatStyle="Long",
                )
            ],
            "date(RFC 2822)",
        ),
        (
            [
                part(
                    "WFDateFormatVariableAggrandizement",
                    WFDateFormatStyle="Custom",
                    WFDateFormat="d.M.",
                )
            ],
            "date(d.M.)",
        ),
        (
            [part("WFDateFormatVariableAggrandizement", WFDateFormatStyle="Custom")],
            "date(Custom)",
        ),
        (
            [part("WFDateFormatVariableAggrandizement", WFDateFormatStyle="ISO 8601")],
            "date(ISO 8601)",
        ),
        (
            [
                part(
                    "WFDateFormatVariableAggrandizement",
                    WFDateFormatStyle="ISO 8601",
                    WFISO8601IncludeTime=True,
                )
            ],
            "date(ISO 8601 with time)",
        ),
        (
            [
                part("WFDictionaryValueVariableAggrandizement", DictionaryKey="a"),
                part("WFCoercionVariableAggrandizement", CoercionItemClass="WFURL"),
            ],
            "key(a).as(WFURL)",
        ),
    ],
)
def test_path_into_an_output_is_described(steps: object, expected: str) -> None:
    assert part_of_output({"Aggrandizements": steps}) == expected
