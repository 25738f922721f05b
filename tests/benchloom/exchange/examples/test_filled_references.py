"""Tests of references filled with values from recorded results."""

import msgspec

from benchloom.exchange.examples import Argument, Call, Composed, Ref, Result
from benchloom.exchange.examples.filled_references import fill_references, recorded_output
from benchloom.exchange.formats.api_bank.lines import result_record

FOUND = Call("Ferries", "Find", (), result=Result({"ship": "Aru", "of": Ref(0, "x"), "seats": 3}))
FAILED = Call("Ferries", "Find", (), result=Result({"ship": "Aru"}, "no berth"))


def test_reference_gets_only_recorded_output() -> None:
    assert recorded_output(Ref(0, "ship"), [FOUND]) == "Aru"
    for ref in (Ref(0), Ref(0, "of"), Ref(0, "port"), Ref(0, "ship", "name"), Ref(1, "ship")):
        assert recorded_output(ref, [FOUND]) is msgspec.UNSET
    assert recorded_output(Ref(0, "ship"), [FAILED]) is msgspec.UNSET


def test_value_is_filled_completely_or_not_at_all() -> None:
    text = Composed((Ref(0, "ship"), " for ", Ref(0, "seats")))
    assert fill_references(Argument("a", [text, {"b": Ref(0, "seats")}]), [FOUND]) == (
        ["Aru for 3", {"b": 3}],
        3,
    )
    assert fill_references(Argument("a", [1, {"b": Ref(0, "port")}]), [FOUND]) == (msgspec.UNSET, 1)


def test_recorded_result_is_written_as_json() -> None:
    written = result_record("Find", FOUND)
    assert written is not None
    assert msgspec.json.decode(msgspec.json.encode(written))["output"] == {
        "ship": "Aru",
        "of": "$call_0.x$",
        "seats": 3,
    }
