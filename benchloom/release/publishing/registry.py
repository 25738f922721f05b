"""The kinds of targets, discovered, and chosen by the scheme of an address.

A module of `targets` offers `SCHEMES`, the schemes of its addresses, and `open_url(url)`.
"""

import re
from functools import cache
from typing import Protocol, cast

from benchloom.errors import RunError
from benchloom.members import member_modules
from benchloom.release.publishing import targets
from benchloom.release.publishing.target import Target

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")


class TargetKind(Protocol):
    """What a module of `targets` offers."""

    SCHEMES: tuple[str, ...]

    def open_url(self, url: str) -> Target:
        """The target of an address that starts with one of the schemes."""
        ...


@cache
def target_kinds() -> dict[str, TargetKind]:
    """Every kind of target by the schemes it knows.

    Raises:
        RunError: two modules know the same scheme.
    """
    found: dict[str, TargetKind] = {}
    for _, member in member_modules(targets.__name__, targets.__path__):
        for scheme in member.SCHEMES:
            if scheme in found:
                raise RunError(f"two kinds of targets know '{scheme}://'")
            found[scheme] = cast("TargetKind", member)
    return found


def open_target(url: str) -> Target:
    """The target of an address; one without a scheme is a folder.

    Raises:
        RunError: nothing can be published to such an address.
    """
    found = _SCHEME.match(url)
    scheme = found[1].lower() if found else "file"
    kinds = target_kinds()
    if scheme not in kinds:
        known = ", ".join(f"{name}://" for name in sorted(kinds))
        raise RunError(f"{url}: cannot publish to '{scheme}://'; known: a folder, {known}")
    return kinds[scheme].open_url(url)
