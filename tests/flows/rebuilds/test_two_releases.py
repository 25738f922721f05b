"""Check that a diff of two releases of the demo world lists exactly twenty scripted changes.

Each change must have its reason.
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
"""Tables about rows of other tables: they change with those rows, so they are compared apart."""


class World:
    """The inputs of the releases, a replica, files and definitions, and their workspace."""

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
        """Crawl every site once more and download the listed shortcuts."""
        crawl_sites(list(SITES.names()), self.captures, self.settings, skip_unready=True)
        ids = listed_ids(self.captures, self.settings)
        download_shortcuts(ids, self.captures, self.settings)

    def release(self, opt_out: tuple[str, ...] = ()) -> Path:
        """Rebuild with these opt-outs and return the folder of the release."""
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
        command = ("rebuild", "--json", "--config", config, "--workspace", self.root / "w")
        done = benchloom(*command, env=self.home)
        assert done.returncode == 0, done.stderr
        return Path(json.loads(done.stdout)["release"])

    def change_files(self) -> None:
        """Add a file, remove one, change the actions of a third, put a secret into a fourth."""
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
        """Add a definition, and change the description of another one."""
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
    """Make a release of the demo world before and after the changes, and return both folders."""
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


def row_changes_of(diff: ReleaseDiff, table: str) -> list[RowChange]:
    return [
        change
        for table_diff in diff.tables
        if table_diff.table == table
        for change in table_diff.changes
    ]


def changes_of_kind(*kinds: str) -> list[Change]:
    return [change for change in CHANGES if change.kind in kinds]


def test_number_of_scripted_changes_is_twenty() -> None:
    files, definitions, opted_out = 4, 2, 1
    assert len(CHANGES) + files + definitions + opted_out == 20


def test_both_releases_are_sound_and_new_rows_raise_minor_version(
    releases: tuple[Path, Path],
) -> None:
    for release in releases:
        check_release(release)
    assert [release.name for release in releases] == ["0.1.0", "0.2.0"]


def test_diff_lists_scripted_changes_of_listings(
    diff: ReleaseDiff, releases: tuple[Path, Path]
) -> None:
    row_changes = row_changes_of(diff, "listings")
    new_listings, removed_listings = (
        changes_of_kind("new_shortcut", "new_listing"),
        changes_of_kind("last_listing_gone", "listing_gone"),
    )
    edited = changes_of_kind("edited")
    assert sorted((c.change, c.reason) for c in row_changes) == sorted(
        [("added", "new listing")] * len(new_listings)
        + [("removed", "takedown")] * (len(removed_listings) + 1)
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
    assert added == {(change.site, change.icloud_id) for change in new_listings}
    removed = {
        (before[c.key].site, before[c.key].icloud_id) for c in row_changes if c.change == "removed"
    }
    assert removed == {(change.site, change.icloud_id) for change in removed_listings} | {
        ("matthewcassinelli", icloud_id(OPTED_OUT))
    }
    other = {
        (before[c.key].site, before[c.key].icloud_id) for c in row_changes if c.change == "changed"
    }
    assert other == {(change.site, change.icloud_id) for change in edited}


def test_diff_lists_scripted_changes_of_links(diff: ReleaseDiff) -> None:
    link_changes = {(c.change, c.reason, c.key) for c in row_changes_of(diff, "icloud_records")}
    new_links = {
        ("added", "new link", change.icloud_id) for change in changes_of_kind("new_shortcut")
    }
    removed_links = {
        ("removed", "takedown", c.icloud_id) for c in changes_of_kind("last_listing_gone")
    }
    assert link_changes == new_links | removed_links | {
        ("removed", "takedown", icloud_id(OPTED_OUT))
    }


def test_diff_lists_scripted_changes_of_shortcuts(
    diff: ReleaseDiff, releases: tuple[Path, Path]
) -> None:
    row_changes = row_changes_of(diff, "shortcuts")
    before, after = (
        {row.shortcut_id: row for row in iter_records(release, "shortcuts", Shortcut)}
        for release in releases
    )
    added = [after[c.key] for c in row_changes if c.change == "added"]
    assert {i for row in added for i in row.icloud_ids} == {
        change.icloud_id for change in changes_of_kind("new_shortcut")
    }
    assert [row.source_uri for row in added if not row.icloud_ids] == ["shortcuts/new.plist"]
    assert len(added) == len(changes_of_kind("new_shortcut")) + 1
    taken_down_rows = [before[c.key] for c in row_changes if c.reason == "takedown"]
    assert {i for row in taken_down_rows for i in row.icloud_ids} == {
        *(change.icloud_id for change in changes_of_kind("last_listing_gone")),
        icloud_id(OPTED_OUT),
    }
    removed_uris = [before[c.key].source_uri for c in row_changes if c.reason == "shortcut gone"]
    assert removed_uris == ["shortcuts/bread-timer.json"]
    changed = {after[c.key].source_uri: c for c in row_changes if c.change == "changed"}
    assert changed.pop("shortcuts/price-of-gold.plist").reason == "changed plist"
    assert changed.pop("shortcuts/packing-list.plist").reason == "redaction"
    ((_, correction),) = changed.items()
    (expected,) = [change for change in CHANGES if change.of_shortcut]
    assert after[correction.key].icloud_ids == (expected.icloud_id,)
    assert after[correction.key].description == expected.fields["description"]
    assert correction.reason.startswith("corrected: description")


def test_diff_lists_scripted_changes_of_definitions(diff: ReleaseDiff) -> None:
    definition_changes = {
        (c.change, c.reason, c.key) for c in row_changes_of(diff, "api_definitions")
    }
    assert definition_changes == {
        ("added", "new definition", "is.workflow.actions.lantern.trim"),
        ("changed", "changed definition", "is.workflow.actions.lantern.set"),
    }


def test_diff_lists_no_other_changes(diff: ReleaseDiff, releases: tuple[Path, Path]) -> None:
    primary = {"listings", "icloud_records", "shortcuts", "api_definitions"}
    assert {table.table for table in diff.tables} <= primary | CONSEQUENCES
    assert set(read_manifest(releases[0]).tables()) == set(table_names())
    touched = {c.key for c in row_changes_of(diff, "shortcuts")}
    earlier = {row.shortcut_id for row in iter_records(releases[0], "shortcuts", Shortcut)}
    pairs = touched | (touched & earlier)
    checks = row_changes_of(diff, "definition_checks")
    assert {c.key for c in checks if c.change == "added"} <= pairs
    moved = {table.table: table.moved for table in diff.tables}
    assert moved["listings"] > 20  # pages with a change are captured again


def test_new_release_and_diff_do_not_name_opted_out_shortcut(
    diff: ReleaseDiff, releases: tuple[Path, Path]
) -> None:
    opted_out_id = icloud_id(OPTED_OUT).encode()
    for path in sorted(releases[1].rglob("*")):
        if path.is_file():
            assert opted_out_id not in path.read_bytes(), path.name
    assert all(not c.label for t in diff.tables for c in t.changes if c.reason == "takedown")


def test_printed_diff_states_the_same_counts(
    releases: tuple[Path, Path], diff: ReleaseDiff
) -> None:
    workspace = releases[0].parents[1]
    done = benchloom("release", "diff", "0.1.0", "0.2.0", "--workspace", workspace)
    assert done.returncode == 0, done.stderr
    for table in diff.tables:
        for kind, count in table.counts.items():
            assert f"{count:6d} {kind}" in done.stdout
    assert "changed plist" in done.stdout
