"""Tests of references by label: reading, writing, and texts that only look like references."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchloom.core.records.values import Composed, Plain, Ref, Value, rendered
from benchloom.exchange.foreign.labels import Labels, label_text

OUTPUTS = frozenset({"id", "port", "port.name", "stops", "Exchange Rate"})


def three_labels() -> Labels:
    defined_labels = Labels(["var1", "var2", "var3"])
    defined_labels.add("var1", OUTPUTS)
    defined_labels.add("var2", None)
    return defined_labels


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$var1$", Ref(0)),
        ("$var1.id$", Ref(0, "id")),
        ("$var1.port.name$", Ref(0, "port.name")),
        ("$var1.port.street$", Ref(0, "port.street")),
        ("$var1.stops[0].id$", Ref(0, "stops", "[0].id")),
        ("$var1.gate$", Ref(0, "gate")),
        ("$var1[0]$", Ref(0, None, "[0]")),
        ("$var2.a.b$", Ref(1, "a", ".b")),
        ("$var3$", Ref(2)),
        ("2 * $var1.Exchange Rate$", Composed(("2 * ", Ref(0, "Exchange Rate")))),
        ("$var1.id$ - $var2.id$", Composed((Ref(0, "id"), " - ", Ref(1, "id")))),
        ("$x$var1$", Composed(("$x", Ref(0)))),
        ("$5 and $6", "$5 and $6"),
        ("var1.id$", "var1.id$"),
        ("$price$", "$price$"),
        (["$var1$", {"a": "$var2.b$"}], [Ref(0), {"a": Ref(1, "b")}]),
    ],
)
def test_references_are_read_and_written_back(text: Plain, value: Value) -> None:
    defined_labels = three_labels()
    assert defined_labels.value(text) == value
    assert rendered(value, lambda ref: label_text(ref, "var")) == text
    assert not defined_labels.undefined


def test_undefined_and_repeated_labels_are_listed() -> None:
    defined_labels = three_labels()
    assert defined_labels.value("$var9.id$") == "$var9.id$"
    defined_labels.add("var1", None)
    assert defined_labels.value("$var1$") == Ref(2)
    assert (list(defined_labels.undefined), list(defined_labels.repeated)) == (["var9"], ["var1"])


@given(st.lists(st.sampled_from(["$", "var1", "var2", ".id", "[0]", " ", "x", ".", "$var1$"])))
def test_any_text_is_written_back_unchanged(parts: list[str]) -> None:
    text = "".join(parts)
    assert rendered(three_labels().value(text), lambda ref: label_text(ref, "var")) == text
