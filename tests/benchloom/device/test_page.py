"""Check the page "Run a shortcut", which shows the output of a command and a gallery."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import build_app

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "pages" / "device.md").read_text(encoding="utf-8")
SHORTCUTS = ROOT / "demo" / "shortcuts"


def test_page_shows_the_output_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((command, expected_output),) = re.findall(
        r"```console\n\$ benchloom (.*)\n((?:.*\n)*?)```", PAGE
    )
    ((name, answers),) = re.findall(r"The file `(.*?)` contains `(.*?)`\.", PAGE)
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(answers, encoding="utf-8")
    Path("demo").symlink_to(ROOT / "demo")
    result = CliRunner().invoke(build_app(), shlex.split(command))
    assert (result.exit_code, result.stdout) == (0, expected_output)


@pytest.mark.parametrize("name", re.findall(r"^\| `(.*?)` \|", PAGE, re.MULTILINE))
def test_gallery_shortcut_runs_to_the_end(name: str) -> None:
    result = CliRunner().invoke(build_app(), ["device", "run", str(SHORTCUTS / name)])
    assert result.exit_code == 0, result.output
