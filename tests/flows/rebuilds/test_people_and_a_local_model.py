"""Check the README's three commands: a model writes, a person reviews, a release has both."""

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
"""Short shortcuts of `demo/local.toml`, which a model answers soon: five to review and a spare."""
REWORDED = "Could you let me pick a photo and make it smaller before you put it into my album?"


def read_commands() -> list[list[str]]:
    """Return the arguments of the commands for the local model on the page about models."""
    page = (ROOT / "docs" / "pages" / "models.md").read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (block,) = [code_block for code_block in blocks if "demo/local.toml" in code_block]
    lines = [line for line in block.splitlines() if line.startswith(START)]
    return [shlex.split(line.removeprefix(START), comments=True) for line in lines]


def write_demo_folder(folder: Path) -> int:
    """Create the folder `demo` for the commands, and return how many shortcuts it configures.

    The model needs five seconds for each shortcut, so only `make soak` uses all twenty.
    """
    toml_text = (ROOT / "demo" / "local.toml").read_text()
    configured_names = re.findall(r'"shortcuts/([^"]+)"', toml_text)
    assert len(configured_names) == 20
    assert set(SHORTEST) < set(configured_names)
    shortcut_names = configured_names if SOAK else SHORTEST
    folder.mkdir()
    (folder / "shortcuts").symlink_to(ROOT / "demo" / "shortcuts")
    lines = "".join(f'    "shortcuts/{name}",\n' for name in shortcut_names)
    toml_text, times = re.subn(r"(?<=shortcuts = \[\n).*?(?=\])", lines, toml_text, flags=re.DOTALL)
    assert times == 1
    (folder / "local.toml").write_text(toml_text)
    return len(shortcut_names)


def review_five_texts(browser: webdriver.Chrome, address: str) -> list[tuple[str, str]]:
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
            browser.find_element("name", "text").send_keys(REWORDED)
        decisions.append((str(query_id), button if number != 3 else "reword"))
        browser.find_element("css selector", f"button[value={button}]").click()
    wait_for_text(browser, "h1", "All 5 texts are read")
    return decisions


def earlier_replies_path() -> Path:
    """Return the path of the log with the model's earlier replies on this machine.

    Generating the replies takes minutes. A request that is not in the log is sent to the model:
    after a change of the prompt or the weights, or on a machine that never ran this test. The
    tests of the local model check each time that the model itself answers.
    """
    folder = Path(tempfile.gettempdir()) / f"benchloom-tests-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    assert folder.stat().st_uid == os.getuid()
    return folder / "local-replies.sqlite"


def copy_log(log: Path, target: Path) -> None:
    """Copy a completion log to `target`, replacing that file atomically."""
    target.parent.mkdir(exist_ok=True)
    temporary_path = target.with_name(f"{target.name}.{os.getpid()}")
    with closing(sqlite3.connect(log)) as source, closing(sqlite3.connect(temporary_path)) as other:
        source.backup(other)
    temporary_path.replace(target)


def read_request_digests(log: Path) -> list[str]:
    """Return the digest of every request that was sent, in the order of sending."""
    with closing(sqlite3.connect(log)) as opened:
        rows = opened.execute("SELECT request_digest FROM attempts ORDER BY id")
        return [digest for (digest,) in rows]


def test_release_contains_texts_of_a_model_and_verdicts_of_a_reader(
    tmp_path: Path, prefect_url: str
) -> None:
    count = write_demo_folder(tmp_path / "demo")
    log, earlier_replies = tmp_path / "workspace" / "completions.sqlite", earlier_replies_path()
    if earlier_replies.exists() and not SOAK:
        copy_log(earlier_replies, log)
    environment = clean_environment(tmp_path / "home", prefect_url)
    write, review, again = read_commands()
    done = benchloom(*write, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    first = tmp_path / "workspace" / "releases" / "0.1.0"
    texts = {row.query_id: row for row in iter_records(first, "queries", Query)}
    rejected_rows = [
        row for row in iter_records(first, "rejected", Rejected) if row.stage == "generate"
    ]
    # Every shortcut has a text or a rejected row with the reason, whatever the model writes.
    assert len(texts) + len(rejected_rows) == count
    assert len(texts) >= max(5, count * 3 // 4)
    for row in texts.values():
        assert (row.model, row.generator, row.usd) == (find_weights().model, "llm", 0.0)
        assert row.tokens_in > 100
        assert row.tokens_out > 5
    assert verify_log(log) == []
    sent_requests = read_request_digests(log)
    copy_log(log, earlier_replies)

    with serving(*review, cwd=tmp_path, env=environment) as command:
        startup_line = command.first_line
        assert startup_line.startswith(f"5 of {len(texts)} texts, 0 of them answered, at ")
        with start_browser(tmp_path / "profile") as browser:
            decisions = review_five_texts(browser, startup_line.split(" at ")[1].split()[0])
    assert command.returncode == 0
    assert len(read_answers(tmp_path / "workspace" / "reviews" / "me.jsonl")) == 5

    done = benchloom(*again, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert read_request_digests(log) == sent_requests, "the model was asked again"
    second = tmp_path / "workspace" / "releases" / "0.2.0"
    check_release(second)
    kept_flags = {row.query_id: row.kept for row in iter_records(second, "queries", Query)}
    human_verdicts = {
        row.target_id: row
        for row in iter_records(second, "verdicts", Verdict)
        if row.check == "human:reader-1"
    }
    assert {query_id: human_verdicts[query_id].kept for query_id, _ in decisions} == {
        query_id: decision == "accept" for query_id, decision in decisions
    }
    for text_id, decision in decisions:
        assert kept_flags[text_id] == (decision == "accept")
    (reworded,) = [row for row in iter_records(second, "queries", Query) if row.text == REWORDED]
    assert human_verdicts[decisions[3][0]].evidence.endswith(reworded.query_id)
    assert "reviews/reader-1.jsonl" in {
        file.source_uri for file in read_manifest(second).created_from.sources
    }

    done = benchloom(*again, cwd=tmp_path, env=environment)
    assert (done.returncode, "is unchanged" in done.stdout) == (0, True)
