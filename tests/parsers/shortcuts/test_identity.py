"""Check that shortcut ids ignore values that an editor generates, and nothing else."""

import pytest

from demo.drafts import Draft
from parsers.shortcuts.arguments import canonical_json
from parsers.walk import Walk, canonical_scalar
from tests.parsers.shortcuts.drafts import parse


def number_shortcut_id(value: object) -> str:
    draft = Draft("number")
    draft.add("number", WFNumberActionNumber=value)
    return parse(draft).shortcut_id


def test_equal_numbers_give_equal_ids() -> None:
    assert number_shortcut_id(5.0) == number_shortcut_id(5)
    assert number_shortcut_id(-0.0) == number_shortcut_id(0)
    assert number_shortcut_id(2.0**40) == number_shortcut_id(2**40)


@pytest.mark.parametrize("other", [5.5, 6, "5", True, -5, 5.000001])
def test_different_values_give_different_ids(other: object) -> None:
    assert number_shortcut_id(other) != number_shortcut_id(5)


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
def test_canonical_form_of_numbers(value: float, expected: bytes) -> None:
    assert canonical_json(canonical_scalar(value)) == expected
    nested: dict[str, object] = {"a": [value]}
    Walk().canonicalise(nested)
    assert canonical_json(nested) == b'{"a":[' + expected + b"]}"


def token(uuid: str, name: str = "Text") -> dict[str, object]:
    value = {"OutputUUID": uuid, "Type": "ActionOutput", "OutputName": name}
    return {"Value": value, "WFSerializationType": "WFTextTokenAttachment"}


def draft_with_references(*uuids: str, name: str = "Text", second: str = "BBBB") -> Draft:
    """Return two texts and a notification whose parameters refer to a text or to nothing."""
    draft = Draft("reading")
    for text, uuid in (("one", "AAAA"), ("two", second)):
        parameters = {"WFTextActionText": text, "UUID": uuid}
        draft.raw("is.workflow.actions.gettext", parameters)
    read = {f"Part{index}": token(uuid, name) for index, uuid in enumerate(uuids)}
    draft.raw("is.workflow.actions.notification", read)
    return draft


def test_references_count_by_their_producer() -> None:
    first, second = parse(draft_with_references("AAAA")), parse(draft_with_references("BBBB"))
    assert first.shortcut_id != second.shortcut_id
    assert parse(draft_with_references("AAAA", name="Texto")).shortcut_id == first.shortcut_id
    renamed = parse(draft_with_references("CCCC", second="CCCC"))
    assert renamed.shortcut_id == second.shortcut_id
    assert renamed.canonical_digest != second.canonical_digest


def test_dangling_and_bound_references_give_different_ids() -> None:
    dangling = parse(draft_with_references("DDDD"))
    assert dangling.shortcut_id == parse(draft_with_references("EEEE")).shortcut_id
    assert dangling.shortcut_id not in {
        parse(draft_with_references("AAAA")).shortcut_id,
        parse(draft_with_references("BBBB")).shortcut_id,
    }


def test_dangling_references_count_by_order_of_appearance() -> None:
    different = parse(draft_with_references("DDDD", "EEEE"))
    assert parse(draft_with_references("EEEE", "DDDD")).shortcut_id == different.shortcut_id
    assert parse(draft_with_references("DDDD", "DDDD")).shortcut_id != different.shortcut_id
    three = {
        parse(draft_with_references(*uuids)).shortcut_id
        for uuids in (("D", "E", "D"), ("D", "D", "E"), ("D", "E", "E"), ("D", "E", "F"))
    }
    assert len(three) == 4


def test_groups_count_by_order_of_appearance() -> None:
    def blocks_id(*groups: str) -> str:
        draft = Draft("blocks")
        for group, mode in zip(groups, (0, 0, 2, 2), strict=True):
            draft.control("repeat.count", group, mode)
        return parse(draft).shortcut_id

    assert blocks_id("a", "b", "b", "a") == blocks_id("b", "a", "a", "b")
    assert blocks_id("a", "b", "b", "a") != blocks_id("a", "b", "a", "b")


def test_only_actions_determine_the_id() -> None:
    draft = draft_with_references("AAAA")
    draft.root = {"WFWorkflowClientVersion": "1", "WFWorkflowTypes": []}
    assert parse(draft).shortcut_id == parse(draft_with_references("AAAA")).shortcut_id
