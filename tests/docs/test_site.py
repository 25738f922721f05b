"""The site builds, every link leads somewhere, nothing is loaded from elsewhere."""

import re
import threading
import tomllib
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from benchloom.storage.tables import table_names
from docs.building import ROOT, WRITTEN, BuildError, build_site
from docs.generated import PARTS
from docs.generated.commands import command_words
from docs.members import KINDS
from flows.cli import build_app
from tests.support.driven import driven_browser
from tests.support.pages.rules import console_faults

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
"""Tags that make a browser fetch something, and where they say what."""
ABOUT = {"canonical", "prev", "next", "alternate"}
"""Relations of a `link` that load nothing."""

FETCHED = "return performance.getEntriesByType('resource').map((entry) => entry.name)"
RESULTS = """
return [...document.querySelectorAll("*")].map((one) => one.shadowRoot?.textContent ?? "").join(" ")
"""


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base class names it
        del format, args


class Page(HTMLParser):
    """Resources, links and anchors of a page."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.styles: list[str] = []
        self.classes: set[str] = set()
        self._style = False
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.anchors.update(attributes[name] for name in ("id", "name") if name in attributes)
        self.classes.update(attributes.get("class", "").split())
        self.styles.append(attributes.get("style", ""))
        self._style = tag == "style"
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag in LOADED and LOADED[tag] in attributes and attributes.get("rel", "") not in ABOUT:
            self.loads.append(attributes[LOADED[tag]])

    def handle_data(self, data: str) -> None:
        if self._style:
            self.styles.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._style = self._style and tag != "style"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; tests do not write into it."""
    out = tmp_path_factory.mktemp("docs") / "site"
    build_site(out)
    return out


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[Path, Page]:
    return {file: Page(file) for file in sorted(site.rglob("*.html"))}


@pytest.mark.long
def test_every_part_has_its_pages(site: Path) -> None:
    expected = {path for part in PARTS.all().values() for path in part.pages()}
    built = {file.relative_to(site).with_suffix(".md").as_posix() for file in site.rglob("*.html")}
    assert expected <= built
    assert {f"tables/{name}.md" for name in table_names()} <= built


@pytest.mark.long
def test_every_command_is_explained(site: Path) -> None:
    page_text = (site / "commands.html").read_text(encoding="utf-8")
    words = list(command_words(build_app()))
    assert ("rebuild",) in words
    assert ("release", "check") in words
    for command in words:
        assert f"Usage: benchloom {' '.join(command)} " in page_text


@pytest.mark.long
def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    foreign = re.compile(r"(?:url\(|@import)\s*['\"]?\s*(?:[a-z]+:)?//", re.IGNORECASE)
    for file, page in pages.items():
        for address in page.loads:
            parts = urlsplit(address)
            assert (parts.scheme, parts.netloc) in {("", ""), ("data", "")}, (file, address)
        assert not any(foreign.search(style) for style in page.styles), file
        # The script of the theme would fetch these from a public host where a page uses them.
        assert not page.classes & {"mermaid", "glightbox", "pyodide"}, file
    for file in site.rglob("*.css"):
        assert not foreign.search(file.read_text(encoding="utf-8")), file


@pytest.mark.long
def test_every_link_leads_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    broken = []
    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not target.is_file():
                broken.append((file.name, link))
            elif parts.fragment and target in pages:
                anchors = pages[target].anchors | {"__top"}
                broken += [] if unquote(parts.fragment) in anchors else [(file.name, link)]
    assert broken == []
    assert site.joinpath("index.html").is_file()


def test_a_link_that_leads_nowhere_is_a_fault(tmp_path: Path) -> None:
    written = tmp_path / "pages"
    written.mkdir()
    (written / "index.md").write_text("# Home\n\n[gone](gone.md)\n")
    (written / "site.css").write_text("")
    with pytest.raises(BuildError, match=r"gone\.md"):
        build_site(tmp_path / "site", written, ("index.md",))
    assert not (tmp_path / "site").exists()


@pytest.mark.long
def test_a_browser_finds_words_and_asks_nobody_else(site: Path, tmp_path: Path) -> None:
    """Served, and opened as files."""
    handler = partial(QuietHandler, directory=str(site))
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), handler) as server,
        driven_browser(tmp_path) as browser,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for address in (f"http://127.0.0.1:{server.server_port}", site.resolve().as_uri()):
            for name in ("index.html", "reference/records.html"):
                browser.get(f"{address}/{name}")
                keys = ActionChains(browser).key_down(Keys.CONTROL).send_keys("k")
                keys.key_up(Keys.CONTROL).pause(1).send_keys("ledger").perform()
                wait = WebDriverWait(browser, 60)
                wait.until(lambda page: "results" in page.execute_script(RESULTS))
                fetched = browser.execute_script(FETCHED)
                assert address.startswith("file:") or any(url.endswith(".css") for url in fetched)
                assert [url for url in fetched if not url.startswith(address)] == []
                assert console_faults(browser) == []
        server.shutdown()


@pytest.mark.long
def test_a_record_is_shown_with_its_fields(site: Path) -> None:
    page_html = (site / "reference" / "records.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]+>", "", page_html)
    assert re.search(r"Verdict\(\s*\*,\s*target_id: str,\s*check: str,\s*kept: bool,", text)


def test_every_kind_is_in_the_reference_and_on_the_page_about_adding() -> None:
    """A `Kind` that somebody makes has to be told: the code is searched for them."""
    kind_definitions: set[tuple[Path, str]] = set()
    pattern = re.compile(r"^([A-Z_]+)(?:: [^=\n]+)? = Kind\(", re.MULTILINE)
    for folder in (
        "benchloom",
        "benchmarks",
        "demo",
        "docs",
        "flows",
        "parsers",
        "prompts",
        "scrapers",
    ):
        for file in (ROOT / folder).rglob("*.py"):
            kind_definitions.update(
                (file, name) for name in pattern.findall(file.read_text(encoding="utf-8"))
            )
    file = ROOT / "tests" / "fuzz" / "target.py"
    kind_definitions.update(
        (file, name) for name in pattern.findall(file.read_text(encoding="utf-8"))
    )
    documented_kinds = set()
    adding = (WRITTEN / "adding.md").read_text(encoding="utf-8")
    for page in KINDS:
        module = import_module(page.module)
        assert module.__file__
        documented_kinds.add((Path(module.__file__), page.name))
        kind = page.kind()
        assert kind.names()
        assert f"`{kind.package.replace('.', '/')}/<" in adding, kind.package
        for offered in page.offers[:1]:
            assert f"reference/members.md#{offered})" in adding
    assert documented_kinds == kind_definitions


def test_every_extra_is_told() -> None:
    metadata = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    operating_text = (WRITTEN / "operating.md").read_text(encoding="utf-8")
    for name in metadata["project"]["optional-dependencies"]:
        assert name == "dev" or f"`{name}`" in operating_text


def test_every_file_and_suite_named_on_the_page_about_adding_is_there() -> None:
    adding = (WRITTEN / "adding.md").read_text(encoding="utf-8")
    named = re.findall(r"`([a-z_]+(?:/[a-zA-Z_<>.]+)+/?)`", adding)
    assert named
    for name in named:
        path = ROOT / re.split(r"/?<", name)[0]
        assert path.exists(), name
