"""Tests of `benchloom explore` in a real browser: they check navigation, search and layout."""

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from selenium import webdriver

from tests.support.browser import resize, start_browser, wait_for_address, wait_for_text
from tests.support.commands import benchloom, serving
from tests.support.samples.described import icloud_id

pytestmark = pytest.mark.slow
COMMAND = [sys.executable, "-m", "flows.cli", "explore"]


class Server(msgspec.Struct):
    """A running explorer, identified by the address it printed."""

    address: str

    @property
    def base(self) -> str:
        return self.address.partition("/?")[0]


@pytest.fixture(scope="module")
def server(described_release: Path) -> Iterator[Server]:
    """Start one explorer for all tests; it must end without output when interrupted."""
    with serving("explore", described_release, "--json") as command:
        announcement = msgspec.json.decode(command.first_line)
        assert announcement["faults"] == {}
        yield Server(announcement["address"])
    assert (command.returncode, command.stdout, command.stderr) == (0, "", "")


@pytest.fixture(scope="module")
def browser(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """Start a browser and open the printed address."""
    with start_browser(tmp_path_factory.mktemp("profile")) as driver:
        driver.get(server.address)
        yield driver


@pytest.mark.long
def test_list_steps_and_source_are_three_clicks_apart(
    server: Server, browser: webdriver.Chrome
) -> None:
    filters = f"column=icloud_ids&relation=is&value={icloud_id(6)}"
    browser.get(f"{server.base}/tables/shortcuts?{filters}")
    assert "token" not in browser.current_url
    resize(browser, 1200)
    first_link = browser.find_element("css selector", "table.rows tbody a")
    name = first_link.text
    first_link.click()
    assert browser.find_element("tag name", "h1").text == name
    assert browser.find_elements("css selector", ".steps .step")
    browser.find_element("link text", "Source").click()
    assert browser.current_url.endswith("#source")
    assert browser.find_element("css selector", "#source dd").text
    browser.find_element("css selector", "#listings tbody th a").click()
    assert "source_uri" in browser.find_element("css selector", ".lines").text


def test_search_works_by_keyboard_alone(server: Server, browser: webdriver.Chrome) -> None:
    browser.get(server.base)
    browser.switch_to.active_element.send_keys("\t")
    assert browser.switch_to.active_element.text == "Skip to the content"
    while browser.switch_to.active_element.get_attribute("name") != "q":
        browser.switch_to.active_element.send_keys("\t")
    browser.switch_to.active_element.send_keys("text 1\n")
    wait_for_address(browser, "/search?q=text+1")
    wait_for_text(browser, "main", "Text 1")
    assert browser.find_element("link text", "Text 1").is_displayed()


@pytest.mark.long
@pytest.mark.parametrize(("width", "dark"), [(390, True), (1280, False)])
def test_pages_do_not_scroll_sideways(
    server: Server, browser: webdriver.Chrome, width: int, dark: bool
) -> None:
    resize(browser, width, dark=dark)
    browser.get(f"{server.base}/tables/shortcuts?sort=action_count&down=1")
    shortcut = browser.find_element("css selector", "table.rows tbody a").get_attribute("href")
    assert shortcut is not None
    for address in (
        server.base,
        f"{server.base}/tables/shortcuts",
        f"{server.base}/tables/listings?q=number",
        f"{server.base}/tables/listings/row?source_uri=&position=3",
        f"{server.base}/plan?id=path:1",
        f"{server.base}/api?name=is.workflow.actions.gettext",
        f"{server.base}/search?q=number",
        shortcut,
    ):
        browser.get(address)
        page_width = browser.execute_script("return document.documentElement.scrollWidth")
        assert page_width <= width, address
        background = browser.execute_script(
            "return getComputedStyle(document.body).backgroundColor"
        )
        assert background == ("rgb(20, 25, 31)" if dark else "rgb(255, 255, 255)")
        assert "harmed" not in browser.title  # planted scripts would write it


def test_wrong_usage_of_explore_is_one_line(tmp_path: Path) -> None:
    empty_result = benchloom("explore", "--workspace", tmp_path)
    assert empty_result.returncode == 2
    assert "contains no release" in empty_result.stderr
    unknown_result = benchloom("explore", "9.9.9", "--workspace", tmp_path)
    assert unknown_result.returncode == 2
    assert len(unknown_result.stderr.splitlines()) == 1
