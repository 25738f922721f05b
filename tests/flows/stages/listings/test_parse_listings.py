"""Check `benchloom parse listings` on real and hand-made saved pages, and on captures."""

import json
import zipfile
from collections import Counter
from pathlib import Path
from subprocess import CompletedProcess

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import Listing, Rejected
from benchloom.storage.tables.reader import iter_records
from demo.replica.exchange import Request
from demo.replica.pages import RESPONDERS
from demo.replica.server import build_world
from flows.run.runner import run_whole
from flows.stages.listings.parse import prepare
from tests.support.commands import benchloom
from tests.support.replica_crawls import WholeCrawl
from tests.support.shared_data import shared_file


def read_listings(folder: Path) -> list[Listing]:
    return list(iter_records(folder, "listings", Listing))


def read_rejected(folder: Path) -> list[Rejected]:
    return list(iter_records(folder, "rejected", Rejected))


def run_command(*arguments: str) -> CompletedProcess[str]:
    return benchloom(*arguments)


@pytest.fixture(scope="module")
def real_listings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Parse the real RoutineHub pages of 2020 by the command, and return the output folder."""
    folder = tmp_path_factory.mktemp("real")
    with zipfile.ZipFile(shared_file("sites.zip")) as archive:
        archive.extractall(folder / "pages")
    done = run_command(
        "parse", "listings", str(folder / "pages" / "routinehub.co-2020"),
        "--site", "routinehub", "--out", str(folder / "out"), "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["objects"] == 57
    assert summary["rows"] == {"listings": 235, "rejected": 10}
    return folder / "out"


@pytest.mark.real_data
def test_every_real_detail_page_is_complete(real_listings: Path) -> None:
    rows = {
        row.source_uri: row for row in read_listings(real_listings) if row.page_kind == "detail"
    }
    assert len(rows) == 32
    for uri, row in rows.items():
        number = uri.rsplit("/", 1)[-1].removesuffix(".html").removeprefix("shortcut_")
        assert row.listing_url == f"https://routinehub.co/shortcut/{number}/"
        assert row.name
        assert row.version
        assert row.categories
        assert row.category == row.categories[0]
        assert row.downloads is not None
        assert row.favorites is not None
        assert row.system_version in {"12", "13"}
        assert row.updated is not None
        assert len(row.updated) == 10
        assert (row.download_url or "").startswith("https://routinehub.co/download/")
        assert (row.author_credit or "").startswith("@")
    first = rows["shortcut/127.html"]
    assert (first.version, first.downloads, first.favorites) == ("v1.0", 218, 2)
    assert first.updated == "2018-10-12"
    assert first.categories == ("Education", "Reference")
    assert first.download_url == "https://routinehub.co/download/146"


@pytest.mark.real_data
def test_real_error_pages_have_their_state(real_listings: Path) -> None:
    states = {
        row.source_uri: row.state
        for row in read_listings(real_listings)
        if row.page_kind == "error"
    }
    assert states == {
        "special/shortcut_2018_notfound.html": "not_found",
        "special/shortcut_4426_nsfw.html": "nsfw",
    }


@pytest.mark.real_data
def test_real_list_pages_have_cards_and_next_page(real_listings: Path) -> None:
    cards = [row for row in read_listings(real_listings) if row.page_kind == "card"]
    pages = Counter(row.source_uri for row in cards)
    assert sum(pages.values()) == 201
    next_pages = {row.source_uri: row.next_page for row in cards}
    for uri, count in pages.items():
        assert count == {"special/search_q_backup.html": 20, "special/user_hmh.html": 16}.get(
            uri, 15
        )
    assert next_pages["special/search_q_backup.html"] is None
    assert next_pages["shortcuts/index.html?page=10&sort=newest.html"] == (
        "https://routinehub.co/shortcuts/?page=11&sort=newest"
    )
    assert next_pages["category/games?page=2&sort=newest&category=8.html"] == (
        "https://routinehub.co/category/games?page=3&sort=newest&category=8"
    )
    assert all(next_pages[uri] for uri in pages if "search" not in uri)
    for card in cards:
        assert card.name
        assert (card.listing_url or "").startswith("https://routinehub.co/shortcut/")
        assert card.downloads is not None
        assert card.favorites is not None
        assert card.categories


@pytest.mark.real_data
def test_real_pages_without_a_listing_are_rejected(real_listings: Path) -> None:
    reasons = {row.source_uri: row.reason for row in read_rejected(real_listings)}
    assert reasons["special/terms.html"] == "no_listing_on_page"
    assert reasons["special/icloud_landing_shell.html"] == "no_listing_on_page"
    assert reasons["special/robots.txt"] == "not_html"


@pytest.mark.real_data
def test_real_rest_rows_become_listings(tmp_path: Path) -> None:
    with zipfile.ZipFile(shared_file("sites.zip")) as archive:
        body = archive.read("matthewcassinelli.com-2026/rows_sample.json")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "rows.json").write_bytes(body)
    posts = json.loads(body)
    mark = run_whole(prepare([tmp_path / "in"], "matthewcassinelli"), tmp_path / "out")
    rows = read_listings(tmp_path / "out")
    assert len(rows) == len(posts) == mark.rows["listings"]
    for row, post in zip(rows, posts, strict=True):
        assert row.name
        assert row.listing_url == post["url"]
        assert row.icloud_id == (post["icloud_link"][-32:] or None)
        assert (row.link_problem == "no_link") is (not post["icloud_link"])


def save_pages(folder: Path) -> Path:
    """Save replica pages of RoutineHub as a person saves them, without address and headers."""
    world = build_world()
    respond = RESPONDERS.find("routinehub.co").answer
    folder.mkdir()
    for name, path in (
        ("one", "/shortcut/899/"),
        ("list", "/shortcuts/"),
        ("gone", "/shortcut/5/"),
    ):
        request = Request("GET", "routinehub.co", path, {}, {})
        (folder / f"{name}.html").write_bytes(respond(world, request).body)
    (folder / "empty.html").write_bytes(b"")
    (folder / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    return folder


def test_saved_pages_become_listings_or_rejected_rows(tmp_path: Path) -> None:
    stage = run_whole(prepare([save_pages(tmp_path / "in")], "routinehub"), tmp_path / "out")
    rows = read_listings(tmp_path / "out")
    assert Counter(row.page_kind for row in rows) == {"detail": 1, "card": 17, "error": 1}
    assert rows == sorted(rows, key=lambda row: (row.source_uri, row.position))
    assert stage.rows == {"listings": 19, "rejected": 2}
    assert stage.reasons == {"not_html": 2}
    again = run_whole(prepare([tmp_path / "in"], "routinehub"), tmp_path / "again")
    assert again.record == stage.record
    for name in ("listings.parquet", "rejected.parquet", "stage.json"):
        first, second = tmp_path / "out" / name, tmp_path / "again" / name
        assert first.read_bytes() == second.read_bytes()


def test_zip_gives_the_rows_of_its_folder(tmp_path: Path) -> None:
    folder = save_pages(tmp_path / "in")
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, path.name)
    run_whole(prepare([folder], "routinehub"), tmp_path / "a")
    run_whole(prepare([tmp_path / "in.zip"], "routinehub"), tmp_path / "b")

    def rows_without_uri(folder: Path) -> list[Listing]:
        return [msgspec.structs.replace(row, source_uri="") for row in read_listings(folder)]

    assert rows_without_uri(tmp_path / "a") == rows_without_uri(tmp_path / "b")
    assert read_listings(tmp_path / "b")[0].source_uri.startswith("in.zip!")


def test_captures_become_listings_with_links_and_captures(
    whole_crawl: WholeCrawl, tmp_path: Path
) -> None:
    for inputs in ([whole_crawl.captures], sorted(whole_crawl.captures.glob("routinehub/*.gz"))):
        run_whole(prepare(inputs, "routinehub"), tmp_path / "out")
        rows = read_listings(tmp_path / "out")
        details = [row for row in rows if row.page_kind == "detail"]
        assert len(details) == len(whole_crawl.world.expected("routinehub"))
        assert all(row.icloud_id and row.link_capture and row.capture for row in details)
        assert {row.site for row in rows} == {"routinehub"}
        assert not read_rejected(tmp_path / "out")


def test_drift_becomes_a_rejected_row(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "posts.json").write_bytes(b'[{"id": 1, "acf": false}]')
    mark = run_whole(prepare([tmp_path / "in"], "matthewcassinelli"), tmp_path / "out")
    assert mark.reasons == {"drift": 1}


def test_wrong_usage_of_parse_listings_is_reported(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="known:"):
        run_whole(prepare([tmp_path], "nowhere"), tmp_path / "out")
    with pytest.raises(RunError, match="nothing to read"):
        run_whole(prepare([tmp_path], "rcuts"), tmp_path / "out")
    done = run_command(
        "parse", "listings", str(tmp_path / "x"), "--site", "rcuts", "--out", str(tmp_path)
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_no_page_is_in_both_tables(tmp_path: Path) -> None:
    """A page that looks changed is rejected as a whole; one of these three pages is valid."""
    pages = {
        "good": '[{"title": {"rendered": "Tea"}, "link": "https://shortcuts.ispazio.net/a",'
        ' "content": {"rendered": "<a href=\'https://www.icloud.com/shortcuts/'
        + "ab" * 16
        + "'>x</a>\"}}]",
        "nameless": '[{"link": "https://shortcuts.ispazio.net/b"}, {"link": "c"}]',
        "linkless": '[{"title": {"rendered": "Oven"}}, {"title": {"rendered": "Door"}}]',
    }
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, text in pages.items():
        (folder / f"{name}.json").write_text(text)
    run_whole(prepare([folder], "ispazio"), tmp_path / "out")
    assert [row.name for row in read_listings(tmp_path / "out")] == ["Tea"]
    assert [
        (row.source_uri.rpartition("/")[2], row.reason) for row in read_rejected(tmp_path / "out")
    ] == [
        ("linkless.json", "drift"),
        ("nameless.json", "drift"),
    ]
