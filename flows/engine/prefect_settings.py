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
    "PREFECT_LOGGING_EXTRA_LOGGERS": "benchloom",
    "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
}


_LEVEL = "PREFECT_LOGGING_LEVEL"
_QUIET = {
    _LEVEL: "WARNING",
    # What runs tell is for Prefect's pages; the terminal has lines of its own.
    "PREFECT_LOGGING_LOGGERS_PREFECT_FLOW_RUNS_LEVEL": "INFO",
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "WARNING",
}


def apply() -> None:
    """Set what is not set; a level of logging that somebody chose is left alone."""
    quiet = {} if _LEVEL in os.environ else _QUIET
    for name, value in {**_DEFAULTS, **quiet}.items():
        os.environ.setdefault(name, value)


apply()
