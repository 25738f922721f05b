"""Secrets in the environment: whether they are set, never what they are."""

import os
from collections.abc import Iterator

from flows.configuration.secrets import SECRETS, block_name
from flows.doctor.base import Finding, Needs

_SERVES = {
    "OPENAI_API_KEY": "asking a model behind a key",
    "REDDIT_CLIENT_SECRET": "crawling Reddit",
    "HF_TOKEN": "publishing to the Hugging Face Hub",
}


def look(needs: Needs) -> Iterator[Finding]:
    """Each secret that is set, and each that the configuration needs."""
    server = bool(os.environ.get("PREFECT_API_URL"))
    for name in SECRETS:
        there, key = bool(os.environ.get(name)), needs.variables.get(name)
        if not there and key is None:
            continue
        message = "set" if there else "not set"
        if not there and server:
            message += f"; a run asks the Prefect server for the block '{block_name(name)}'"
        yield Finding(
            name=name,
            state="ok" if there else "missing",
            told=message,
            serves=_SERVES.get(name, "publishing to an object store, unless other credentials do")
            + (f"; {key} in {needs.file}" if key else ""),
            mend=None if there else f"export {name}=...",
            needed=key is not None and not server,
        )
