"""Check that texts with judges cost less than half of direct calls, and that the ledger agrees."""

import pytest

from benchmarks.bills import MAX_SHARE, measured


@pytest.mark.long
def test_judged_texts_cost_less_than_half_of_direct_calls() -> None:
    before, after = measured(250)
    assert before.texts == after.texts == before.judged >= 200
    assert after.judged == after.kept < after.texts
    assert after.bill <= MAX_SHARE * before.bill
    assert (before.booked, after.booked) == (before.bill, after.bill)
