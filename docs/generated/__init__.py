"""Parts of the site that are made from the code; a part is one module with `TITLE` and `pages`."""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from benchloom.core.kinds import Kind


@runtime_checkable
class Part(Protocol):
    """One part of the site.

    `TITLE` stands in the navigation, over the pages where there are several.
    """

    TITLE: str

    def pages(self) -> Mapping[str, str]:
        """Markdown by path under the pages of the site, in the order of the navigation."""
        ...


PARTS = Kind("part of the site", "docs.generated", Part)
