"""Check that a rebuild keeps its release when a site refuses it or a target is unreachable."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pandas as pd
import pytest

from benchloom.release import check_release
from benchmarks.captured_worlds import write_captures
from demo.replica.server import Replica, running_replica
from demo.replica.settings import CONTACT
from tests.support.commands import benchloom
from tests.support.prefect_server import clean_environment

pytestmark = [pytest.mark.long, pytest.mark.prefect]

CONFIGURATION = """
[crawl]
sites = ["rcuts", "kejicut"]
contact = "{contact}"
opt_out = ["{opt_out}"]
[publish]
targets = ["published", "{other}"]
"""

NO_STORE = {
    "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_MAX_ATTEMPTS": "1",
}
"""Settings for an S3 store at a port where no server listens."""


@pytest.fixture
def base_environment(tmp_path: Path, prefect_url: str) -> dict[str, str]:
    return clean_environment(tmp_path / "home", prefect_url)


def run_benchloom(
    base_environment: dict[str, str], replica: Replica, *arguments: str, code: int
) -> CompletedProcess[str]:
    """Run a command against the replica, check its exit code, and return the finished process."""
    environment = base_environment | {"BENCHLOOM_REPLICA": replica.address, "BENCHLOOM_DELAY": "0"}
    done = benchloom(*arguments, env=environment)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_rebuild_keeps_release_despite_refused_site_and_lost_target(
    tmp_path: Path, base_environment: dict[str, str]
) -> None:
    config, workspace = tmp_path / "rebuild.toml", tmp_path / "w"
    command = ("rebuild", "--config", str(config), "--out", str(workspace), "--json")

    def write_config(opt_out: str, other: str) -> None:
        config.write_text(CONFIGURATION.format(contact=CONTACT, opt_out=opt_out, other=other))

    with running_replica() as replica:
        replica.faults.add("www.rcuts.com", "/", "forbidden", -1)
        write_config("https://nobody.example/gone", "memory://elsewhere")
        done = run_benchloom(base_environment, replica, *command, code=3)
        summary = json.loads(done.stdout)
        assert "www.rcuts.com" in summary["stopped"]
        assert "release 0.1.0 is made and checked, but: rcuts: " in done.stderr
        check_release(Path(summary["release"]))
        # The other site is crawled, downloaded, parsed and joined; the release is published.
        listings = pd.read_parquet(Path(summary["release"]) / "listings")
        assert set(listings.site) == {"kejicut"}
        assert summary["rows"]["shortcuts"] > 0
        assert json.loads((tmp_path / "published" / "latest.json").read_text())["version"] == (
            "0.1.0"
        )
        check_release(tmp_path / "published" / "0.1.0")

        # The next run crawls the refused site. One person has opted out. One target does not
        # respond, which no check of the configuration can find.
        replica.faults.clear()
        opted_out_id = listings.icloud_id.dropna().iloc[0]
        write_config(f"https://www.icloud.com/shortcuts/{opted_out_id}", "s3://nobody/there")
        done = run_benchloom(base_environment | NO_STORE, replica, *command, code=2)
        summary = json.loads(done.stdout)
        assert "s3://nobody/there" in done.stderr
        release = Path(summary["release"])
        listings = pd.read_parquet(release / "listings")
        assert set(listings.site) == {"kejicut", "rcuts"}
        assert opted_out_id not in set(listings.icloud_id)
        shortcuts = pd.read_parquet(release / "shortcuts")
        assert not any(opted_out_id in ids for ids in shortcuts.icloud_ids)
        published = json.loads((tmp_path / "published" / "latest.json").read_text())["version"]
        assert published == release.name != "0.1.0"


def test_crawl_and_publish_flows_run_alone(
    tmp_path: Path, base_environment: dict[str, str]
) -> None:
    config = tmp_path / "crawl.toml"
    config.write_text(f'[crawl]\ncontact = "{CONTACT}"\n')
    workspace_options = ("--workspace", str(tmp_path / "w"))
    with running_replica() as replica:
        replica.faults.add("www.rcuts.com", "/", "forbidden", -1)
        sites = ("--param", "sites=rcuts", "--param", "sites=kejicut")
        done = run_benchloom(
            base_environment,
            replica,
            "run",
            "crawl",
            *sites,
            "--param",
            f"config={config}",
            *workspace_options,
            code=3,
        )
        assert "rcuts: " in done.stderr
        assert list((tmp_path / "w" / "captures" / "kejicut").glob("*.warc.gz"))
        done = run_benchloom(
            base_environment,
            replica,
            "run",
            "publish",
            "--param",
            "targets=x",
            *workspace_options,
            code=2,
        )
        assert "no release" in done.stderr


def test_damaged_captures_end_a_rebuild_with_one_line(
    tmp_path: Path, base_environment: dict[str, str]
) -> None:
    captures = tmp_path / "captures"
    write_captures(20, captures)
    archive = captures / "icloud" / "icloud-00001.warc.gz"
    archive.write_bytes(archive.read_bytes()[:-100])
    (tmp_path / "rebuild.toml").write_text('[sources]\ncaptures = "captures"\n')
    command = ("rebuild", "--config", tmp_path / "rebuild.toml", "--out", tmp_path / "w")
    done = benchloom(*command, env=base_environment)
    assert done.returncode == 2
    *earlier_lines, last_line = done.stderr.splitlines()
    assert last_line.startswith("benchloom: icloud/icloud-00001.warc.gz at byte ")
    assert all(
        message.startswith(("benchloom rebuild: ", "read-captures: ")) for message in earlier_lines
    )
