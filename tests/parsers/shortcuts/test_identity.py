"""Identity: what an editor generates does not count, everything else does."""

import pytest

from demo.drafts import Draft
from parsers.shortcuts.arguments import canonical_json
from parsers.walk import Walk, canonical_scalar
from tests.parsers.shortcuts.drafts import parse


def number(value: object) -> str:
    draft = Draft("number")
    draft.add("number", WFNumberActionNumber=value)
    return parse(draft).shortcut_id


def test_a_whole_number_is_the_same_however_it_is_written() -> None:
    assert number(5.0) == number(5)
    assert number(-0.0) == number(0)
    assert number(2.0**40) == number(2**40)


@pytest.mark.parametrize("other", [5.5, 6, "5", True, -5, 5.000001])
def test_another_number_is_another_shortcut(other: object) -> None:
    assert number(other) != number(5)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (5.0, b"5"),
        (5.25, b"5.25"),
        (float("inf"), b'{"float":"inf"}'),
        (float("-inf"), b'{"float":"-inf"}'),
        (float("nan"), b'{"float":"nan"}'),
    ],
)
def test_the_canonical_form_of_a_number(value: float, expected: bytes) -> None:
    assert canonical_json(canonical_scalar(value)) == expected
    nested: dict[str, object] = {"a": [value]}
    Walk().canonicalise(nested)
    assert canonical_json(nested) == b'{"a":[' + expected + b"]}"


def token(uuid: str, name: str = "Text") -> dict[str, object]:
    value = {"OutputUUID": uuid, "Type": "ActionOutput", "OutputName": name}
    return {"Value": value, "WFSerializationType": "WFTextTokenAttachment"}


def reading(*uuids: str, name: str = "Text", second: str = "BBBB") -> Draft:
    """Two texts and a notification whose parameters read one of them each, or nothing."""
    draft = Draft("reading")
    for text, uuid in (("one", "AAAA"), ("two", second)):
        parameters = {"WFTextActionText": text, "UUID": uuid}
        draft.raw("is.workflow.actions.gettext", parameters)
    read = {f"Part{number}": token(uuid, name) for number, uuid in enumerate(uuids)}
    draft.raw("is.workflow.actions.notification", read)
    return draft


def test_a_reference_counts_by_the_action_it_binds_to() -> None:
    first, second = parse(reading("AAAA")), parse(reading("BBBB"))
    assert first.shortcut_id != second.shortcut_id
    assert parse(reading("AAAA", name="Texto")).shortcut_id == first.shortcut_id
    renamed = parse(reading("CCCC", second="CCCC"))
    assert renamed.shortcut_id == second.shortcut_id
    assert renamed.canonical_digest != second.canonical_digest


def test_a_dangling_reference_is_not_one_that_binds() -> None:
    dangling = parse(reading("DDDD"))
    assert dangling.shortcut_id == parse(reading("EEEE")).shortcut_id
    assert dangling.shortcut_id not in {
        parse(reading("AAAA")).shortcut_id,
        parse(reading("BBBB")).shortcut_id,
    }


def test_dangling_references_count_by_their_first_place() -> None:
    different = parse(reading("DDDD", "EEEE"))
    assert parse(reading("EEEE", "DDDD")).shortcut_id == different.shortcut_id
    assert parse(reading("DDDD", "DDDD")).shortcut_id != different.shortcut_id
    three = {
        parse(reading(*uuids)).shortcut_id
        for uuids in (("D", "E", "D"), ("D", "D", "E"), ("D", "E", "E"), ("D", "E", "F"))
    }
    assert len(three) == 4


def test_groups_count_by_their_first_place() -> None:
    def blocks(*groups: str) -> str:
        draft = Draft("blocks")
        for group, mode in zip(groups, (0, 0, 2, 2), strict=True):
            draft.control("repeat.count", group, mode)
        return parse(draft).shortcut_id

    assert blocks("a", "b", "b", "a") == blocks("b", "a", "a", "b")
    assert blocks("a", "b", "b", "a") != blocks("a", "b", "a", "b")


def test_only_the_actions_count() -> None:
    draft = reading("AAAA")
    draft.root = {"WFWorkflowClientVersion": "1", "WFWorkflowTypes": []}
    assert parse(draft).shortcut_id == parse(reading("AAAA")).shortcut_id
