"""Checks by rule, one per module; a text is kept when every check for its kind keeps it."""

import sys
from functools import cache
from typing import cast

from prompts.checks.base import Check
from prompts.members import discover


@cache
def checks() -> dict[str, Check]:
    """Every check by name."""
    return cast("dict[str, Check]", discover(sys.modules[__name__], "CHECK", "check"))


def checks_for(kind: str) -> list[Check]:
    """The checks meant for a kind of text, in the order of their names."""
    return [check for _, check in sorted(checks().items()) if kind in check.kinds]
