"""Generates the page about the configuration from `docs/configuration.toml`."""

from collections.abc import Mapping
from pathlib import Path

TITLE = "Configuration"
_EXAMPLE = Path(__file__).resolve().parents[1] / "configuration.toml"
_PAGE = """# Configuration

`benchloom rebuild` reads one file, `rebuild.toml`. Every key is optional. The file below contains
all keys with their defaults, as `benchloom config example` prints them. `benchloom config check`
finds faults, and `benchloom config show` prints the values in use and their origin.

```toml
{example}```
"""


def pages() -> Mapping[str, str]:
    """Return the page about the configuration, as a mapping from its path to its text."""
    return {"configuration.md": _PAGE.format(example=_EXAMPLE.read_text(encoding="utf-8"))}
