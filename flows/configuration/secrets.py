"""Secrets: their names, and whether the environment has them; see `flows.engine.secret_blocks`.

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
