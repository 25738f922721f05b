"""Tests of `benchloom review`: they check the review pages in a browser and their answers."""

import sys
from pathlib import Path

import msgspec
import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import url_contains
from selenium.webdriver.support.ui import WebDriverWait

from benchloom.release.review import read_answers
from tests.support.browser import resize, start_browser, wait_for_text
from tests.support.commands import benchloom, serving

pytestmark = pytest.mark.slow
COMMAND = [sys.executable, "-m", "flows.cli", "review"]


def click_answer(browser: webdriver.Chrome, decision: str) -> None:
    browser.find_element("css selector", f"button[value={decision}]").click()


def press_access_key(browser: webdriver.Chrome, letter: str) -> None:
    """Press Alt and a letter: an access key of the page."""
    ActionChains(browser).key_down(Keys.ALT).send_keys(letter).key_up(Keys.ALT).perform()


@pytest.mark.long
def test_reviewed_texts_become_labels_for_calibration(
    described_release: Path, tmp_path: Path
) -> None:
    words = [str(described_release), "--by", "ann", "--count", "5", "--dropped", "--json"]
    with serving("review", *words, "--workspace", tmp_path / "w") as command:
        startup = msgspec.json.decode(command.first_line)
        assert (startup["texts"], startup["answered"]) == (3, 0)
        with start_browser(tmp_path / "profile") as browser:
            browser.get(startup["address"])
            assert "token" not in browser.current_url
            for width, dark in ((420, True), (1200, False)):
                resize(browser, width, dark=dark)
                page_width = browser.execute_script("return document.documentElement.scrollWidth")
                assert page_width <= width
            wait_for_text(browser, ".crumbs", "0 of 3 read by ann")
            text, steps = (
                browser.find_element("css selector", selector) for selector in (".stays", "#steps")
            )
            assert text.rect["x"] + text.rect["width"] <= steps.rect["x"]
            resize(browser, 690)
            assert text.rect["y"] + text.rect["height"] <= steps.rect["y"]
            resize(browser, 1200)
            first_id = browser.find_element("name", "id").get_attribute("value")
            press_access_key(browser, "n")
            WebDriverWait(browser, 60).until(url_contains("/review?id="))
            assert browser.find_element("name", "id").get_attribute("value") != first_id
            press_access_key(browser, "n")
            WebDriverWait(browser, 60).until_not(url_contains(str(first_id)))
            browser.get(startup["address"].partition("?")[0])
            press_access_key(browser, "w")
            assert browser.switch_to.active_element.get_attribute("name") == "text"
            press_access_key(browser, "2")
            assert browser.find_element("css selector", "input[value=left_out]").is_selected()
            press_access_key(browser, "a")
            wait_for_text(browser, ".crumbs", "1 of 3 read by ann")
            browser.find_element("css selector", "input[value=left_out]").click()
            browser.find_element("name", "text").send_keys("Say both.")
            press_access_key(browser, "r")
            wait_for_text(browser, ".crumbs", "2 of 3 read by ann")
            click_answer(browser, "accept")
            wait_for_text(browser, "h1", "All 3 texts are read")
            click_answer(browser, "undo")
            wait_for_text(browser, ".crumbs", "2 of 3 read by ann")
            click_answer(browser, "accept")
            wait_for_text(browser, "h1", "All 3 texts are read")
    assert (command.returncode, command.stdout, command.stderr) == (0, "", "")
    answers = read_answers(Path(startup["log"]))
    assert [review_answer.decision for review_answer in answers] == [
        "accept",
        "reject",
        "accept",
        "undo",
        "accept",
    ]
    assert (answers[1].reason, answers[1].text) == ("left_out", "Say both.")
    labels = tmp_path / "w" / "reviews"
    done = benchloom("calibrate", described_release, "--labels", labels, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    calibration = msgspec.json.decode(done.stdout)["found"]
    assert (calibration["labelled"], calibration["good"]) == (3, 2)


def test_invalid_review_options_are_one_line_errors(
    described_release: Path, tmp_path: Path
) -> None:
    for words, code, message in (
        (["--by", "Ann B"], 2, "is not a pseudonym"),
        (["--kind", "nothing"], 1, "contains no text of the kind 'nothing'; its kinds are: "),
    ):
        done = benchloom("review", described_release, *words, "--workspace", tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (code, "", 1)
        assert message in done.stderr
