"""Check that help lists the valid names and that a wrong name suggests the nearest one."""

import pytest
from typer.testing import CliRunner

from benchloom.core.kinds import Kind
from benchloom.exchange.formats import FORMATS, LineFormat
from flows.cli import build_app
from flows.configuration.keys import convert_value
from flows.engine.single import FLOWS
from prompts.steps import STEPS
from scrapers.sites import SITES

WIDE = {"COLUMNS": "1000", "TERMINAL_WIDTH": "1000"}


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (["generate"], STEPS),
        (["run"], FLOWS),
        (["crawl"], SITES),
        (["parse", "listings"], SITES),
    ],
)
def test_help_lists_the_known_names(words: list[str], kind: Kind[object]) -> None:
    help_text = CliRunner().invoke(build_app(), [*words, "--help"], env=WIDE).output
    assert ", ".join(kind.names()) in " ".join(help_text.split())


def test_convert_help_lists_the_plan_formats() -> None:
    help_text = CliRunner().invoke(build_app(), ["convert", "--help"], env=WIDE).output
    assert ", ".join(FORMATS.only(LineFormat)) in " ".join(help_text.split())


def test_configuration_suggests_the_nearest_name() -> None:
    assert convert_value("crawl.sites", ["siri-shortcuts.de"]) == ("siri_shortcuts_de",)
    with pytest.raises(ValueError, match="unknown site 'reddi'; did you mean 'reddit'"):
        convert_value("crawl.sites", ["reddi"])
    with pytest.raises(ValueError, match="unknown step 'querry'; did you mean 'query'"):
        convert_value("generate.steps", ["querry"])
