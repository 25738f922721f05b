"""Two releases of the demo world, before and after twenty scripted changes.

The diff lists exactly those changes, with their reasons.
"""

import json
import plistlib
import shutil
from pathlib import Path

import pytest

from benchloom.core.records import Listing, Shortcut
from benchloom.release import check_release, read_manifest
from benchloom.release.diff import ReleaseDiff, RowChange, diff_releases
from benchloom.storage.tables import iter_records, table_names
from demo.replica.server import Replica, running_replica
from demo.replica.settings import replica_settings
from demo.replica.shared import icloud_id
from flows.stages.listings.crawl import crawl_sites
from flows.stages.listings.download import download_shortcuts, listed_ids
from scrapers.sites import SITES
from tests.support.commands import benchloom
from tests.support.demo_world import DEMO, SHORTCUTS
from tests.support.prefect_server import clean_environment
from tests.support.replica_crawls import WholeCrawl
from tests.support.site_changes import CHANGES, Change, apply_changes

pytestmark = [pytest.mark.long, pytest.mark.prefect]

DEFINITIONS = DEMO / "data" / "definitions"
OPTED_OUT = 29
"""The number of a shared shortcut with one listing."""
CONSEQUENCES = {
    *("apps", "captures", "definition_checks", "executions", "queries", "rejected", "verdicts")
}
"""Tables about rows of other tables: they change with those, and are looked at apart."""


class World:
    """A replica, files and definitions, and the workspace that releases are made in."""

    def __init__(self, root: Path, replica: Replica, prefect_url: str, captures: Path) -> None:
        self.root = root
        self.replica = replica
        self.home = clean_environment(root / "home", prefect_url)
        self.settings = replica_settings(replica, 0.0)
        self.captures = root / "captures"
        shutil.copytree(captures, self.captures)
        self.files = root / "shortcuts"
        shutil.copytree(SHORTCUTS, self.files, ignore=shutil.ignore_patterns("odd", "damaged"))
        self.definitions = root / "definitions"
        shutil.copytree(DEFINITIONS, self.definitions)

    def crawl(self) -> None:
        """Crawl every site once more and download."""
        crawl_sites(list(SITES.names()), self.captures, self.settings, skip_unready=True)
        ids = listed_ids(self.captures, self.settings)
        download_shortcuts(ids, self.captures, self.settings)

    def release(self, opt_out: tuple[str, ...] = ()) -> Path:
        """Rebuild."""
        config = self.root / "rebuild.toml"
        config.write_text(
            f"""workers = 1
[sources]
shortcuts = ["shortcuts"]
definitions = ["definitions"]
captures = "captures"
[generate]
steps = ["query"]
writer = "template"
[crawl]
opt_out = {json.dumps(opt_out)}
"""
        )
        words = ("rebuild", "--json", "--config", config, "--workspace", self.root / "w")
        done = benchloom(*words, env=self.home)
        assert done.returncode == 0, done.stderr
        return Path(json.loads(done.stdout)["release"])

    def change_files(self) -> None:
        """One file new, one gone, one with other actions, one with a secret in it."""
        shutil.copy(SHORTCUTS / "odd" / "renamed.plist", self.files / "new.plist")
        (self.files / "bread-timer.json").unlink()
        changed = self.files / "price-of-gold.plist"
        root = plistlib.loads(changed.read_bytes())
        root["WFWorkflowActions"][1]["WFWorkflowActionParameters"]["WFRoundTo"] = "Ones"
        changed.write_bytes(plistlib.dumps(root))
        secret = self.files / "packing-list.plist"
        root = plistlib.loads(secret.read_bytes())
        root["WFWorkflowActions"][0]["WFWorkflowActionParameters"]["WFPassword"] = "kl4xon-9-brume"
        secret.write_bytes(plistlib.dumps(root))

    def change_definitions(self) -> None:
        """One definition new, one with another description."""
        path = self.definitions / "wfactions.json"
        (content,) = json.loads(path.read_text())
        content["is.workflow.actions.lantern.set"]["Description"]["DescriptionSummary"] = "Glows."
        content["is.workflow.actions.lantern.trim"] = {
            "ActionClass": "WFLanternTrimAction",
            "Name": "Trim the Wick",
        }
        path.write_text(json.dumps([content]))


@pytest.fixture(scope="module")
def releases(
    tmp_path_factory: pytest.TempPathFactory, prefect_url: str, whole_crawl: WholeCrawl
) -> tuple[Path, Path]:
    with running_replica() as replica:
        world = World(tmp_path_factory.mktemp("two"), replica, prefect_url, whole_crawl.captures)
        first = world.release()
        apply_changes(replica.world)
        world.crawl()
        world.change_files()
        world.change_definitions()
        second = world.release((f"https://www.icloud.com/shortcuts/{icloud_id(OPTED_OUT)}",))
    return first, second


@pytest.fixture(scope="module")
def diff(releases: tuple[Path, Path]) -> ReleaseDiff:
    return diff_releases(*releases)


def changes(diff: ReleaseDiff, table: str) -> list[RowChange]:
    return [
        change
        for table_diff in diff.tables
        if table_diff.table == table
        for change in table_diff.changes
    ]


def of_kind(*kinds: str) -> list[Change]:
    return [change for change in CHANGES if change.kind in kinds]


def test_there_are_twenty_changes() -> None:
    files, definitions, opted_out = 4, 2, 1
    assert len(CHANGES) + files + definitions + opted_out == 20


def test_both_releases_are_sound_and_the_version_says_that_rows_came(
    releases: tuple[Path, Path],
) -> None:
    for release in releases:
        check_release(release)
    assert [release.name for release in releases] == ["0.1.0", "0.2.0"]


def test_listings_changed_as_scripted(diff: ReleaseDiff, releases: tuple[Path, Path]) -> None:
    row_changes = changes(diff, "listings")
    new, gone = of_kind("new_shortcut", "new_listing"), of_kind("last_listing_gone", "listing_gone")
    edited = of_kind("edited")
    assert sorted((c.change, c.reason) for c in row_changes) == sorted(
        [("added", "new listing")] * len(new)
        + [("removed", "takedown")] * (len(gone) + 1)
        + [("changed", "changed listing")] * len(edited)
    )
    columns = {name for c in row_changes if c.change == "changed" for name in c.columns}
    assert columns == {"downloads", "favorites", "description", "link", "icloud_id"}
    before, after = (
        {row.listing_id: row for row in iter_records(release, "listings", Listing)}
        for release in releases
    )
    added = {
        (after[c.key].site, after[c.key].icloud_id) for c in row_changes if c.change == "added"
    }
    assert added == {(change.site, change.icloud_id) for change in new}
    removed = {
        (before[c.key].site, before[c.key].icloud_id) for c in row_changes if c.change == "removed"
    }
    assert removed == {(change.site, change.icloud_id) for change in gone} | {
        ("matthewcassinelli", icloud_id(OPTED_OUT))
    }
    other = {
        (before[c.key].site, before[c.key].icloud_id) for c in row_changes if c.change == "changed"
    }
    assert other == {(change.site, change.icloud_id) for change in edited}


def test_links_changed_as_scripted(diff: ReleaseDiff) -> None:
    link_changes = {(c.change, c.reason, c.key) for c in changes(diff, "icloud_records")}
    new = {("added", "new link", change.icloud_id) for change in of_kind("new_shortcut")}
    gone = {("removed", "takedown", c.icloud_id) for c in of_kind("last_listing_gone")}
    assert link_changes == new | gone | {("removed", "takedown", icloud_id(OPTED_OUT))}


def test_shortcuts_changed_as_scripted(diff: ReleaseDiff, releases: tuple[Path, Path]) -> None:
    row_changes = changes(diff, "shortcuts")
    before, after = (
        {row.shortcut_id: row for row in iter_records(release, "shortcuts", Shortcut)}
        for release in releases
    )
    added = [after[c.key] for c in row_changes if c.change == "added"]
    assert {i for row in added for i in row.icloud_ids} == {
        change.icloud_id for change in of_kind("new_shortcut")
    }
    assert [row.source_uri for row in added if not row.icloud_ids] == ["shortcuts/new.plist"]
    assert len(added) == len(of_kind("new_shortcut")) + 1
    taken = [before[c.key] for c in row_changes if c.reason == "takedown"]
    assert {i for row in taken for i in row.icloud_ids} == {
        *(change.icloud_id for change in of_kind("last_listing_gone")),
        icloud_id(OPTED_OUT),
    }
    gone = [before[c.key].source_uri for c in row_changes if c.reason == "shortcut gone"]
    assert gone == ["shortcuts/bread-timer.json"]
    changed = {after[c.key].source_uri: c for c in row_changes if c.change == "changed"}
    assert changed.pop("shortcuts/price-of-gold.plist").reason == "changed plist"
    assert changed.pop("shortcuts/packing-list.plist").reason == "redaction"
    ((_, correction),) = changed.items()
    (expected,) = [change for change in CHANGES if change.of_shortcut]
    assert after[correction.key].icloud_ids == (expected.icloud_id,)
    assert after[correction.key].description == expected.fields["description"]
    assert correction.reason.startswith("corrected: description")


def test_definitions_changed_as_scripted(diff: ReleaseDiff) -> None:
    definition_changes = {(c.change, c.reason, c.key) for c in changes(diff, "api_definitions")}
    assert definition_changes == {
        ("added", "new definition", "is.workflow.actions.lantern.trim"),
        ("changed", "changed definition", "is.workflow.actions.lantern.set"),
    }


def test_nothing_else_changed(diff: ReleaseDiff, releases: tuple[Path, Path]) -> None:
    primary = {"listings", "icloud_records", "shortcuts", "api_definitions"}
    assert {table.table for table in diff.tables} <= primary | CONSEQUENCES
    assert set(read_manifest(releases[0]).tables()) == set(table_names())
    touched = {c.key for c in changes(diff, "shortcuts")}
    earlier = {row.shortcut_id for row in iter_records(releases[0], "shortcuts", Shortcut)}
    pairs = touched | (touched & earlier)
    checks = changes(diff, "definition_checks")
    assert {c.key for c in checks if c.change == "added"} <= pairs
    moved = {table.table: table.moved for table in diff.tables}
    assert moved["listings"] > 20  # pages that show a change are captured again, whole


def test_the_name_of_what_was_taken_down_is_not_repeated(
    diff: ReleaseDiff, releases: tuple[Path, Path]
) -> None:
    gone = icloud_id(OPTED_OUT).encode()
    for path in sorted(releases[1].rglob("*")):
        if path.is_file():
            assert gone not in path.read_bytes(), path.name
    assert all(not c.label for t in diff.tables for c in t.changes if c.reason == "takedown")


def test_people_read_the_same(releases: tuple[Path, Path], diff: ReleaseDiff) -> None:
    workspace = releases[0].parents[1]
    done = benchloom("release", "diff", "0.1.0", "0.2.0", "--workspace", workspace)
    assert done.returncode == 0, done.stderr
    for table in diff.tables:
        for what, count in table.counts.items():
            assert f"{count:6d} {what}" in done.stdout
    assert "changed plist" in done.stdout
