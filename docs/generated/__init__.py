"""The parts of the documentation site that are generated from code; each part is a module."""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from benchloom.core.kinds import Kind


@runtime_checkable
class Part(Protocol):
    """The interface of the modules of this folder, which generate pages of the site.

    `TITLE` is the name of the part in the navigation.
    """

    TITLE: str

    def pages(self) -> Mapping[str, str]:
        """Return a mapping from paths in the site to Markdown, in the order of the navigation."""
        ...


PARTS = Kind("part of the site", "docs.generated", Part)
