"""Find all kinds of publication targets, and choose one by the scheme of an address.

Each module of `targets` defines `SCHEMES`, the schemes of its addresses, and `open_url(url)`.
"""

import re
from typing import Protocol, runtime_checkable

from benchloom.core.errors import RunError
from benchloom.core.kinds import Kind
from benchloom.release.publishing import targets
from benchloom.release.publishing.target import Target

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")


@runtime_checkable
class TargetKind(Protocol):
    """The interface that every module of `targets` must define."""

    SCHEMES: tuple[str, ...]

    def open_url(self, url: str) -> Target:
        """Return the target for an address with one of the module's schemes."""
        ...


TARGETS = Kind(
    "kind of target", targets.__name__, TargetKind, names=lambda _, member: member.SCHEMES
)
"""Every kind of target by the schemes it knows."""


def open_target(url: str) -> Target:
    """Return the target of an address, a folder without a scheme; RunError for other schemes."""
    scheme_match = _SCHEME.match(url)
    scheme = scheme_match[1].lower() if scheme_match else "file"
    if scheme not in TARGETS.all():
        schemes = ", ".join(f"{name}://" for name in TARGETS.names())
        raise RunError(f"{url}: cannot publish to '{scheme}://'; known: a folder, {schemes}")
    return TARGETS.find(scheme).open_url(url)
