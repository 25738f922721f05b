"""Generates the page of recipes, which contains the full code of the folder `examples`."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

TITLE = "Recipes"
_EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
_LANGUAGES = {".py": "python", ".sh": "sh", ".toml": "toml"}
_LINK = re.compile(r"\[([^]]+)\]\(([^)]+)\)")


def pages() -> Mapping[str, str]:
    """Return the page, as a mapping from its path to its text.

    The page begins with the list of recipes, and the code of each file follows.
    """
    listed = (_EXAMPLES / "README.md").read_text(encoding="utf-8")
    listed = _LINK.sub(lambda found: f"`examples/{found[1]}`", listed)
    return {"recipes.md": "\n\n".join([listed.strip(), *_sections()]) + "\n"}


def _sections() -> Iterator[str]:
    for file in sorted(_EXAMPLES.rglob("*")):
        if file.suffix in _LANGUAGES and file.name != "__init__.py":
            text = file.read_text(encoding="utf-8").rstrip()
            name = file.relative_to(_EXAMPLES).as_posix()
            yield f"## {name}\n\n```{_LANGUAGES[file.suffix]}\n{text}\n```"
