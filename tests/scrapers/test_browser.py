"""Check the browser: it visits only the site, loads every entry, and needs Debian's chromium."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import pytest

from demo.replica.server import running_replica
from demo.replica.settings import CONTACT, replica_settings
from flows.stages.listings.crawl import crawl_sites
from scrapers.errors import FetchError, SettingsError
from scrapers.http import chromium
from scrapers.http.browser import Browser, read_sources
from scrapers.http.client import Client
from scrapers.pages.page import RenderPlan
from scrapers.sites.shortcutsgallery import PLAN
from tests.support.replica_crawls import require_browser

HOST = "shortcutsgallery.com"
GAMES = f"https://{HOST}/shortcuts-category/games/"


def test_load_more_button_is_pressed_at_the_request_delay() -> None:
    require_browser()
    with running_replica() as replica:
        settings = replica_settings(replica, 0.1, jitter=0.0)
        with Client(settings) as client, Browser(settings, (HOST,)) as browser:
            page = browser.render(GAMES, PLAN, client)
        expected = [e for e in replica.world.posted("shortcutsgallery") if "games" in e.categories]
        assert page.html.count(b"shortcut-card") == len(expected) > 60
        assert b"load-more</button>" not in page.html
        requests = [request for request in replica.log if request.host == HOST]
        assert len(requests) == 4
        gaps = [b.started - a.started for a, b in pairwise(requests)]
        assert min(gaps) >= 0.1
        assert all(CONTACT in request.user_agent for request in requests)
        assert {request.host for request in replica.log} == {HOST}
        assert page.sources[0].url == GAMES
        assert all(source.etag for source in page.sources)


RESTLESS = b"""<!doctype html><title>Restless</title><main></main><script>
let loads = 0;
function draw() {
  document.querySelector('.load-more')?.remove();
  if (loads == 5) { return; }
  const button = document.createElement('button');
  button.className = 'load-more';
  button.textContent = 'More';
  button.onclick = () => setTimeout(() => {
    loads += 1;
    const card = document.createElement('p');
    card.className = 'shortcut-card';
    document.querySelector('main').append(card);
  }, 20);
  document.body.append(button);
}
draw();
setInterval(draw, 1);
</script>"""


class _Restless(BaseHTTPRequestHandler):
    """A page whose script replaces its button continually."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(RESTLESS)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def test_button_that_is_replaced_continually_is_pressed() -> None:
    require_browser()
    with ThreadingHTTPServer(("127.0.0.1", 0), _Restless) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        settings = replica_settings(f"127.0.0.1:{server.server_port}", 0.0)
        with Client(settings) as client, Browser(settings, (HOST,)) as browser:
            for _ in range(3):
                page = browser.render(GAMES, PLAN, client)
                assert page.html.count(b'class="shortcut-card"') == 5
        server.shutdown()
        thread.join()


def test_other_hosts_are_refused() -> None:
    require_browser()
    with running_replica() as replica:
        settings = replica_settings(replica, 0.0)
        with (
            Client(settings) as client,
            Browser(settings, (HOST,)) as browser,
            pytest.raises(FetchError) as caught,
        ):
            browser.render("https://www.rcuts.com/", RenderPlan(), client)
        assert caught.value.reason == "browser"
        assert replica.log == []


def test_loads_beyond_the_limit_are_refused() -> None:
    require_browser()
    with running_replica() as replica:
        settings = replica_settings(replica, 0.0)
        with (
            Client(settings) as client,
            Browser(settings, (HOST,)) as browser,
            pytest.raises(FetchError, match="more entries after 1 loads"),
        ):
            browser.render(GAMES, RenderPlan(PLAN.more, PLAN.entry, most=1), client)


def test_configured_site_is_crawled_with_the_browser(tmp_path: Path) -> None:
    require_browser()
    with running_replica() as replica:
        settings = replica_settings(replica, 0.0, browser_sites=("macstories",))
        report = crawl_sites(["macstories"], tmp_path, settings)[0]
        replayed_report = crawl_sites(["macstories"], tmp_path, settings, replay=True)[0]
        assert (
            report.listings == replayed_report.listings == len(replica.world.expected("macstories"))
        )


def test_missing_browser_names_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(chromium, "BROWSER_NAMES", ("no-such-browser",))
    with running_replica() as replica:
        settings = replica_settings(replica, 0.0)
        with pytest.raises(SettingsError, match="install-chromium"):
            crawl_sites(["shortcutsgallery"], tmp_path, settings)
        skipped = crawl_sites(["shortcutsgallery"], tmp_path, settings, skip_unready=True)[0]
        assert "install-chromium" in (skipped.skipped or "")


def test_other_network_events_are_ignored() -> None:
    response_event = (
        '{"message": {"method": "Network.responseReceived", "params": {"response": '
        '{"url": "http://a.example/x", "status": 200, "headers": {"ETag": "t"}}}}}'
    )
    other_events = ['{"message": {"method": "Page.load", "params": {}}}', '{"other": 1}']
    sources = read_sources([*other_events, response_event], "https")
    assert [(source.url, source.etag) for source in sources] == [("https://a.example/x", "t")]
