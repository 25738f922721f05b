"""Read secrets from the environment, else from Secret blocks of a configured Prefect server."""

import os

from flows.configuration.secrets import BLOCKS
from flows.engine.server.local import has_configured_server


async def load_secrets() -> tuple[str, ...]:
    """Put missing secrets from Prefect blocks into the environment; return their names.

    Only a configured server is asked: the server that a run starts for itself has no Secret
    blocks, and an offline run should not wait for it.
    """
    if not has_configured_server():
        return ()
    from prefect.blocks.system import Secret

    loaded: list[str] = []
    for name, block in BLOCKS.items():
        if os.environ.get(name):
            continue
        try:
            secret: Secret[str] = await Secret.aload(block)
        except ValueError:  # no such block
            continue
        os.environ[name] = secret.get()
        loaded.append(name)
    return tuple(loaded)
