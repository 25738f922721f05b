"""Places in lists stay within the columns that hold them."""

import msgspec
import pytest

from benchloom.core.records.values import Ref, from_json


@pytest.mark.parametrize("step", [-1, 2**31, 10**30])
def test_a_result_of_a_call_that_no_table_can_name_is_refused(step: int) -> None:
    with pytest.raises(msgspec.DecodeError):
        from_json(f'{{"$ref":{{"step":{step}}}}}')


def test_the_last_place_of_all_is_read() -> None:
    assert from_json('{"$ref":{"step":2147483647}}') == Ref(2**31 - 1)
