"""The page "Run a shortcut": its run, its answers and its gallery are those of the command."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import build_app

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "pages" / "device.md").read_text(encoding="utf-8")
SHORTCUTS = ROOT / "demo" / "shortcuts"


def test_the_run_on_the_page_is_that_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((typed, printed),) = re.findall(r"```console\n\$ benchloom (.*)\n((?:.*\n)*?)```", PAGE)
    ((name, answers),) = re.findall(r"The file `(.*?)` contains `(.*?)`\.", PAGE)
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(answers, encoding="utf-8")
    Path("demo").symlink_to(ROOT / "demo")
    done = CliRunner().invoke(build_app(), shlex.split(typed))
    assert (done.exit_code, done.stdout) == (0, printed)


@pytest.mark.parametrize("name", re.findall(r"^\| `(.*?)` \|", PAGE, re.MULTILINE))
def test_the_shortcuts_of_the_gallery_run_to_their_end(name: str) -> None:
    done = CliRunner().invoke(build_app(), ["device", "run", str(SHORTCUTS / name)])
    assert done.exit_code == 0, done.output
