"""Check that descriptions shorten long values by length and digest, and arguments keep them."""

import hashlib

import msgspec
import pytest

from demo.drafts import Draft, attachment, text, token, variable
from tests.parsers.shortcuts.drafts import argument, describe, parse

LONG = "a very long tale " * 10_000
DIGEST = hashlib.sha256(LONG.encode()).hexdigest()[:12]


def test_long_literal_is_shortened_in_the_description_only() -> None:
    draft = Draft("t")
    draft.add("gettext", WFTextActionText=LONG)
    (line,) = describe(draft)
    assert (
        line == f'gettext(WFTextActionText="{LONG[:300]}..." [170000 characters, sha256 {DIGEST}])'
    )
    full_value = argument(parse(draft), 0, "WFTextActionText").value
    assert msgspec.json.decode(full_value) == LONG


def test_shortened_text_keeps_its_tokens() -> None:
    draft = Draft("t")
    draft.add("gettext", WFTextActionText=text("from ", variable("a"), LONG, variable("b"), "!"))
    (line,) = describe(draft)
    assert "from [variable: a]a very long" in line
    assert f"... [170000 characters, sha256 {DIGEST}][variable: b]!" in line
    assert len(line) < 500


def test_long_comment_is_shortened() -> None:
    draft = Draft("t")
    draft.add("comment", WFCommentActionText=LONG)
    (line,) = describe(draft)
    assert line.startswith("# ")
    assert line.endswith(f"[170000 characters, sha256 {DIGEST}]")
    assert len(line) < 500


@pytest.mark.parametrize("length", [1000, 1001])
def test_texts_over_1000_characters_are_shortened(length: int) -> None:
    draft = Draft("t")
    draft.add("gettext", WFTextActionText="x" * length)
    assert ("characters" in describe(draft)[0]) == (length > 1000)


def test_list_elements_beyond_the_limit_are_counted() -> None:
    draft = Draft("t")
    draft.add("list", WFItems=[f"item {number}" for number in range(5000)])
    (line,) = describe(draft)
    assert line.endswith('"item 199", [4800 more]])')


def test_app_intent_descriptor_is_described_by_intent_and_app() -> None:
    draft = Draft("t")
    descriptor = {
        "AppIntentIdentifier": "StartBrew",
        "BundleIdentifier": "org.example.kettle",
        "Name": "Kettle",
        "TeamIdentifier": "ABCDE12345",
    }
    draft.add("org.example.kettle.StartBrew", AppIntentDescriptor=descriptor)
    (line,) = describe(draft)
    assert line.endswith("(AppIntentDescriptor=[StartBrew of the app Kettle, org.example.kettle])")


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ({"WFDateFormatStyle": "None", "WFTimeFormatStyle": "Short"}, "time(Short)"),
        ({"WFDateFormatStyle": "Long"}, "date(Long)"),
        ({"WFDateFormatStyle": "Long", "WFTimeFormatStyle": "Short"}, "date(Long) time(Short)"),
        ({"WFDateFormatStyle": "Custom", "WFDateFormat": "HH:mm"}, "date(HH:mm)"),
        ({"WFDateFormatStyle": "ISO 8601"}, "date(ISO 8601)"),
        (
            {"WFDateFormatStyle": "ISO 8601", "WFISO8601IncludeTime": True},
            "date(ISO 8601 with time)",
        ),
        ({"WFDateFormatStyle": 7}, "date(7)"),
    ],
)
def test_date_formats_are_described(style: dict[str, object], expected: str) -> None:
    draft = Draft("t")
    step = {"Type": "WFDateFormatVariableAggrandizement", **style}
    now = token("CurrentDate", Aggrandizements=[step])
    draft.add("showresult", Text=attachment(now))
    assert describe(draft) == [f"showresult(Text=[needs input: CurrentDate.{expected}])"]


@pytest.mark.parametrize("odd", [{"a": 1}, [1], 7, None])
def test_malformed_serialization_type_gives_a_structure(odd: object) -> None:
    draft = Draft("t")
    value = {"WFSerializationType": odd} if odd is not None else {"WFSerializationType": ["x"]}
    draft.add("gettext", WFTextActionText={**value, "Value": "x"})
    assert argument(parse(draft), 0, "WFTextActionText").kind == "structure"


def test_thousands_of_missing_producers_are_counted() -> None:
    draft = Draft("t")
    missing_outputs = [
        token("ActionOutput", OutputUUID="GONE", OutputName=f"n{n}") for n in range(20_000)
    ]
    draft.add("org.example.app.Do", deep=missing_outputs)
    assert describe(draft)[0].endswith("[output: n199 (of a missing step)], [19800 more]])")
