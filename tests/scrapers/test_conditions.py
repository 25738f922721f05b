"""Check which answers are requested conditionally, and what answers to robots.txt allow."""

from typing import Literal

import pytest

from benchloom.core.records import Header
from scrapers.crawl.fetching import _conditions
from scrapers.http.robots import read_robots
from tests.support.captured_tables import capture

HEADERS = (Header("ETag", '"a1"'), Header("Last-Modified", "Mon, 05 Jan 2026 00:00:00 GMT"))
URL = "https://gardens.example/list"


def test_successful_answer_is_requested_conditionally() -> None:
    assert _conditions(capture(headers=HEADERS)) == {
        "If-None-Match": '"a1"',
        "If-Modified-Since": "Mon, 05 Jan 2026 00:00:00 GMT",
    }
    assert _conditions(capture(headers=HEADERS[:1])) == {"If-None-Match": '"a1"'}
    assert _conditions(capture()) == {}
    assert _conditions(None) == {}


@pytest.mark.parametrize("status", [201, 301, 304, 403, 404, 410, 500, 503])
def test_error_is_requested_unconditionally(status: int) -> None:
    assert _conditions(capture(headers=HEADERS, status=status)) == {}


RULES = b"User-agent: *\nDisallow: /private\nCrawl-delay: 3\n"
Permission = Literal["rules", "all", "nothing"]


@pytest.mark.parametrize(
    ("status", "permission"),
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
def test_status_of_robots_txt_decides_what_is_allowed(status: int, permission: Permission) -> None:
    robots = read_robots(status, RULES)
    assert robots.allows(URL) is (permission != "nothing")
    assert robots.allows("https://gardens.example/private/1") is (permission == "all")
    assert robots.delay() == (3.0 if permission == "rules" else 0.0)
