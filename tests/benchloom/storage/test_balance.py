"""Tests of the balance: a stage accounts for every input, or fails with the missing count."""

import pytest

from benchloom.core.errors import BalanceError
from benchloom.storage.stages import Balance, ShardMark


def shard_mark(
    number: int,
    objects: int,
    rows: int,
    *,
    rejected: int = 0,
    merged: int = 0,
    inputs: int | None = None,
) -> ShardMark:
    """Return the mark of a shard with these counts."""
    return ShardMark(
        number=number,
        objects=objects,
        rows={"shortcuts": rows},
        reasons={"broken": rejected} if rejected else {},
        merged=merged,
        inputs=inputs,
    )


@pytest.mark.parametrize(
    ("balance", "shards"),
    [
        (Balance(0, ("shortcuts",)), []),
        (
            Balance(5, ("shortcuts",)),
            [shard_mark(0, 3, 2, rejected=1), shard_mark(1, 2, 1, merged=1)],
        ),
        (Balance(2, ("shortcuts",)), [shard_mark(0, 9, 9, inputs=2)]),
        (Balance(4), [shard_mark(0, 4, 90, rejected=1)]),
        (Balance(4, ("shortcuts",), keeps_rejected=True), [shard_mark(0, 4, 4, rejected=2)]),
    ],
)
def test_all_inputs_are_accounted_for(balance: Balance, shards: list[ShardMark]) -> None:
    balance.check("parse", shards)


@pytest.mark.parametrize(
    ("balance", "shards", "fault"),
    [
        (Balance(3, ("shortcuts",)), [shard_mark(0, 2, 2)], "3 inputs were listed, but 2 were"),
        (Balance(3), [shard_mark(0, 9, 9, inputs=4)], "3 inputs were listed, but 4 were"),
        (
            Balance(2, ("shortcuts",)),
            [shard_mark(0, 2, 1)],
            "there are 1 rows of shortcuts, 0 rejected",
        ),
        (
            Balance(2, ("shortcuts",)),
            [shard_mark(0, 2, 2, rejected=1)],
            "2 rows of shortcuts, 1 rej",
        ),
        (Balance(2, ("shortcuts",)), [shard_mark(0, 2, 2, merged=1)], "0 rejected, 1 merged"),
    ],
)
def test_missing_input_is_reported(balance: Balance, shards: list[ShardMark], fault: str) -> None:
    with pytest.raises(BalanceError, match=fault) as error:
        balance.check("parse", shards)
    assert str(error.value).startswith("parse: ")
    assert error.value.exit_code == 2
