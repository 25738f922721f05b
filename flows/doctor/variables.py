"""A check of which secrets are set in the environment; their values are never shown."""

import os
from collections.abc import Iterator

from flows.configuration.secrets import BLOCKS
from flows.doctor.base import Finding, Needs, finding

_SERVES = {
    "OPENAI_API_KEY": "requests to a model that needs a key",
    "REDDIT_CLIENT_SECRET": "crawling Reddit",
    "HF_TOKEN": "publishing to the Hugging Face Hub",
}


def look(needs: Needs) -> Iterator[Finding]:
    """Check each secret that is set and each secret that the configuration needs."""
    server = bool(os.environ.get("PREFECT_API_URL"))
    for name, block in BLOCKS.items():
        is_set, key = bool(os.environ.get(name)), needs.variables.get(name)
        if not is_set and key is None:
            continue
        block_note = f"; a run reads the block '{block}' from the Prefect server" if server else ""
        serves = _SERVES.get(name, "publishing to an object store, unless other credentials do")
        yield finding(
            name,
            serves + (f"; {key} in {needs.file}" if key else ""),
            ok="set",
            fault=None if is_set else f"not set{block_note}",
            mend=f"export {name}=...",
            missing=True,
            needed=key is not None and not server,
        )
