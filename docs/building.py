"""This module collects written and generated pages, and runs the generator of the site on them."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from docs.generated import PARTS

ROOT = Path(__file__).resolve().parents[1]
"""The root folder of the project."""
WRITTEN = ROOT / "docs" / "pages"
CONFIGURATION = ROOT / "docs" / "zensical.toml"
ORDER = (
    "index.md",
    "tutorial.md",
    "recipes",
    "endpoints.md",
    "operating.md",
    "cluster.md",
    "python.md",
    "models.md",
    "exploring.md",
    "worlds.md",
    "device.md",
    "evaluation.md",
    "architecture.md",
    "upgrading.md",
    "adding.md",
    "configuration",
    "commands",
    "tables",
    "formats",
    "reference",
    "decisions",
    "contributing",
)
"""The order of the navigation: file names of written pages, and names of `docs.generated` parts."""

Entry: TypeAlias = "str | dict[str, str | list[Entry]]"
_FAULTS = re.compile(r"\x1b\[[0-9;]*m")


class BuildError(Exception):
    """A page of the site has a fault; the message is the output of the site generator."""


def build_site(out: Path, written: Path = WRITTEN, order: Sequence[str] = ORDER) -> None:
    """Build the site in the folder `out`, which is replaced.

    `written` is the folder of written pages. `order` lists written pages and generated parts in the
    order of the navigation.

    Raises:
        BuildError: the target of a link or a documented name does not exist.
    """
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        shutil.copytree(written, work / "pages")
        navigation = list(_gather(work / "pages", order))
        configuration = CONFIGURATION.read_text(encoding="utf-8")
        configuration = configuration.replace("nav = []", f"nav = {_toml(navigation)}", 1)
        configuration = configuration.replace('paths = ["."]', f"paths = [{json.dumps(str(ROOT))}]")
        (work / "zensical.toml").write_text(configuration, encoding="utf-8")
        command = [sys.executable, "-m", "zensical", "build", "--strict"]
        done = subprocess.run(  # noqa: S603 - our own command
            command,
            cwd=work,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        output = _FAULTS.sub("", done.stdout + done.stderr)
        if done.returncode or "No issues found" not in output:
            raise BuildError(output)
        shutil.rmtree(out, ignore_errors=True)
        # 404.html finds its files only at the root of a server.
        shutil.copytree(work / "site", out, ignore=shutil.ignore_patterns("404.html"))


def _gather(pages: Path, order: Sequence[str]) -> Iterator[Entry]:
    """Write the generated pages into `pages`, and yield the entries of the navigation."""
    for name in order:
        if name.endswith(".md"):
            yield name
            continue
        part = PARTS.find(name)
        texts_by_path = part.pages()
        for path, text in texts_by_path.items():
            target = pages / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        alone = len(texts_by_path) == 1
        yield {part.TITLE: next(iter(texts_by_path)) if alone else list(texts_by_path)}


def _toml(entry: "Entry | Sequence[Entry]") -> str:
    """Return TOML for an entry of the navigation, or for a list of entries."""
    if isinstance(entry, str):
        return json.dumps(entry, ensure_ascii=False)
    if isinstance(entry, dict):
        pairs = (f"{json.dumps(title)} = {_toml(below)}" for title, below in entry.items())
        return f"{{{', '.join(pairs)}}}"
    return f"[{', '.join(_toml(below) for below in entry)}]"
