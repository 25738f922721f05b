"""Replies are asked for in declared order, so that a model thinks before it judges."""

import msgspec

from prompts.steps.category import CategoryReply
from prompts.steps.parameters import ParametersReply
from prompts.talks import reply_schema


class _Reason(msgspec.Struct, frozen=True):
    why: str
    grade: int


class _Reply(msgspec.Struct, frozen=True):
    zebra: str
    reasons: tuple[_Reason, ...]
    alpha: bool


def test_fields_stand_as_declared_at_every_depth() -> None:
    schema = msgspec.json.decode(reply_schema(_Reply))
    assert list(schema["properties"]) == schema["required"] == ["zebra", "reasons", "alpha"]
    inner = schema["properties"]["reasons"]["items"]
    assert list(inner["properties"]) == inner["required"] == ["why", "grade"]


def test_reasons_come_before_what_they_decide() -> None:
    category = reply_schema(CategoryReply)
    assert category.index('"description":') < category.index('"category":')
    judged = reply_schema(ParametersReply)
    assert judged.index('"evidence":') < judged.index('"relation":')
