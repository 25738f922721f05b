"""Check the crawl of one site: limits, dates, robots.txt, faults, refusals and tombstones."""

from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.kinds import UnknownMemberError
from benchloom.normalise.opt_outs.tombstones import withhold
from demo.replica.exchange import Request, Response, plain_404, robots
from demo.replica.faults import Kind
from demo.replica.server import Replica, running_replica
from demo.replica.settings import replica_settings
from demo.replica.world import World
from flows.stages.listings.crawl import crawl_sites
from flows.stages.listings.site_report import SiteReport
from scrapers.captures import captures_in
from scrapers.captures.layout import TOMBSTONES_FILE as FILE
from scrapers.captures.tombstones import add_tombstones, read_tombstones
from scrapers.crawl.runs import read_state
from scrapers.errors import ReplayMissError, SettingsError
from scrapers.http.robots import read_robots
from scrapers.settings import CrawlSettings
from scrapers.sites import SITES
from tests.support.captured_tables import listings_of_site


def crawl(
    replica: Replica,
    folder: Path,
    site: str,
    *,
    limit: int | None = None,
    since: str | None = None,
    replay: bool = False,
) -> SiteReport:
    settings = replica_settings(replica, 0.0, timeout=1.0)
    return crawl_sites([site], folder, settings, limit=limit, since=since, replay=replay)[0]


def test_limit_stops_the_crawl_of_a_site(tmp_path: Path) -> None:
    with running_replica() as replica:
        report = crawl(replica, tmp_path, "routinehub", limit=3)
        assert report.listings >= 3
        assert report.requests < 12
        assert not report.complete
        state = read_state(tmp_path, "routinehub")
        assert state is not None
        assert state.outcome == "partial"


@pytest.mark.parametrize("site", ["routinehub", "jiejingku"])
def test_since_stops_at_the_first_older_page(tmp_path: Path, site: str) -> None:
    with running_replica() as replica:
        newest = max(str(entry.updated) for entry in replica.world.posted(site))
        partial_report = crawl(replica, tmp_path / "some", site, since="2026-09-29")
        partial_request_count = len(replica.log)
        replica.log.clear()
        assert crawl(replica, tmp_path / "all", site).complete
        assert partial_request_count < len(replica.log)
        assert not partial_report.complete
        assert newest in {row.updated for row in listings_of_site(tmp_path / "some", site)}


@pytest.mark.parametrize("kind", ["server_error", "dropped", "huge"])
def test_bad_page_costs_only_itself(tmp_path: Path, kind: Kind) -> None:
    with running_replica() as replica:
        # The client does not retry an oversized page, so one fault is enough.
        replica.faults.add("www.rcuts.com", "/130.html", kind, 1 if kind == "huge" else 3)
        report = crawl(replica, tmp_path, "rcuts")
        assert len(report.faults) == 1
        assert report.refused is None
        assert report.listings == len(
            replica.world.expected("rcuts")
        )  # its teaser on the list is kept
        assert not report.complete
        second_report = crawl(replica, tmp_path, "rcuts")
        assert second_report.complete
        assert not second_report.faults


def test_crawl_stops_after_faults_in_a_row(tmp_path: Path) -> None:
    with running_replica() as replica:
        replica.faults.add("www.rcuts.com", "/1", "server_error", -1)
        report = crawl(replica, tmp_path, "rcuts")
        assert "in a row" in (report.refused or "")
        assert len(replica.log) < 25


def test_unreadable_robots_txt_forbids_the_crawl(tmp_path: Path) -> None:
    with running_replica() as replica:
        replica.faults.add("www.rcuts.com", "/robots.txt", "server_error", -1)
        report = crawl(replica, tmp_path, "rcuts")
        assert "robots.txt" in (report.refused or "")
        assert {request.path for request in replica.log} == {"/robots.txt"}


def test_forbidden_start_page_is_a_refusal(tmp_path: Path) -> None:
    def forbidden(world: World, request: Request) -> Response:
        assert world.entries
        return robots("Disallow: /") if request.path == "/robots.txt" else plain_404()

    with running_replica() as replica:
        replica.overrides["www.rcuts.com"] = forbidden
        report = crawl(replica, tmp_path, "rcuts")
        assert "disallowed" in (report.refused or "")
        assert {logged.path for logged in replica.log} == {"/robots.txt"}


def test_robots_rules_decide_paths_and_delay() -> None:
    rules = read_robots(200, b"User-agent: *\nAllow: /a/b\nDisallow: /a\nCrawl-delay: 3\n")
    assert rules.allows("https://x.example/a/b")
    assert not rules.allows("https://x.example/a/c")
    assert rules.delay() == 3.0
    own_rules = read_robots(200, b"User-agent: benchloom\nDisallow: /\n\nUser-agent: *\nAllow: /\n")
    assert not own_rules.allows("https://x.example/")
    assert read_robots(200, b"\xff\xfe\x00 nonsense").allows("https://x.example/")


def test_missing_rest_api_is_replaced_by_pages(tmp_path: Path) -> None:
    with running_replica() as replica:
        crawl(replica, tmp_path / "rest", "ispazio")
        replica.faults.add("shortcuts.ispazio.net", "/wp-json/", "not_found", -1)
        report = crawl(replica, tmp_path / "pages", "ispazio")
        assert report.complete
        by_rest = {
            (r.name, r.icloud_id, r.description)
            for r in listings_of_site(tmp_path / "rest", "ispazio")
        }
        page_rows = listings_of_site(tmp_path / "pages", "ispazio")
        assert {(row.name, row.icloud_id, row.description) for row in page_rows} == by_rest


def test_replay_sends_no_requests_and_fails_on_missing_captures(tmp_path: Path) -> None:
    with running_replica() as replica:
        live = crawl(replica, tmp_path, "routinehub")
        request_count = len(replica.log)
        replayed = crawl(replica, tmp_path, "routinehub", replay=True)
        assert len(replica.log) == request_count
        assert (replayed.pages, replayed.listings) == (live.pages, live.listings)
        with pytest.raises(ReplayMissError, match="never captured"):
            crawl(replica, tmp_path, "rcuts", replay=True)


def test_closed_site_is_only_replayed_from_captures(tmp_path: Path) -> None:
    live = CrawlSettings(contact="https://example.org/me")
    with pytest.raises(SettingsError, match="closed"):
        crawl_sites(["sspai"], tmp_path, live)
    skipped = crawl_sites(["sspai"], tmp_path, live, skip_unready=True)[0]
    assert "closed" in (skipped.skipped or "")
    with running_replica() as replica:
        captured = crawl(replica, tmp_path, "sspai")
    replayed = crawl_sites(["sspai"], tmp_path, live, replay=True)[0]
    assert replayed.listings == captured.listings > 0


def test_reddit_requires_credentials_and_stores_none(tmp_path: Path) -> None:
    with running_replica() as replica:
        poor = replica_settings(replica, 0.0, reddit_client_id=None)
        with pytest.raises(SettingsError, match="REDDIT_CLIENT_ID"):
            crawl_sites(["reddit"], tmp_path, poor)
        wrong = replica_settings(replica, 0.0, reddit_client_id="guess")
        report = crawl_sites(["reddit"], tmp_path, wrong)[0]
        assert "401" in (report.refused or "")
        crawl(replica, tmp_path, "reddit")
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for record in captures_in(tmp_path):
        stored += repr(record).encode()
    for secret in (b"demo-secret", b"demo-token", b"ZGVtby1jbGllbnQ"):
        assert secret not in stored


def test_unknown_site_lists_the_known_sites() -> None:
    with pytest.raises(UnknownMemberError, match=r"known: .*ispazio"):
        SITES.find("nowhere")
    assert SITES.find("siri-shortcuts.de").name == "siri_shortcuts_de"


def remove_entry(world: World, site: str, number: int) -> None:
    world.removed.add((site, number))


def test_removed_listing_becomes_a_tombstone_until_it_returns(tmp_path: Path) -> None:
    with running_replica() as replica:
        before = crawl(replica, tmp_path, "rcuts").listings
        removed_entry = replica.world.posted("rcuts")[2]
        remove_entry(replica.world, "rcuts", removed_entry.number)
        report = crawl(replica, tmp_path, "rcuts")
        assert report.tombstones == 1
        stones = read_tombstones(tmp_path)
        assert [stone.listing_url for stone in stones.values()] == [
            f"https://www.rcuts.com/{removed_entry.number}.html"
        ]
        rows = listings_of_site(tmp_path, "rcuts")
        assert len(rows) == before  # its capture is still there
        allowed = withhold(rows, stones, ())
        assert len(allowed.listings) == before - 1
        assert [row.reason for row in allowed.rejected] == ["removed"]
        assert allowed.icloud_ids == {removed_entry.icloud_id}
        replica.world.removed.clear()
        crawl(replica, tmp_path, "rcuts")
        assert read_tombstones(tmp_path) == {}
        assert (tmp_path / FILE).read_bytes().count(b"\n") == 2


def test_end_of_a_rolling_list_gets_no_tombstone(tmp_path: Path) -> None:
    with running_replica() as replica:
        before = crawl(replica, tmp_path, "reddit").listings
        posted = replica.world.posted("reddit")
        remove_entry(replica.world, "reddit", posted[-1].number)
        remove_entry(replica.world, "reddit", posted[-2].number)
        assert crawl(replica, tmp_path, "reddit").tombstones == 0
        remove_entry(replica.world, "reddit", posted[5].number)
        assert crawl(replica, tmp_path, "reddit").tombstones == 1
    (stone,) = read_tombstones(tmp_path).values()
    assert str(posted[5].number) in str(stone.listing_url)
    rows = listings_of_site(tmp_path, "reddit")
    assert len(rows) == before  # includes rows that are only in earlier captures
    assert len(withhold(rows, {stone.listing_id: stone}, ()).listings) == before - 1


def test_partial_crawl_adds_no_tombstones(tmp_path: Path) -> None:
    with running_replica() as replica:
        crawl(replica, tmp_path, "rcuts")
        remove_entry(replica.world, "rcuts", replica.world.posted("rcuts")[-1].number)
        assert crawl(replica, tmp_path, "rcuts", limit=2).tombstones == 0
        replica.faults.add("www.rcuts.com", "/130.html", "server_error", 3)
        assert crawl(replica, tmp_path, "rcuts").tombstones == 0
        assert read_tombstones(tmp_path) == {}


def test_opt_outs_apply_to_captured_listings(tmp_path: Path) -> None:
    with running_replica() as replica:
        crawl(replica, tmp_path, "rcuts")
        first, second, third = replica.world.posted("rcuts")[:3]
    rows = listings_of_site(tmp_path, "rcuts")
    wishes = (
        f"https://www.rcuts.com/{first.number}.html",
        f"https://www.icloud.com/shortcuts/{second.icloud_id}",
        str(third.icloud_id).upper(),
    )
    allowed = withhold(rows, {}, wishes)
    assert len(allowed.listings) == len(rows) - 3
    assert {row.reason for row in allowed.rejected} == {"opted_out"}
    assert allowed.icloud_ids == {first.icloud_id, second.icloud_id, third.icloud_id}
    # A shortcut that is also listed elsewhere stays unless its iCloud link was opted out.
    twice = [
        *rows,
        msgspec.structs.replace(rows[0], listing_id="x", listing_url="https://o.example/"),
    ]
    assert first.icloud_id not in withhold(twice, {}, wishes[:1]).icloud_ids


def test_damaged_tombstones_are_reported(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b'{"at": "x"}\n')
    with pytest.raises(RunError, match="line 1"):
        read_tombstones(tmp_path)
    (tmp_path / FILE).write_bytes(b'{"at": "cut by a ki')
    assert read_tombstones(tmp_path) == {}
    assert add_tombstones(tmp_path, []) == 0
