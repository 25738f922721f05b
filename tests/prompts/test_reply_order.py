"""Check that replies are requested in declared order, so that models reason before they judge."""

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


def test_schema_fields_keep_the_declared_order_at_every_depth() -> None:
    schema = msgspec.json.decode(reply_schema(_Reply))
    assert list(schema["properties"]) == schema["required"] == ["zebra", "reasons", "alpha"]
    inner = schema["properties"]["reasons"]["items"]
    assert list(inner["properties"]) == inner["required"] == ["why", "grade"]


def test_reasons_precede_the_decisions_in_replies() -> None:
    category = reply_schema(CategoryReply)
    assert category.index('"description":') < category.index('"category":')
    judged = reply_schema(ParametersReply)
    assert judged.index('"evidence":') < judged.index('"relation":')
