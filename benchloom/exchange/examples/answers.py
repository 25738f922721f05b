"""The final answer of an example, as `queries.structured` stores it beside the request."""

import msgspec

from benchloom.core.records.values import Plain, Value, made, told
from benchloom.exchange.examples.example import Example

_ENCODER = msgspec.json.Encoder(order="deterministic")


def answer_text(example: Example) -> str | None:
    """Encode the answer as JSON, with results as `told` writes them; None without an answer."""
    if isinstance(example.answer, msgspec.UnsetType):
        return None
    return _ENCODER.encode({"answer": told(example.answer)}).decode()


def answer_of(structured: str | None) -> "Value | msgspec.UnsetType":
    """Decode the answer; unset if the text contains no answer, as after a redaction."""
    if structured is None:
        return msgspec.UNSET
    try:
        fields: dict[str, Plain] = msgspec.json.decode(structured, type=dict)
        return made(fields["answer"]) if "answer" in fields else msgspec.UNSET
    except msgspec.DecodeError:
        return msgspec.UNSET
