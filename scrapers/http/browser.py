"""This module loads pages whose scripts must run, with Selenium and the installed chromium.

The browser can contact only the hosts of the site. These are bound to addresses that were checked,
and all other host names cannot be resolved. Selenium does not search the network for a driver.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import msgspec
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from scrapers.errors import FetchError, SettingsError
from scrapers.http.chromium import browser_paths
from scrapers.http.client import Client
from scrapers.http.transports import public_addresses
from scrapers.pages.page import PageSource, RenderedPage, RenderPlan
from scrapers.settings import CrawlSettings

_FLAGS = (
    "--headless=new",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    (
        "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,OptimizationHints,"
        "MediaRouter,Translate,AutofillServerCommunication"
    ),
)

_SEEN = """
const seen = [...document.querySelectorAll(arguments[0])].find(
  (button) => button.checkVisibility({visibilityProperty: true, opacityProperty: true}));
"""
"""JavaScript that finds a visible button; it also runs just before the button is pressed.

Between two commands of Selenium the page may replace the button.
"""


class Browser:
    """A headless chromium with a temporary profile, which can contact only the hosts of a site."""

    def __init__(self, settings: CrawlSettings, hosts: tuple[str, ...]) -> None:
        paths = browser_paths()
        if paths is None:
            raise SettingsError(
                "this site needs a browser: scripts/install-chromium installs chromium and "
                "chromium-driver"
            )
        # Selenium Manager would look for drivers on the network and report usage.
        os.environ["SE_OFFLINE"] = "true"
        os.environ["SE_AVOID_STATS"] = "true"
        self._settings = settings
        self._profile = Path(tempfile.mkdtemp(prefix="benchloom-browser-"))
        options = Options()
        options.binary_location = paths[0]
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        flags = [*_FLAGS, f"--user-data-dir={self._profile}", f"--user-agent={settings.user_agent}"]
        flags.append(f"--host-resolver-rules={_resolver_rules(settings, hosts)}")
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        for flag in flags:
            options.add_argument(flag)
        options.add_experimental_option(
            "prefs",
            {
                "net.network_prediction_options": 2,
                "profile.managed_default_content_settings.images": 2,
            },
        )
        try:
            # Chromium stores crash reports in HOME, not in its profile.
            service = Service(paths[1], env=os.environ | {"HOME": str(self._profile)})
            self._driver = webdriver.Chrome(options=options, service=service)
        except WebDriverException as error:
            shutil.rmtree(self._profile, ignore_errors=True)
            raise SettingsError(f"chromium does not start: {error.msg}") from error
        self._driver.set_page_load_timeout(settings.timeout)

    def render(self, url: str, plan: RenderPlan, client: Client) -> RenderedPage:
        """Load a page, press its button until all entries are loaded, and return the document.

        Before the load and before each press, wait for the delay between requests to the host.
        """
        parts = urlsplit(url)
        request_url = (
            url if self._settings.replica is None else parts._replace(scheme="http").geturl()
        )
        try:
            client.take_turn(url, lambda: self._driver.get(request_url))
            presses = 0
            while plan.more is not None and self._can_load_more(plan.more):
                if presses == plan.most:
                    raise FetchError(
                        url,
                        "too_large",
                        f"the page still offers more entries after {plan.most} loads, the limit",
                    )
                client.take_turn(url, self._press(plan))
                presses += 1
            html = self._driver.page_source.encode()
            return RenderedPage(html, read_sources(self._network_events(), parts.scheme))
        except WebDriverException as error:
            raise FetchError(url, "browser", (error.msg or type(error).__name__)[:200]) from error

    def _network_events(self) -> list[str]:
        log = self._driver.get_log("performance")  # type: ignore[no-untyped-call]  # Selenium has no types for it
        return [str(entry["message"]) for entry in log]

    def _can_load_more(self, selector: str) -> bool:
        return bool(self._driver.execute_script(_SEEN + "return seen !== undefined;", selector))

    def _find(self, selector: str) -> list[WebElement]:
        return self._driver.find_elements(By.CSS_SELECTOR, selector)

    def _press(self, plan: RenderPlan) -> Callable[[], None]:
        def press() -> None:
            before = len(self._find(plan.entry)) if plan.entry else 0
            self._driver.execute_script(_SEEN + "seen?.click();", plan.more)
            end = time.monotonic() + self._settings.timeout
            while time.monotonic() < end:
                if plan.entry and len(self._find(plan.entry)) > before:
                    return
                if not self._can_load_more(plan.more or ""):
                    return
                time.sleep(0.02)
            raise FetchError(
                self._driver.current_url,
                "timeout",
                "the page showed no more entries before the time limit",
            )

        return press

    def close(self) -> None:
        """Close the browser, and remove its temporary profile."""
        self._driver.quit()
        shutil.rmtree(self._profile, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Message(msgspec.Struct):
    method: str
    params: "_Params"


class _Params(msgspec.Struct):
    response: "_Answer | None" = None


class _Answer(msgspec.Struct):
    url: str
    status: int
    headers: dict[str, str] = {}


class _Event(msgspec.Struct):
    message: _Message


def read_sources(events: list[str], scheme: str) -> tuple[PageSource, ...]:
    """Return the responses that a page loaded, from the events in chromium's network log.

    The scheme of their URLs is replaced by `scheme`, because a replica is requested with http.
    """
    source_by_url: dict[str, PageSource] = {}
    for text in events:
        try:
            message = msgspec.json.decode(text, type=_Event).message
        except msgspec.ValidationError:
            continue  # events of other forms are not about responses
        answer = message.params.response
        if message.method != "Network.responseReceived" or answer is None:
            continue
        parts = urlsplit(answer.url)
        if parts.scheme in {"http", "https"}:
            tags = {name.lower(): value for name, value in answer.headers.items()}
            url = parts._replace(scheme=scheme).geturl()
            source_by_url[url] = PageSource(url, tags.get("etag"))
    return tuple(source_by_url.values())


def _resolver_rules(settings: CrawlSettings, hosts: tuple[str, ...]) -> str:
    if settings.replica is not None:
        host, port = settings.replica_address()
        rules = [f"MAP {name} {host}:{port}" for name in hosts]
    else:
        addresses = {name: public_addresses(name, 443)[0] for name in hosts}
        rules = [
            f"MAP {name} {f'[{address}]' if ':' in address else address}"
            for name, address in addresses.items()
        ]
    return ", ".join([*rules, "MAP * ~NOTFOUND"])
