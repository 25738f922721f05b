"""Remedies for the reasons of omissions: a command, or a key of the configuration.

Reasons that need no remedy, for example duplicates, have no entry. Tests check that every
command and every key exists.
"""

from collections.abc import Mapping

EVALUATION, TEXTS = "evaluation", "texts"
APPLE = "~/Library/Shortcuts/ToolKit/Tools-active"
"""Where a Mac keeps the definitions of Apple's apps and of all that are installed."""

_DEFINED = (
    f"[sources] definitions; Apple's are in {APPLE} of a Mac, `benchloom apps` ranks the other apps"
)
_MARKED = "marked in apps.toml of the workspace"
_REMEDIES: Mapping[str, Mapping[str, str]] = {
    EVALUATION: {
        "missing_definition": _DEFINED,
        "no_definitions": _DEFINED,
        "paid_app": _MARKED,
        "legacy_app": _MARKED,
        "unavailable_app": _MARKED,
    },
    "listings": {
        "member_only": "[crawl] include_member_only = true",
        "opted_out": "[crawl] opt_out",
    },
    "shortcuts": {
        "opted_out": "[crawl] opt_out",
    },
    TEXTS: {
        "no_template": '[generate] writer = "llm", or model = "local"',
    },
}


def remedy(kind: str, reason: str) -> str | None:
    """Return how to include the rows that a reason excludes; None if they should stay out."""
    return _REMEDIES.get(kind.partition(":")[0], {}).get(reason)


def every_remedy() -> tuple[str, ...]:
    """Return all remedies."""
    return tuple(text for texts in _REMEDIES.values() for text in texts.values())
