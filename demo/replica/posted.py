"""Entries of the sites of the demo world, and functions that build them."""

from datetime import date, timedelta
from itertools import islice

import msgspec

from demo.replica.shared import Shared, shared_shortcuts
from demo.replica.words import sentence, title

CHANGING = frozenset({19, 29, 78, 79, 80, 81, 82, 83})
"""Shared shortcuts with one open listing, which the tests of two releases add, edit or remove."""
AUTHORS = ("@papierboot", "@teekanne", "@mossandfern", "@lanternfish", "@graukatze")


class Posted(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of a site; fields that the site does not show are None."""

    site: str
    number: int
    name: str
    description: str | None = None
    link: str | None = None
    icloud_id: str | None = None
    categories: tuple[str, ...] = ()
    tagline: str | None = None
    version: str | None = None
    system_version: str | None = None
    updated: str | None = None
    downloads: int | None = None
    favorites: int | None = None
    reads: int | None = None
    rating: int | None = None
    author: str | None = None
    member_only: bool = False
    data: bytes | None = None


def link_of(shared: Shared) -> str:
    """Return the iCloud link of a shortcut."""
    return f"https://www.icloud.com/shortcuts/{shared.icloud_id}"


def pick(count: int, start: int) -> list[Shared]:
    """Return `count` shared shortcuts from number `start`; the last is followed by the first."""
    every = shared_shortcuts()
    return [every[(start + offset) % len(every)] for offset in range(count)]


def day(number: int) -> str:
    """Return the date `number` days before the newest date of the world."""
    return (date(2026, 9, 30) - timedelta(days=number)).isoformat()


def posted(
    site: str, number: int, shortcut: Shared, language: str = "en", **fields: object
) -> Posted:
    """Return an entry about a shortcut, with name and description in a language.

    `fields` are further fields, or replace the usual ones.
    """
    entry = Posted(
        site=site,
        number=number,
        name=title(shortcut.number, language),
        description=sentence(shortcut.number, language),
        link=link_of(shortcut),
        icloud_id=shortcut.icloud_id,
    )
    return msgspec.structs.replace(entry, **fields)


def local(site: str, language: str, count: int, start: int, first_number: int) -> list[Posted]:
    """Return the entries in a language, newest first, without those in `CHANGING`."""
    listed = (shortcut for shortcut in pick(2 * count, start) if shortcut.number not in CHANGING)
    return [
        posted(site, first_number - index, shortcut, language, updated=day(index * 3))
        for index, shortcut in enumerate(islice(listed, count))
    ]


def cycled(entries: list[Posted], **columns: tuple[object, ...]) -> list[Posted]:
    """Return the entries with additional columns; each column cycles through its values."""
    return [
        msgspec.structs.replace(
            entry, **{name: values[index % len(values)] for name, values in columns.items()}
        )
        for index, entry in enumerate(entries)
    ]
