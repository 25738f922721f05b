"""The three commands of the README: a small model writes, a person reads, a release holds both."""

import os
import re
import shlex
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from selenium import webdriver

from benchloom.core.records import Query, Rejected, Verdict
from benchloom.release import check_release, read_manifest
from benchloom.release.review import read_answers
from benchloom.storage.tables import iter_records
from prompts.endpoint.local import find_weights
from prompts.ledger.log import verify_log
from tests.support.browser import start_browser, wait_for_text
from tests.support.commands import ROOT, benchloom, serving
from tests.support.prefect_server import clean_environment
from tests.support.soak import SOAK

pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.prefect]
START = ".venv/bin/benchloom "
SHORTEST = (
    "clean-the-downloads.shortcut",
    "count-the-words.json",
    "glass-of-water.plist",
    "morning-briefing.plist",
    "share-the-clipboard.shortcut",
    "translate-what-i-read.json",
)
"""Shortcuts of `demo/local.toml` that are soon answered: five to read, and one to spare."""
BETTER = "Could you let me pick a photo and make it smaller before you put it into my album?"


def commands() -> list[list[str]]:
    """The words of the commands on the page about models."""
    page = (ROOT / "docs" / "pages" / "models.md").read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (block,) = [code_block for code_block in blocks if "demo/local.toml" in code_block]
    lines = [line for line in block.splitlines() if line.startswith(START)]
    return [shlex.split(line.removeprefix(START), comments=True) for line in lines]


def demo_folder(folder: Path) -> int:
    """The demo where the commands look for it, and how many shortcuts its configuration names.

    Each costs the model five seconds: all twenty are asked about in `make soak`.
    """
    toml_text = (ROOT / "demo" / "local.toml").read_text()
    named = re.findall(r'"shortcuts/([^"]+)"', toml_text)
    assert len(named) == 20
    assert set(SHORTEST) < set(named)
    shortcut_names = named if SOAK else SHORTEST
    folder.mkdir()
    (folder / "shortcuts").symlink_to(ROOT / "demo" / "shortcuts")
    lines = "".join(f'    "shortcuts/{name}",\n' for name in shortcut_names)
    toml_text, times = re.subn(r"(?<=shortcuts = \[\n).*?(?=\])", lines, toml_text, flags=re.DOTALL)
    assert times == 1
    (folder / "local.toml").write_text(toml_text)
    return len(shortcut_names)


def read_five(browser: webdriver.Chrome, address: str) -> list[tuple[str, str]]:
    """Review five texts as a person: accept three, reject one, reword one."""
    browser.get(address)
    decisions = []
    for number in range(5):
        wait_for_text(browser, ".crumbs", f"{number} of 5 read by me")
        query_id = browser.find_element("name", "id").get_attribute("value")
        button = "accept"
        if number == 1:
            browser.find_element("css selector", "input[value=something_else]").click()
            button = "reject"
        elif number == 3:
            browser.find_element("name", "text").send_keys(BETTER)
        decisions.append((str(query_id), button if number != 3 else "reword"))
        browser.find_element("css selector", f"button[value={button}]").click()
    wait_for_text(browser, "h1", "All 5 texts are read")
    return decisions


def replies_of_before() -> Path:
    """Log of the model's earlier replies on this machine; generating them takes minutes.

    A request that is not among it is asked: a changed prompt, other weights, a machine that never
    ran this. That the model itself answers is tried by the tests of the local model each time.
    """
    folder = Path(tempfile.gettempdir()) / f"benchloom-tests-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    assert folder.stat().st_uid == os.getuid()
    return folder / "local-replies.sqlite"


def copy_log(log: Path, to: Path) -> None:
    to.parent.mkdir(exist_ok=True)
    fresh = to.with_name(f"{to.name}.{os.getpid()}")
    with closing(sqlite3.connect(log)) as source, closing(sqlite3.connect(fresh)) as other:
        source.backup(other)
    fresh.replace(to)


def requests(log: Path) -> list[str]:
    """Every request that was sent, once for each time."""
    with closing(sqlite3.connect(log)) as opened:
        rows = opened.execute("SELECT request_digest FROM attempts ORDER BY id")
        return [digest for (digest,) in rows]


def test_a_model_writes_a_person_reads_and_a_release_holds_both(
    tmp_path: Path, prefect_url: str
) -> None:
    count = demo_folder(tmp_path / "demo")
    log, remembered = tmp_path / "workspace" / "completions.sqlite", replies_of_before()
    if remembered.exists() and not SOAK:
        copy_log(remembered, log)
    environment = clean_environment(tmp_path / "home", prefect_url)
    write, review, again = commands()
    done = benchloom(*write, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    first = tmp_path / "workspace" / "releases" / "0.1.0"
    texts = {row.query_id: row for row in iter_records(first, "queries", Query)}
    unread = [row for row in iter_records(first, "rejected", Rejected) if row.stage == "generate"]
    # Whatever the model writes: every row has a text, or the reason why there is none.
    assert len(texts) + len(unread) == count
    assert len(texts) >= max(5, count * 3 // 4)
    for row in texts.values():
        assert (row.model, row.generator, row.usd) == (find_weights().model, "llm", 0.0)
        assert row.tokens_in > 100
        assert row.tokens_out > 5
    assert verify_log(log) == []
    sent_requests = requests(log)
    copy_log(log, remembered)

    with serving(*review, cwd=tmp_path, env=environment) as command:
        startup_line = command.first_line
        assert startup_line.startswith(f"5 of {len(texts)} texts, 0 of them answered, at ")
        with start_browser(tmp_path / "profile") as browser:
            decisions = read_five(browser, startup_line.split(" at ")[1].split()[0])
    assert command.returncode == 0
    assert len(read_answers(tmp_path / "workspace" / "reviews" / "me.jsonl")) == 5

    done = benchloom(*again, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert requests(log) == sent_requests, "the model was asked again"
    second = tmp_path / "workspace" / "releases" / "0.2.0"
    check_release(second)
    kept_flags = {row.query_id: row.kept for row in iter_records(second, "queries", Query)}
    people = {
        row.target_id: row
        for row in iter_records(second, "verdicts", Verdict)
        if row.check == "human:reader-1"
    }
    assert {query_id: people[query_id].kept for query_id, _ in decisions} == {
        query_id: said == "accept" for query_id, said in decisions
    }
    for text_id, said in decisions:
        assert kept_flags[text_id] == (said == "accept")
    (reworded,) = [row for row in iter_records(second, "queries", Query) if row.text == BETTER]
    assert people[decisions[3][0]].evidence.endswith(reworded.query_id)
    assert "reviews/reader-1.jsonl" in {
        file.source_uri for file in read_manifest(second).created_from.sources
    }

    done = benchloom(*again, cwd=tmp_path, env=environment)
    assert (done.returncode, "is unchanged" in done.stdout) == (0, True)
