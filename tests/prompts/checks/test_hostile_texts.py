"""Check that no odd or long text makes a rule fail or take more than linear time."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompts.checks import CHECKS, MAX_EVIDENCE, Check
from prompts.subject import Call, Subject, Value

LENGTH = 4_000
MAX_SECONDS = 0.5
"""CPU seconds for a text. The slowest rule takes 0.03 s, in proportion to the length."""
PIECES = (
    "a", "A", "1", "1,", "a.", "A. ", "_", "a_", "(", '"', "\u201c", "'", "=", "a: ", ", ", "\n- ",
    "and ", "then ", "also ", "also, ", "by the way ", "March ", "1st of ", "the ", "the a ",
    "run the ", "you ", "should I ", "is set to ", "$", "\u0661", "\u00b2", "\u1100", "\u0301",
    "\U0001f600", "twenty ", "hundred ", "12:30 ", "x@", "http://", "is.workflow.", "WFa", "aB",
    "Ab ", "1) a ", "and then ", "the value ", "please also ", "thirty-", "9" * 20, "5.",
)  # fmt: skip
VALUES = (
    Value("Harbour Road 88", "address", label="address", about="Where it is"),
    Value("2019-03-08", "date"),
    Value("19:30", "time"),
    Value("3", "guests", label="number of guests"),
    Value("True", "shared_ride", label="shared ride", about="Whether others ride along"),
    Value("2019-99-99", "bad date"),
    Value("", "empty"),
)


def subject_of(kind: str, text: str, values: tuple[Value, ...] = VALUES) -> Subject:
    return Subject(
        "q",
        kind,
        text,
        required=values,
        hidden=values[::-1],
        calls=(Call(("Rides_1.GetRide", "GetRide", "Rides_1", "Order a cab"), values[:1]),) * 3,
        prompt="Write one natural sentence that states every value and names no service.",
        sources=("Orders a cab to the harbour. Step 3 asks for 12 guests on a Monday.", ""),
        technical=("GetRide", "ride.get", "Fuzzy Seconds", "", "_", "a"),
        descriptions=("Order a cab", ""),
    )


@pytest.mark.parametrize("check", CHECKS.all().values(), ids=CHECKS.names())
def test_rule_examines_long_texts_quickly(check: Check) -> None:
    for kind in sorted(check.kinds)[:1] + sorted(check.kinds & {"instruction"}):
        # The first call may load data, such as the model that detects languages.
        check.examine(subject_of(kind, "Order a cab to the harbour."))
        for piece in PIECES:
            text = (piece * LENGTH)[:LENGTH]
            started = time.process_time()
            check.examine(subject_of(kind, text))
            seconds = time.process_time() - started
            assert seconds < MAX_SECONDS, f"{piece!r} took {seconds:.1f} s"


odd_texts = st.lists(
    st.one_of(st.sampled_from(PIECES), st.text(max_size=12), st.sampled_from(VALUES).map(str)),
    max_size=40,
).map("".join)
odd_values = st.lists(
    st.builds(Value, st.text(max_size=20), st.text(max_size=8), label=st.text(max_size=8)),
    max_size=4,
).map(tuple)


@settings(max_examples=60, deadline=None)
@given(text=odd_texts, values=odd_values)
def test_rules_return_a_finding_for_any_text(text: str, values: tuple[Value, ...]) -> None:
    for check in CHECKS.all().values():
        for kind in check.kinds:
            finding = check.examine(subject_of(kind, text, values))
            assert finding.kept == (finding.reason == "ok")
            assert len(finding.evidence) <= MAX_EVIDENCE
