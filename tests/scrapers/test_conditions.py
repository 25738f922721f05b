"""When an answer may be asked for again by its tag, and what an answer to robots.txt allows."""

from typing import Literal

import pytest

from benchloom.core.records import Header
from scrapers.crawl.fetching import _conditions
from scrapers.http.robots import read_robots
from tests.support.captured_tables import capture

HEADERS = (Header("ETag", '"a1"'), Header("Last-Modified", "Mon, 05 Jan 2026 00:00:00 GMT"))
URL = "https://gardens.example/list"


def test_only_a_good_answer_is_asked_for_by_its_tag() -> None:
    assert _conditions(capture(headers=HEADERS)) == {
        "If-None-Match": '"a1"',
        "If-Modified-Since": "Mon, 05 Jan 2026 00:00:00 GMT",
    }
    assert _conditions(capture(headers=HEADERS[:1])) == {"If-None-Match": '"a1"'}
    assert _conditions(capture()) == {}
    assert _conditions(None) == {}


@pytest.mark.parametrize("status", [201, 301, 304, 403, 404, 410, 500, 503])
def test_an_error_is_asked_for_anew(status: int) -> None:
    assert _conditions(capture(headers=HEADERS, status=status)) == {}


RULES = b"User-agent: *\nDisallow: /private\nCrawl-delay: 3\n"
Says = Literal["rules", "all", "nothing"]


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (200, "rules"),
        (206, "rules"),
        (299, "rules"),
        (301, "nothing"),
        (399, "nothing"),
        (400, "all"),
        (403, "all"),
        (404, "all"),
        (499, "all"),
        (500, "nothing"),
        (503, "nothing"),
        (599, "nothing"),
    ],
)
def test_a_fault_of_the_server_forbids_and_a_missing_file_allows(status: int, says: Says) -> None:
    robots = read_robots(status, RULES)
    assert robots.allows(URL) is (says != "nothing")
    assert robots.allows("https://gardens.example/private/1") is (says == "all")
    assert robots.delay() == (3.0 if says == "rules" else 0.0)
