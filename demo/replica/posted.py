"""The type of an entry on an imitated site, and functions that build entries."""

from datetime import date, timedelta
from itertools import islice

import msgspec

from demo.replica.shared import Shared, shared_shortcuts
from demo.replica.words import sentence, title

CHANGING = frozenset({19, 29, 78, 79, 80, 81, 82, 83})
"""The numbers of shared shortcuts that only one site lists; tests add, edit or remove its entry."""
AUTHORS = ("@papierboot", "@teekanne", "@mossandfern", "@lanternfish", "@graukatze")


class Posted(msgspec.Struct, frozen=True, kw_only=True):
    """An entry about a shortcut on an imitated site; fields that the site omits are None."""

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
    """Return the iCloud link of a shared shortcut."""
    return f"https://www.icloud.com/shortcuts/{shared.icloud_id}"


def pick(count: int, start: int) -> list[Shared]:
    """Return `count` shared shortcuts from number `start` on; after the last comes the first."""
    every = shared_shortcuts()
    return [every[(start + offset) % len(every)] for offset in range(count)]


def day(number: int) -> str:
    """Return the date `number` days before the newest date on any imitated site."""
    return (date(2026, 9, 30) - timedelta(days=number)).isoformat()


def posted(
    site: str, number: int, shortcut: Shared, language: str = "en", **fields: object
) -> Posted:
    """Return an entry about a shortcut, with name and description in a language such as `en`.

    `fields` are values for further fields of the entry.
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
    """Return `count` entries in a language, newest first, about shortcuts not in `CHANGING`.

    `start` is the number of the first shortcut, and `first_number` the number of the newest entry.
    """
    listed = (shortcut for shortcut in pick(2 * count, start) if shortcut.number not in CHANGING)
    return [
        posted(site, first_number - index, shortcut, language, updated=day(index * 3))
        for index, shortcut in enumerate(islice(listed, count))
    ]


def cycled(entries: list[Posted], **columns: tuple[object, ...]) -> list[Posted]:
    """Return the entries with values for further fields; each field repeats its values in turn."""
    return [
        msgspec.structs.replace(
            entry, **{name: values[index % len(values)] for name, values in columns.items()}
        )
        for index, entry in enumerate(entries)
    ]
