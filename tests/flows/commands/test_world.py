"""`benchloom world`: suites are listed, and what cannot be done is said in one line."""

from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from benchloom.errors import RunError
from benchloom.worlds.suites import SUITES
from flows.cli import build_app


def test_suites_are_listed_with_their_tools(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        build_app(), ["world", "list", "--json", "--workspace", str(tmp_path)]
    )
    found = {one["suite"]: one for one in msgspec.json.decode(done.stdout)["suites"]}
    assert tuple(found) == SUITES.names()
    assert found["everyday"]["tools"] == len(SUITES.find("everyday").world("{}").tools)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["replay", "everyday"], "nothing is recorded of everyday"),
        (["load", "everyday"], "everyday needs nothing of yours"),
        (["replay", "everydya"], "did you mean 'everyday'?"),
        (["load", "everydya"], "did you mean 'everyday'?"),
    ],
)
def test_what_a_suite_does_not_do_is_said(words: list[str], told: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(build_app(), ["world", *words, str(tmp_path)])
    assert isinstance(done.exception, RunError), done.output
    assert told in str(done.exception)
