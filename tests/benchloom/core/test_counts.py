"""Check that a reference accepts only step numbers that fit a signed 32-bit column."""

import msgspec
import pytest

from benchloom.core.records.values import Ref, from_json


@pytest.mark.parametrize("step", [-1, 2**31, 10**30])
def test_reference_to_an_out_of_range_step_is_rejected(step: int) -> None:
    with pytest.raises(msgspec.DecodeError):
        from_json(f'{{"$ref":{{"step":{step}}}}}')


def test_reference_to_the_largest_step_is_read() -> None:
    assert from_json('{"$ref":{"step":2147483647}}') == Ref(2**31 - 1)
