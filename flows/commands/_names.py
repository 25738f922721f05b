"""Commands whose help ends with the known names of a kind."""

from collections.abc import Callable
from typing import Any

from flows.commands._help import Page

Names = Callable[[], tuple[str, ...]]


def listing(title: str, names: Names, *further: tuple[str, Names]) -> type[Page]:
    """The class of a command whose help ends with names, below one title or several.

    They are asked for when the help is shown: no other start of a command imports what knows them.
    """
    lists = ((title, names), *further)

    class Listing(Page):
        """The command."""

        def format_help(self, ctx: Any, formatter: Any) -> None:
            """The usual help, and the names."""
            original_epilog, self.epilog = self.epilog, "\n\n".join(map(_line, lists))
            if original_epilog:
                self.epilog += f"\n\n{original_epilog}"
            super().format_help(ctx, formatter)
            self.epilog = original_epilog

    return Listing


def _line(titled: tuple[str, Names]) -> str:
    return f"{titled[0]}: {', '.join(titled[1]())}"


def site_names() -> tuple[str, ...]:
    """The known sites."""
    from scrapers.sites import SITES

    return SITES.names()


def suite_names() -> tuple[str, ...]:
    """The suites of worlds."""
    from benchloom.worlds.suites import SUITES

    return SUITES.names()
