"""Secrets: from the environment, else from Secret blocks of a configured Prefect server.

They are never part of the configuration, of a flow's parameters, of an artifact or of a log.
"""

import os

SECRETS = (
    "OPENAI_API_KEY",
    "REDDIT_CLIENT_SECRET",
    "HF_TOKEN",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
)


def block_name(secret: str) -> str:
    """The Secret block of a variable: OPENAI_API_KEY is `benchloom-openai-api-key`."""
    return "benchloom-" + secret.lower().replace("_", "-")


BLOCKS = {secret: block_name(secret) for secret in SECRETS}


def secret_states() -> dict[str, str]:
    """Which secrets are set, never what they are."""
    return {name: "set (environment)" if os.environ.get(name) else "not set" for name in SECRETS}


async def load_secrets() -> tuple[str, ...]:
    """Put secrets of Prefect blocks into the environment where it lacks them; their names.

    Only a configured server is asked: the one that a run starts for itself holds no blocks of
    others, and an offline run should not wait for it.
    """
    from prefect.blocks.system import Secret
    from prefect.settings import get_current_settings

    from flows.engine.local_server import runs_on_own_server

    if not get_current_settings().api.url or runs_on_own_server():
        return ()
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
