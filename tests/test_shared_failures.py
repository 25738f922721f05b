"""Check the report of a failing shared fixture: its output once, and one line per other test."""

import os
from pathlib import Path

from tests.support.python import python

ROOT = Path(__file__).resolve().parents[1]
TESTS = """
import pytest

@pytest.fixture(scope="session")
def made():
    pytest.fail("benchloom demo: exit code 2\\nbenchloom: no room", pytrace=False)

@pytest.fixture
def read(made):
    return made

@pytest.fixture
def own():
    raise ValueError("of its own")

@pytest.mark.parametrize("number", range(3))
def test_reads(number, read): ...

def test_other(own): ...

def test_good(): ...
"""


def test_failing_shared_fixture_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    words = ["pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.support.shared_failures"]
    # If CI is set, pytest repeats whole messages in its summary.
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    completed = python(
        "-m", *words, "--rootdir", tmp_path, tmp_path, cwd=ROOT, env=environment, code=1
    )
    assert "1 passed, 4 errors" in completed.stdout
    assert completed.stdout.count("benchloom: no room") == 1
    short = "fixture 'made' failed: see test_it.py::test_reads[0]\n"
    assert completed.stdout.count(f"\n{short}") == 2
    assert "ValueError: of its own" in completed.stdout
