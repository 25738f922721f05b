"""Contracts of every suite of worlds."""

import pytest

from benchloom.core.errors import RunError
from benchloom.worlds.suites import SUITES


@pytest.mark.parametrize("name", SUITES.all())
@pytest.mark.parametrize("start", ["", "{", "null", "7", '"' + "[" * 50_000, '{"no": "start"}'])
def test_a_start_of_another_shape_is_refused_in_one_line(name: str, start: str) -> None:
    with pytest.raises(RunError) as caught:
        SUITES.find(name).world(start)
    assert "\n" not in str(caught.value)
