"""Orders without a verb, on labelled requests of which half were not looked at while tuning."""

from pathlib import Path

import msgspec
import pytest

from prompts.checks.verbless_order import CHECK
from prompts.subject import Subject


class Half(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Requests with an order that has no verb, and others."""

    verbless: tuple[str, ...]
    fine: tuple[str, ...]


HALVES = msgspec.yaml.decode(
    (Path(__file__).parent / "orders.yaml").read_bytes(), type=dict[str, Half]
)


def is_dropped(text: str) -> bool:
    return not CHECK.examine(Subject("q", "instruction", text)).kept


@pytest.mark.parametrize(("half", "recall"), [("tuned_on", 1.0), ("held_out", 0.77)])
def test_nothing_is_dropped_that_has_a_verb(half: str, recall: float) -> None:
    texts = HALVES[half]
    assert [text for text in texts.fine if is_dropped(text)] == []
    assert sum(map(is_dropped, texts.verbless)) / len(texts.verbless) >= recall


def test_a_quotation_is_no_order() -> None:
    assert not is_dropped('Show me an alert that says "can you the dishes" at nine.')
    assert is_dropped('Could you the song called "Low Lamp" on the porch?')
