"""The browser: only the site, only Debian's chromium, every entry, a profile of its own."""

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


def test_every_load_is_pressed_and_the_pace_is_kept() -> None:
    require_browser()
    with running_replica() as replica:
        settings = replica_settings(replica, 0.1, jitter=0.0)
        with Client(settings) as client, Browser(settings, (HOST,)) as browser:
            page = browser.render(GAMES, PLAN, client)
        expected = [e for e in replica.world.posted("shortcutsgallery") if "games" in e.categories]
        assert page.html.count(b"shortcut-card") == len(expected) > 60
        assert b"load-more</button>" not in page.html
        requests = [seen for seen in replica.log if seen.host == HOST]
        assert len(requests) == 4
        gaps = [b.started - a.started for a, b in pairwise(requests)]
        assert min(gaps) >= 0.1
        assert all(CONTACT in seen.user_agent for seen in requests)
        assert {seen.host for seen in replica.log} == {HOST}
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
    """A page whose script puts a new button in the place of the old one all the time."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(RESTLESS)

    def log_message(self, *_: object) -> None:
        """Nothing on the console."""


def test_a_button_may_be_replaced_at_any_moment() -> None:
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


def test_other_hosts_lead_nowhere() -> None:
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


def test_entries_that_never_end_are_cut_off() -> None:
    require_browser()
    with running_replica() as replica:
        settings = replica_settings(replica, 0.0)
        with (
            Client(settings) as client,
            Browser(settings, (HOST,)) as browser,
            pytest.raises(FetchError, match="more entries after 1 loads"),
        ):
            browser.render(GAMES, RenderPlan(PLAN.more, PLAN.entry, most=1), client)


def test_any_site_can_be_rendered_by_configuration(tmp_path: Path) -> None:
    require_browser()
    with running_replica() as replica:
        settings = replica_settings(replica, 0.0, browser_sites=("macstories",))
        report = crawl_sites(["macstories"], tmp_path, settings)[0]
        again = crawl_sites(["macstories"], tmp_path, settings, replay=True)[0]
        assert report.listings == again.listings == len(replica.world.expected("macstories"))


def test_a_missing_browser_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(chromium, "BROWSER_NAMES", ("no-such-browser",))
    with running_replica() as replica:
        settings = replica_settings(replica, 0.0)
        with pytest.raises(SettingsError, match="install-chromium"):
            crawl_sites(["shortcutsgallery"], tmp_path, settings)
        skipped = crawl_sites(["shortcutsgallery"], tmp_path, settings, skip_unready=True)[0]
        assert "install-chromium" in (skipped.skipped or "")


def test_network_events_of_other_shapes_are_passed_over() -> None:
    good = (
        '{"message": {"method": "Network.responseReceived", "params": {"response": '
        '{"url": "http://a.example/x", "status": 200, "headers": {"ETag": "t"}}}}}'
    )
    odd = ['{"message": {"method": "Page.load", "params": {}}}', '{"other": 1}']
    sources = read_sources([*odd, good], "https")
    assert [(source.url, source.etag) for source in sources] == [("https://a.example/x", "t")]
