"""This module reports which secrets are set, and finds secrets in a configuration.

Secrets are never part of the configuration, of a flow's parameters, of an artifact or of a log.
They come from the environment, into which `flows.engine.server` also loads Prefect Secret blocks.
"""

import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from flows.configuration.faults import Fault, dotted
from flows.configuration.keys import KeyPath, key_names
from scrapers.mirrors import LOGIN, holds_secret

BLOCKS = {
    name: "benchloom-" + name.lower().replace("_", "-")
    for name in (
        "OPENAI_API_KEY",
        "REDDIT_CLIENT_SECRET",
        "HF_TOKEN",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
    )
}
"""A mapping from the variable of each secret to the Prefect Secret block that may contain it."""
_LOOKS_SECRET = re.compile(r"secret|passw|token|api_?key|access_?key|credential|bearer")


def secret_states() -> dict[str, str]:
    """Return a mapping from each secret's variable to whether it is set; values are not shown."""
    return {name: "set (environment)" if os.environ.get(name) else "not set" for name in BLOCKS}


def misplaced_secrets(values: Mapping[KeyPath, object]) -> Iterator[Fault]:
    """Yield a fault for each key and address that contains a secret, without quoting the secret."""
    for key_path, value in values.items():
        *table, name = map(str, key_path)
        names = key_names(*table)
        if name not in names and _is_secret(name, names):
            message = f"is a secret and must not be in a file: {_remedy(name)}"
            yield Fault(f"{dotted(key_path)} {message}", key_path)
        elif isinstance(value, list):
            for number, entry in enumerate(value):
                yield from _in_address(entry, (*key_path, number))
        else:
            yield from _in_address(value, key_path)


def _in_address(value: object, key_path: KeyPath) -> Iterator[Fault]:
    if not isinstance(value, str):
        return
    has_login = LOGIN.match(value)
    if has_login or (key_path[0] == "sources" and holds_secret(value)):
        secret_kind = "password" if has_login else "secret"
        message = f"the address contains a {secret_kind}; {_remedy()}"
        yield Fault(f"{dotted(key_path)}: {message}", key_path)


def _is_secret(name: str, names: list[str]) -> bool:
    """Whether the name of an unknown key looks like that of a secret, not like a misspelt key."""
    return bool(_LOOKS_SECRET.search(name.lower())) and not get_close_matches(name, names, 1, 0.9)


def _remedy(name: str | None = None) -> str:
    """Return the remedy for a secret in a file; `name` is the key that contains the secret."""
    variable = next((v for v in BLOCKS if name and v.endswith(name.upper())), None)
    if variable is None:
        return f"secrets come from the environment ({', '.join(BLOCKS)}) or Prefect Secret blocks"
    block = BLOCKS[variable]
    return f"set {variable} in the environment, or store the Prefect Secret block '{block}'"
