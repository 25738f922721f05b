"""Generates the pages about contributing and changes from CONTRIBUTING.md and CHANGELOG.md."""

from collections.abc import Mapping
from pathlib import Path

TITLE = "Contributing"
_ROOT = Path(__file__).resolve().parents[2]


def pages() -> Mapping[str, str]:
    """Return both pages, as a mapping from their paths to their texts."""
    files = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
    return {page: (_ROOT / file).read_text(encoding="utf-8") for page, file in files.items()}
