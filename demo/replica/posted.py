"""What each site of the demo world lists, entry by entry."""

import uuid
from datetime import date, timedelta

import msgspec

from demo.replica.shared import Shared, shared_shortcuts
from demo.replica.words import sentence, title

AUTHORS = ("@papierboot", "@teekanne", "@mossandfern", "@lanternfish", "@graukatze")


class Posted(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a site. Fields that a site does not show stay None."""

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


def _link(shared: Shared) -> str:
    return f"https://www.icloud.com/shortcuts/{shared.icloud_id}"


def _pick(count: int, start: int) -> list[Shared]:
    every = shared_shortcuts()
    return [every[(start + place) % len(every)] for place in range(count)]


def _day(number: int) -> str:
    return (date(2026, 9, 30) - timedelta(days=number)).isoformat()


def _matthewcassinelli() -> list[Posted]:
    found = [
        Posted(
            site="matthewcassinelli",
            number=30_000 - place,
            name=f"{one.name}: it\u2019s here" if place % 10 == 0 else one.name,
            description=sentence(one.number, "en"),
            link=_link(one),
            icloud_id=one.icloud_id,
            updated=f"{_day(place)}T08:00:00",
            member_only=place % 4 == 3,
        )
        for place, one in enumerate(_pick(120, 0))
    ]
    return [
        *found,
        Posted(
            site="matthewcassinelli",
            number=29_000,
            name="Something for later",
            updated=f"{_day(130)}T08:00:00",
        ),
    ]


_HUB_CATEGORIES = ("Utilities", "Productivity", "Food and Drink", "Photo & Video")


def _routinehub() -> list[Posted]:
    return [
        Posted(
            site="routinehub",
            number=900 - place,
            name=one.name,
            tagline=f"A {one.name.split()[-1].lower()} for your pocket",
            description=sentence(one.number, "en"),
            link=_link(one),
            icloud_id=one.icloud_id,
            categories=(
                _HUB_CATEGORIES[place % 4],
                *((_HUB_CATEGORIES[(place + 1) % 4],) if place % 3 == 0 else ()),
            ),
            version=f"1.{place % 9}",
            system_version=str(12 + place % 6),
            updated=_day(place),
            downloads=place * 37,
            favorites=place % 11,
            author=AUTHORS[place % 5],
        )
        for place, one in enumerate(_pick(37, 100))
    ]


def _macstories() -> list[Posted]:
    headings = ("Action Button", "Health", "Music & Audio", "Travel")
    return [
        Posted(
            site="macstories",
            number=place,
            name=one.name,
            description=sentence(one.number, "en"),
            link=_link(one),
            icloud_id=one.icloud_id,
            categories=(headings[place * len(headings) // 30],),
        )
        for place, one in enumerate(_pick(30, 130))
    ]


def _shareshortcuts() -> list[Posted]:
    names = ("API", "Music", "Weather")
    return [
        Posted(
            site="shareshortcuts",
            number=2400 - place,
            name=one.name,
            description=sentence(one.number, "en"),
            link=_link(one),
            icloud_id=one.icloud_id,
            categories=(names[place % 3],),
            version=f"{1 + place % 3}.0",
            updated=f"{1 + place % 11} months ago",
            downloads=1000 + place * 1013,
            favorites=5 + place * 41,
        )
        for place, one in enumerate(_pick(22, 150))
    ]


GALLERY_CATEGORIES = ("games", "developer-tools", "our-favourites")


def _shortcutsgallery() -> list[Posted]:
    found: list[Posted] = []
    for place, one in enumerate(_pick(95, 130)):
        # The third category repeats entries of the first one.
        first = GALLERY_CATEGORIES[0] if place < 65 else GALLERY_CATEGORIES[1]
        categories = (first, GALLERY_CATEGORIES[2]) if place < 10 else (first,)
        found.append(
            Posted(
                site="shortcutsgallery",
                number=place,
                name=one.name,
                description=sentence(one.number, "en"),
                link=_link(one),
                icloud_id=one.icloud_id,
                categories=categories,
                rating=1 + place % 5 if place % 6 else None,
            )
        )
    return found


def _local(site: str, language: str, count: int, start: int, first_number: int) -> list[Posted]:
    return [
        Posted(
            site=site,
            number=first_number - place,
            name=title(one.number, language),
            description=sentence(one.number, language),
            link=_link(one),
            icloud_id=one.icloud_id,
            updated=_day(place * 3),
        )
        for place, one in enumerate(_pick(count, start))
    ]


def _with(entries: list[Posted], **columns: tuple[object, ...]) -> list[Posted]:
    """The entries with further columns, each cycling through its values."""
    return [
        msgspec.structs.replace(
            entry, **{name: values[place % len(values)] for name, values in columns.items()}
        )
        for place, entry in enumerate(entries)
    ]


def _ispazio() -> list[Posted]:
    return _local("ispazio", "it", 12, 200, 560)


def _jiejingku() -> list[Posted]:
    return _with(
        _local("jiejingku", "zh", 25, 205, 4100),
        categories=(("utilities",), ("sports",), ("photo",)),
        favorites=(4, 2, 31, 0),
        reads=(3005, 4597, 12),
    )


def _sspai() -> list[Posted]:
    made = _with(
        _local("sspai", "zh", 20, 40, 400),
        categories=(("休闲娱乐",), ("图片",), ("效率",)),
        downloads=(45500, 66200, 1637800),
    )
    return sorted(made, key=lambda entry: entry.categories)


def _jiejing_fun() -> list[Posted]:
    sections = tuple((f"分区{number}",) for number in range(1, 10))
    return _with(_local("jiejing_fun", "zh", 18, 60, 118), categories=sections, updated=(None,))


def _kejicut() -> list[Posted]:
    return _with(
        _local("kejicut", "zh", 9, 20, 77),
        author=("柯基",),
        favorites=(16, 88, 121),
        reads=(2554, 68808),
    )


def _rcuts() -> list[Posted]:
    return _with(
        _local("rcuts", "zh", 12, 90, 133),
        author=("捷径",),
        favorites=(775, 535, 34),
        reads=(2380241, 839685),
    )


def _own_file(number: int) -> str:
    name = uuid.uuid5(uuid.NAMESPACE_URL, str(number))
    return f"https://sharecuts.app/download/{name}.shortcut"


def _sharecuts() -> list[Posted]:
    made = _with(
        _local("sharecuts", "en", 8, 10, 30),
        favorites=(3, 9, 27),
        author=("mossandfern",),
        updated=(None,),
    )
    every = {one.icloud_id: one for one in shared_shortcuts()}
    return [
        msgspec.structs.replace(
            entry,
            link=_own_file(entry.number),
            icloud_id=None,
            data=every[entry.icloud_id or ""].data,
        )
        for entry in made
    ]


def _siri_shortcuts_de() -> list[Posted]:
    return _with(_local("siri_shortcuts_de", "de", 8, 30, 8), updated=(None,))


def _reddit() -> list[Posted]:
    flairs: tuple[tuple[str, ...], ...] = (("Shortcut Sharing",), ("Tip/Guide",), ())
    return [
        Posted(
            site="reddit",
            number=9000 - place,
            name=f"[Sharing] {one.name}",
            description=f"{sentence(one.number, 'en')} {_link(one)}",
            link=_link(one),
            icloud_id=one.icloud_id,
            categories=flairs[place % 3],
            updated=_day(place),
        )
        for place, one in enumerate(_pick(110, 95))
    ]


MAKERS = {
    "matthewcassinelli": _matthewcassinelli,
    "routinehub": _routinehub,
    "macstories": _macstories,
    "shareshortcuts": _shareshortcuts,
    "shortcutsgallery": _shortcutsgallery,
    "ispazio": _ispazio,
    "jiejingku": _jiejingku,
    "sspai": _sspai,
    "jiejing_fun": _jiejing_fun,
    "kejicut": _kejicut,
    "rcuts": _rcuts,
    "sharecuts": _sharecuts,
    "siri_shortcuts_de": _siri_shortcuts_de,
    "reddit": _reddit,
}
