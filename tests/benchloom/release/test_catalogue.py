"""The catalogue: who stands in it, who must not, pages, slugs and links."""

import re
from collections.abc import Iterable, Sequence
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchloom.memory import remembering
from benchloom.release import ReleaseTable
from benchloom.release.describing.entries import (
    Entries,
    PieceFile,
    making,
    name_in,
    placed_entries,
    slug,
)
from benchloom.release.describing.entries.pieces import EntryPieces, pieces_of
from benchloom.release.describing.entries.records import Entry
from benchloom.release.describing.pages import icloud_address, visible, web_address
from benchloom.release.describing.plans import shortened
from benchloom.release.manifest import read_manifest
from benchloom.stages import part_path
from benchloom.tables import write_table
from benchloom.workspace import StageMark
from tests.support.samples.described import (
    MEMBERS,
    SECRET,
    TAKEN_DOWN,
    build,
    compose,
    icloud_id,
    listings,
    shortcuts,
)


@pytest.fixture(scope="module")
def release(described_release: Path) -> Path:
    return described_release


def text_of(folder: Path) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.*")))


def test_an_entry_tells_everything_a_user_needs(release: Path) -> None:
    text = (release / "catalogue" / "site" / f"{slug('share-cuts')}-1.html").read_text()
    entry = next(one for one in text.split('<li id="e')[1:] if "Shortcut number 7" in one)
    assert "What number 7 is good for" in entry
    assert "By Author 7" in entry
    assert f'href="https://www.icloud.com/shortcuts/{icloud_id(7)}"' in entry
    assert 'href="https://share-cuts.example/shortcut/7"' in entry
    assert "Apps needed: " in entry
    assert "Level " in entry
    assert "Music" in entry
    shortcut = next(row for row in shortcuts() if icloud_id(7) in row.icloud_ids)
    steps = re.findall(r"<li(?: class=\"d(\d)\")?>(.*)</li>", entry)
    assert f"<summary>{len(shortcut.actions)} steps</summary>" in entry
    assert [int(depth or 0) for depth, _ in steps] == [one.depth for one in shortcut.actions]
    assert [unescape(line) for _, line in steps] == [
        shortened(line.strip(), 120) for line in shortcut.workflow.split("\n")
    ]


def test_who_must_not_be_shown_is_left_out(release: Path) -> None:
    text = text_of(release / "catalogue")
    for name in (TAKEN_DOWN, MEMBERS, SECRET, "Shortcut number 1<", "Not in the release"):
        assert name not in text, name
    assert f"/shortcuts/{icloud_id(1)}" not in text
    assert f"/shortcuts/{icloud_id(4)}" not in text
    assert 'href="javascript' not in text


def test_a_taken_down_listing_hides_the_name_of_its_shortcut_too(tmp_path: Path) -> None:
    rows = listings()
    name = "Translate what I read"
    number = next(int(row.icloud_ids[0], 16) for row in shortcuts() if row.name == name)
    assert number >= len(rows)
    assert name in text_of(build(tmp_path / "before", {"listings": rows}) / "catalogue")
    rows.append(rows[4] | {"listing_id": "listing:x", "icloud_id": icloud_id(number)})
    folder = build(tmp_path, {"listings": rows}) / "catalogue"
    assert name not in text_of(folder)


def test_sites_and_categories_lead_to_all_entries(release: Path) -> None:
    index = (release / "catalogue" / "index.html").read_text(encoding="utf-8")
    counts = [int(n) for n in re.findall(r'</a> <span class="soft">(\d+)</span>', index)]
    total = re.search(r"<p>(\d+) entries", index)
    assert total is not None
    sites = index.index("<h2>Sites</h2>")
    categories = index.index("<h2>Categories</h2>")
    in_sites = index[sites:categories].count("<li><a")
    listed = {icloud_id(number) for number in range(12)}
    named = [row for row in shortcuts() if row.name and not row.redactions]
    alone = [row for row in named if not listed & set(row.icloud_ids)]
    assert alone
    assert sum(counts[:in_sites]) == int(total[1]) == 8 + len(alone)
    assert sum(counts[in_sites:]) >= int(total[1])


def test_without_listings_the_named_shortcuts_are_listed(tmp_path: Path) -> None:
    release = build(tmp_path, {})
    named = {row.name for row in shortcuts() if row.name and not row.redactions}
    page = slug("not told")
    text = (release / "catalogue" / "site" / f"{page}-1.html").read_text(encoding="utf-8")
    assert text.count("<h3>") == len(named)
    assert "Glass of water" in text


def walks(numbers: Iterable[int], folder: Path) -> dict[str, str]:
    """The pages of the one site of a release of so many walks, by their names."""
    base = next(row for row in shortcuts() if row.name == "Long walk")
    rows = [
        msgspec.structs.replace(base, shortcut_id=f"{n}", source_uri=f"{n:04d}.plist", name=name)
        for n in numbers
        for name in [f"Walk {(n * 7919) % 10_000:04d}"]
    ]
    stage = folder / "stage"
    write_table("shortcuts", rows, part_path(stage, "shortcuts", 0))
    mark = StageMark(
        stage="parse-shortcuts", key="k", objects=len(rows), rows={"shortcuts": len(rows)}
    )
    release = compose([ReleaseTable("shortcuts", stage)], mark, folder)
    place = release / "catalogue" / "site"
    return {path.name: path.read_text(encoding="utf-8") for path in place.iterdir()}


def names_on(page: str) -> list[str]:
    return re.findall(r"<h3>(.*)</h3>", page)


@pytest.mark.long
def test_many_entries_make_many_pages_that_lead_to_each_other(tmp_path: Path) -> None:
    pages = walks(range(1000), tmp_path)
    path, found = f"{slug('not told')}-1.html", []
    every = re.findall(r'<a href="\.\./site/([^"]+)">[0-9]+</a>', pages[path])
    assert len(every) == len(pages) > 5
    previous = None
    while True:
        text = pages[path]
        names = names_on(text)
        assert names == sorted(names)
        assert len(names) <= 200
        found.append(names)
        assert path == every[len(found) - 1]
        before = re.findall(r'<a href="\.\./site/([^"]+)" rel="prev">', text)
        after = re.findall(r'<a href="\.\./site/([^"]+)" rel="next">', text)
        assert before == ([] if previous is None else [previous])
        assert text.count(f'href="../site/{every[0]}#pages"') == len(before)
        if not after:
            break
        previous, [path] = path, after
    assert len(found) == len(pages)
    assert all(len(names) >= 50 for names in found[:-1])
    came = {f"Walk {(n * 7919) % 10_000:04d}": n for n in range(1000)}
    numbers = [sorted(came[name] for name in names) for names in found]
    assert [number for page in numbers for number in page] == list(range(1000))


def test_a_hundred_entries_stand_on_one_page_by_name(tmp_path: Path) -> None:
    [(name, text)] = walks(range(100), tmp_path).items()
    assert name == f"{slug('not told')}-1.html"
    assert 'rel="prev"' not in text
    assert 'rel="next"' not in text
    assert names_on(text) == sorted(f"Walk {(n * 7919) % 10_000:04d}" for n in range(100))


@pytest.mark.long
@pytest.mark.parametrize(
    ("new", "most"), [(range(1000, 1010), 3), (range(95, 1000, 300), 10)], ids=["last", "between"]
)
def test_pages_without_a_new_entry_stay_as_they_are(
    tmp_path: Path, new: Sequence[int], most: int
) -> None:
    after = walks(sorted({*range(1000), *new}), tmp_path / "after")
    before = walks(sorted({*range(1000)} - {*new}), tmp_path / "before")
    told = {f"Walk {(n * 7919) % 10_000:04d}" for n in new}
    changed = [name for name, text in after.items() if before.get(name) != text]
    holding = [name for name, text in after.items() if told & set(names_on(text))]
    # One that holds a new entry, its neighbours where one ends elsewhere now, and the first page.
    assert len(changed) <= most
    unchanged = set(after) - set(changed)
    assert not unchanged & set(holding)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the entries that are made."""
    names: list[str] = []
    given = pieces_of

    def noted(entry: Entry, count: bytes) -> EntryPieces:
        names.append(entry.name)
        return given(entry, count)

    monkeypatch.setattr(making, "pieces_of", noted)
    return names


def test_rows_that_stood_in_another_file_are_not_made_again(
    tmp_path: Path, made: list[str]
) -> None:
    with remembering(tmp_path / "store"):
        before = walks(range(60), tmp_path / "before")
    assert len(made) == 60
    made.clear()
    with remembering(tmp_path / "store"):
        known = walks(range(1, 61), tmp_path / "known")
    assert made == ["Walk 5140"]
    assert known == walks(range(1, 61), tmp_path / "alone") != before


def test_listings_that_tell_the_same_in_another_file_are_not_made_again(
    tmp_path: Path, made: list[str]
) -> None:
    def catalogue(name: str, rows: list[dict[str, Any]]) -> str:
        made.clear()
        listed = [row | {"downloads": len(name)} for row in rows]  # which no entry tells
        return text_of(build(tmp_path / name, {"listings": listed}) / "catalogue")

    rows = listings()
    other = [dict(row) for row in rows]
    del other[1]
    by_name = {row["name"]: row for row in other}
    by_name["Shortcut number 7"]["description"] = "Something else"
    by_name["Shortcut number 8"]["icloud_id"] = icloud_id(2)  # another shortcut behind it
    with remembering(tmp_path / "store"):
        before = catalogue("before", rows)
        assert {"Shortcut number 7", "Shortcut number 9"} < set(made)
        after = catalogue("after", other)
    assert sorted(set(made) & {row["name"] for row in rows}) == [
        "Shortcut number 7",
        "Shortcut number 8",
    ]
    assert after == catalogue("alone", other) != before
    assert {"Shortcut number 7", "Shortcut number 9"} < set(made)


def anchors(release: Path) -> dict[str, str]:
    """Names by the anchors of their entries; no anchor stands twice on the pages of sites."""
    text = text_of(release / "catalogue" / "site")
    found = re.findall(r'<li id="(e[^"]*)">\n<h3>(.*)</h3>', text)
    named = dict(found)
    assert len(named) == len(found) == text.count("<h3>")
    return named


def test_anchors_of_entries_are_the_same_in_the_next_release(tmp_path: Path) -> None:
    rows = listings()
    fewer = [row for row in rows if row["icloud_id"] != icloud_id(2)]
    before = anchors(build(tmp_path / "before", {"listings": fewer}))
    after = anchors(build(tmp_path / "after", {"listings": rows}))
    new = after.keys() - before.keys()
    assert len(new) == 1
    # At most the shortcut that had no listing before, and stood there by its own name.
    assert len(before.keys() - after.keys()) <= 1
    assert all(before[anchor] == after[anchor] for anchor in after.keys() - new)


def test_rows_about_one_entry_have_anchors_of_their_own(tmp_path: Path) -> None:
    rows = listings()
    again = next(row for row in rows if row["icloud_id"] == icloud_id(7))
    once = anchors(build(tmp_path / "once", {"listings": rows}))
    twice = anchors(build(tmp_path / "twice", {"listings": [*rows, again | {"position": 99}]}))
    (more,) = twice.keys() - once.keys()
    assert more.endswith("-2")
    assert twice[more] == twice[more.removesuffix("-2")] == again["name"]


def test_entries_are_read_back_page_by_page(release: Path, tmp_path: Path) -> None:
    from benchloom.release.documents import view_release

    tables = view_release(release, read_manifest(release)).tables
    with Entries(tables, tmp_path) as entries, PieceFile(entries.pieces) as pieces:
        for kind in ("site", "category"):
            for group in entries.groups(kind):
                (page,) = group.pages
                placed = list(placed_entries(entries.folder, page.first, page.count))
                about = [one.pieces(pieces).about.decode() for one in placed]
                found = [unescape(re.findall("<h3>(.*)</h3>", one)[0]) for one in about]
                assert len(found) == group.count
                assert found == sorted(found, key=str.casefold)
                assert found == [name_in(one.pieces(pieces)) for one in placed]
                if kind == "site":
                    assert {one.page for one in placed} == {page.name}
                    assert {one.site for one in placed} == {group.name}
                else:
                    assert all(group.name in unescape(one) for one in about)


def test_pages_of_categories_lead_to_the_steps_on_pages_of_sites(release: Path) -> None:
    place = release / "catalogue"
    found: dict[str, list[tuple[str, str]]] = {}
    for page in sorted((place / "category").iterdir()):
        text = page.read_text(encoding="utf-8")
        assert "<details>" not in text
        for entry in text.split('<li id="')[1:]:
            ident = entry.partition('"')[0]
            told = re.findall(r'<a href="\.\./([^"]+)">([0-9,]+ steps?)</a>', entry)
            assert len(told) <= 1
            assert not told or found.setdefault(ident, told) == told
    for ident, [(address, steps)] in found.items():
        path, _, anchor = address.partition("#")
        assert anchor == ident
        (entry,) = (place / path).read_text(encoding="utf-8").split(f'<li id="{ident}">')[1:]
        assert entry.partition("<summary>")[2].startswith(f"{steps}</summary>")
    assert len(found) == sum(
        (place / "site" / page.name).read_text(encoding="utf-8").count("<details>")
        for page in (place / "site").iterdir()
    )


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        " data:text/html,x",
        "https://",
        "//x",
        None,
        "http://[bad",
        "\u202ehttps://a.b",
    ],
)
def test_only_web_addresses_become_links(address: str | None) -> None:
    assert web_address(address) is None
    assert web_address("https://a.example/b?c=d") == "https://a.example/b?c=d"


@pytest.mark.parametrize("found", ["", None, "../../x", "0" * 31, "g" * 32, "0" * 32 + "\n"])
def test_only_icloud_ids_become_icloud_links(found: str | None) -> None:
    assert icloud_address(found) is None
    upper = "ABCDEF0123456789ABCDEF0123456789"
    assert icloud_address(upper) == f"https://www.icloud.com/shortcuts/{upper.lower()}"


def test_slugs_are_plain_and_never_meet() -> None:
    names = [
        "Weather",
        "weather",
        "天气",
        "音乐",
        "../../etc",
        "a/b",
        "a b",
        "x" * 300,
        "",
        "\ud800",
    ]
    slugs = [slug(name) for name in names]
    assert len(set(slugs)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9-]{8,49}", found) for found in slugs)


def test_letters_that_hide_or_turn_text_are_replaced() -> None:
    assert visible("a\u202eb\x00c\u2066d") == "a\ufffdb\ufffdc\ufffdd"
    assert visible("天气 ok\n\t🙂") == "天气 ok\n\t🙂"
