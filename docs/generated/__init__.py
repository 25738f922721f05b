"""Parts of the site that are made from the code; a part is one module with `TITLE` and `pages`."""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from benchloom.core.kinds import Kind


@runtime_checkable
class Part(Protocol):
    """A module that generates pages of the site.

    `TITLE` is the heading of its pages in the navigation if it has several.
    """

    TITLE: str

    def pages(self) -> Mapping[str, str]:
        """Return Markdown pages by their path in the site, in the order of the navigation."""
        ...


PARTS = Kind("part of the site", "docs.generated", Part)
