"""Progress of a crawl: the requests of every site under way, and how many sites are done."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from benchloom.core.progress import UnderWay, under_way
from scrapers.pages.page import FetchCounts
from scrapers.pages.site import Site


class Crawling:
    """Counts finished sites; the number of pages of a site is not known beforehand."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self._total = len(sites)
        self._one = UnderWay("crawl", self._total, "sites")
        self._counts: dict[str, FetchCounts] = {}

    @contextmanager
    def displayed(self) -> Iterator[None]:
        """Display the progress while the block runs."""
        with under_way("crawl", self._total, "sites") as self._one:
            self._one.detail = self.line
            yield

    @contextmanager
    def site(self, name: str, counts: FetchCounts) -> Iterator[None]:
        """Count a site as running during the block, which runs in one of several threads."""
        self._counts[name] = counts
        try:
            yield
        finally:
            del self._counts[name]
            self._one.advance()

    def line(self) -> str:
        """The state in one line."""
        done = f"crawl: {self._one.done} of {self._total} sites done"
        pages = [
            f"{name} {_request_count(counts)}" for name, counts in sorted(self._counts.items())
        ]
        return f"{done}; {', '.join(pages)}" if pages else done


def _request_count(counts: FetchCounts) -> str:
    resumed = f" ({counts.resumed} not repeated)" if counts.resumed else ""
    return f"{counts.requests} requests{resumed}"
