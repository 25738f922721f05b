"""Commands whose help ends with the known names of a kind."""

from collections.abc import Callable
from typing import Any

from flows.commands._help import Page


def listing(title: str, names: Callable[[], tuple[str, ...]]) -> type[Page]:
    """The class of a command whose help ends with names.

    They are asked for when the help is shown: no other start of a command imports what knows them.
    """

    class Listing(Page):
        """The command."""

        def format_help(self, ctx: Any, formatter: Any) -> None:
            """The usual help, and the names."""
            original_epilog, self.epilog = self.epilog, f"{title}: {', '.join(names())}"
            if original_epilog:
                self.epilog += f"\n\n{original_epilog}"
            super().format_help(ctx, formatter)
            self.epilog = original_epilog

    return Listing


def site_names() -> tuple[str, ...]:
    """The known sites."""
    from scrapers.sites import SITES

    return SITES.names()
