"""Prefect's settings for runs on one machine; imported before Prefect itself.

Only defaults: whatever the environment or a profile already says stays. Nothing is sent out of the
machine: telemetry is off, and without a configured server Prefect starts its own on loopback.
"""

import os

_DEFAULTS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    # Slow machines need more than the default 20 seconds to start the server.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "300",
    "PREFECT_LOGGING_LEVEL": "WARNING",
    "PREFECT_LOGGING_EXTRA_LOGGERS": "benchloom",
    "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
}


def apply() -> None:
    """Set what is not set."""
    for name, value in _DEFAULTS.items():
        os.environ.setdefault(name, value)


apply()
