"""The page about the configuration, with the output of `benchloom config example`."""

from collections.abc import Mapping
from pathlib import Path

TITLE = "Configuration"
_EXAMPLE = Path(__file__).resolve().parents[1] / "configuration.toml"
_PAGE = """# Configuration

`benchloom rebuild` reads one file, `rebuild.toml`. Every key is optional. This is all of them, with
their defaults; `benchloom config example` prints it, `benchloom config check` finds faults, and
`benchloom config show` says what is in force and why.

```toml
{example}```
"""


def pages() -> Mapping[str, str]:
    """Return the page."""
    return {"configuration.md": _PAGE.format(example=_EXAMPLE.read_text(encoding="utf-8"))}
