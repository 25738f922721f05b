"""Check the rules that every suite of worlds follows."""

import pytest

from benchloom.core.errors import RunError
from benchloom.worlds.suites import SUITES


@pytest.mark.parametrize("name", SUITES.all())
@pytest.mark.parametrize("start", ["", "{", "null", "7", '"' + "[" * 50_000, '{"no": "start"}'])
def test_malformed_start_is_refused_in_one_line(name: str, start: str) -> None:
    with pytest.raises(RunError) as error:
        SUITES.find(name).world(start)
    assert "\n" not in str(error.value)
