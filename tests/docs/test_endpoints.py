"""Check that `config check` accepts every configuration on the page about endpoints."""

import re
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from prompts.ledger.prices import load_price
from tests.support.commands import benchloom
from tests.support.prefect_server import clean_environment

PAGE = Path(__file__).resolve().parents[2] / "docs" / "pages" / "endpoints.md"
SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```(toml|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECTIONS = {
    title: dict(BLOCK.findall(text)) for title, text in SECTION.findall(PAGE.read_text("utf-8"))
}


def check_configuration(folder: Path, toml: str) -> CompletedProcess[str]:
    """Run `config check` on a configuration with a source, and return the finished process."""
    (folder / "shortcuts").mkdir()
    (folder / "shortcuts" / "one.shortcut").write_bytes(b"bplist00")
    (folder / "rebuild.toml").write_text(f'{toml}\n[sources]\nshortcuts = ["shortcuts"]\n', "utf-8")
    environment = clean_environment(folder / "home")
    return benchloom("config", "check", "--strict", cwd=folder, env=environment)


def test_page_has_a_section_for_each_server() -> None:
    assert list(SECTIONS) == ["vLLM", "Ollama", "OpenRouter", "LiteLLM"]


@pytest.mark.parametrize("title", SECTIONS)
def test_config_check_accepts_the_section(title: str, tmp_path: Path) -> None:
    blocks = SECTIONS[title]
    if "yaml" in blocks:
        (tmp_path / "prices.yaml").write_text(blocks["yaml"], "utf-8")
        (model,) = re.findall(r'^model = "(.+)"$', blocks["toml"], re.MULTILINE)
        assert load_price(model, tmp_path / "prices.yaml") is not None
    completed = check_configuration(tmp_path, blocks["toml"])
    assert completed.returncode == 0, completed.stderr


def test_config_check_reports_a_wrong_key(tmp_path: Path) -> None:
    completed = check_configuration(tmp_path, SECTIONS["vLLM"]["toml"].replace("free", "fre"))
    assert completed.returncode == 2
    assert "fre" in completed.stderr
