"""This module writes captures of invented pages, iCloud records and files, as crawls write them.

    python -m benchmarks.captured_worlds COUNT DIR [--runs N]

writes the archives of N crawls of a growing site, which has COUNT entries in the end. Each later
crawl adds a hundredth of the entries; the first crawl adds all other entries. The captures of an
entry are a card in a list, a page, the redirect behind its download button, an iCloud record, and a
file from `benchmarks.worlds`.
"""

import json
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from datetime import date, timedelta
from itertools import count, islice
from pathlib import Path
from urllib.parse import urlencode

from benchloom.core.records import Header
from benchmarks.worlds import shortcuts
from demo.replica.exchange import Request, Response
from demo.replica.pages import icloud, routinehub
from demo.replica.posted import AUTHORS, Posted, day
from demo.replica.shared import Shared, icloud_id
from demo.replica.words import sentence, title
from demo.replica.world import World
from scrapers.captures import CaptureWriter
from scrapers.sites import ASSET_SITE, RECORD_SITE

SHARE = 100
"""Each crawl after the first adds one entry for this many entries."""
PER_PAGE = routinehub.PER_PAGE
_CATEGORIES = ("Utilities", "Productivity", "Food and Drink", "Photo & Video")


def write_captures(size: int, folder: Path, runs: int = 1) -> None:
    """Write the archives of `runs` crawls of a site with `size` entries into a captures folder."""
    later = size // SHARE
    entries = enumerate(shortcuts(size))
    for run in range(1, runs + 1):
        run_entries = islice(entries, size - later * (runs - 1) if run == 1 else later)
        write_run(folder, run, ((number, data) for number, (_, data) in run_entries))


def write_run(folder: Path, run: int, entries: Iterable[tuple[int, bytes]]) -> None:
    """Write the captures of crawl number `run`.

    `entries` yields the number and the shortcut file of each entry that the crawl adds.
    """
    with ExitStack() as stack:
        pages, records, files = (
            _Archive(
                stack.enter_context(CaptureWriter(folder, site, f"{site}-{run:05d}.warc.gz")), run
            )
            for site in (routinehub.SITE, RECORD_SITE, ASSET_SITE)
        )
        pages.add("https://routinehub.co/robots.txt", _response_to("/robots.txt", []))
        coming = iter(entries)
        for number in count(1):
            chosen = list(islice(coming, PER_PAGE))
            if not chosen:
                break
            listed = [_posted(entry) for entry, _ in chosen]
            query = {"page": str(number), "sort": "newest"}
            # Always the second page: links to all pages would grow with the square of their number.
            page = _response_to("/shortcuts/", [_posted(0)] * PER_PAGE + listed, {"page": "2"})
            pages.add(f"https://routinehub.co/shortcuts/?{urlencode(query)}", page)
            for entry, data in chosen:
                _add_entry(pages, records, files, entry, data)


class _Archive:
    """A writer for an archive, whose captures all have the date of their crawl."""

    def __init__(self, writer: CaptureWriter, run: int) -> None:
        self._writer = writer
        self._at = f"{date(2026, 1, 1) + timedelta(weeks=run)}T00:00:00Z"

    def add(self, url: str, answer: Response) -> None:
        """Write the response to a request for `url`."""
        headers = tuple(Header(name, value) for name, value in answer.headers)
        status = (answer.status, {200: "OK", 302: "Found"}.get(answer.status, ""))
        self._writer.response(url, status, headers, answer.body, self._at)


def _add_entry(
    pages: _Archive, records: _Archive, files: _Archive, number: int, data: bytes
) -> None:
    entry = _posted(number)
    detail = _response_to(f"/shortcut/{entry.number}/", [entry])
    pages.add(f"https://routinehub.co/shortcut/{entry.number}/", detail)
    button = next(part for part in detail.body.decode().split('"') if part.startswith("/download/"))
    path, _, query = button.partition("?t=")
    pages.add(f"https://routinehub.co{button}", _response_to(path, [entry], {"t": query}))
    shared = Shared(number + 1000, icloud_id(number), entry.name, data, "shortcut")
    record = icloud.record_answer(shared)
    records.add(f"https://www.icloud.com/shortcuts/api/records/{shared.icloud_id}", record)
    address = json.loads(record.body)["fields"]["shortcut"]["value"]["downloadURL"]
    file = Response(200, data, (("Content-Type", "application/octet-stream"),))
    files.add(address.replace("${f}", f"{shared.icloud_id}.shortcut"), file)


def _response_to(path: str, entries: list[Posted], query: dict[str, str] | None = None) -> Response:
    world = World(entries={routinehub.SITE: entries})
    return routinehub.answer(world, Request("GET", "routinehub.co", path, query or {}, {}))


def _posted(number: int) -> Posted:
    name = f"{title(number % 400, 'en')} {number}"
    return Posted(
        site=routinehub.SITE,
        number=number + 1000,
        name=name,
        tagline=f"A {name.split()[1].lower()} for your pocket",
        description=f"{sentence(number % 400, 'en')} Made by number {number}.",
        link=f"https://www.icloud.com/shortcuts/{icloud_id(number)}",
        icloud_id=icloud_id(number),
        categories=(_CATEGORIES[number % 4],),
        version=f"1.{number % 9}",
        system_version=str(12 + number % 6),
        updated=day(number % 900),
        downloads=number * 37,
        favorites=number % 11,
        author=AUTHORS[number % 5],
    )


def main() -> None:
    """Write captures as the command line requests."""
    size, folder, *options = sys.argv[1:]
    write_captures(int(size), Path(folder), int(options[1]) if options[:1] == ["--runs"] else 1)


if __name__ == "__main__":
    main()
