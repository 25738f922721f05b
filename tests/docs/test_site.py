"""Check that the documentation site builds, has no broken links and loads only its own files."""

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
from tests.support.browser import start_browser
from tests.support.pages.rules import console_faults

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
"""Tags that make a browser load a resource, each with the attribute that contains its address."""
NOT_LOADED = {"canonical", "prev", "next", "alternate"}
"""Values of a link's `rel` attribute for which browsers load nothing."""

FETCHED = "return performance.getEntriesByType('resource').map((entry) => entry.name)"
RESULTS = """
return [...document.querySelectorAll("*")].map((tag) => tag.shadowRoot?.textContent ?? "").join(" ")
"""


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base class names it
        del format, args


class Page(HTMLParser):
    """A parsed page with its resources, links and anchors."""

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
        if (
            tag in LOADED
            and LOADED[tag] in attributes
            and attributes.get("rel", "") not in NOT_LOADED
        ):
            self.loads.append(attributes[LOADED[tag]])

    def handle_data(self, data: str) -> None:
        if self._style:
            self.styles.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._style = self._style and tag != "style"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the built site; tests must not write into it."""
    out = tmp_path_factory.mktemp("docs") / "site"
    build_site(out)
    return out


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[Path, Page]:
    return {file: Page(file) for file in sorted(site.rglob("*.html"))}


@pytest.mark.long
def test_site_contains_the_pages_of_every_part(site: Path) -> None:
    expected = {path for part in PARTS.all().values() for path in part.pages()}
    built = {file.relative_to(site).with_suffix(".md").as_posix() for file in site.rglob("*.html")}
    assert expected <= built
    assert {f"tables/{name}.md" for name in table_names()} <= built


@pytest.mark.long
def test_commands_page_explains_every_command(site: Path) -> None:
    page_text = (site / "commands.html").read_text(encoding="utf-8")
    words = list(command_words(build_app()))
    assert ("rebuild",) in words
    assert ("release", "check") in words
    for command in words:
        assert f"Usage: benchloom {' '.join(command)} " in page_text


@pytest.mark.long
def test_pages_load_nothing_from_other_hosts(site: Path, pages: dict[Path, Page]) -> None:
    foreign = re.compile(r"(?:url\(|@import)\s*['\"]?\s*(?:[a-z]+:)?//", re.IGNORECASE)
    for file, page in pages.items():
        for address in page.loads:
            parts = urlsplit(address)
            assert (parts.scheme, parts.netloc) in {("", ""), ("data", "")}, (file, address)
        assert not any(foreign.search(style) for style in page.styles), file
        # The script of the theme loads libraries from a public host for these classes.
        assert not page.classes & {"mermaid", "glightbox", "pyodide"}, file
    for file in site.rglob("*.css"):
        assert not foreign.search(file.read_text(encoding="utf-8")), file


@pytest.mark.long
def test_links_lead_to_existing_pages_and_anchors(site: Path, pages: dict[Path, Page]) -> None:
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


def test_broken_link_fails_the_build(tmp_path: Path) -> None:
    pages_folder = tmp_path / "pages"
    pages_folder.mkdir()
    (pages_folder / "index.md").write_text("# Home\n\n[gone](gone.md)\n")
    (pages_folder / "site.css").write_text("")
    with pytest.raises(BuildError, match=r"gone\.md"):
        build_site(tmp_path / "site", pages_folder, ("index.md",))
    assert not (tmp_path / "site").exists()


@pytest.mark.long
def test_search_works_without_requests_to_other_hosts(site: Path, tmp_path: Path) -> None:
    """The site is served over HTTP, and its files are opened directly."""
    handler = partial(QuietHandler, directory=str(site))
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), handler) as server,
        start_browser(tmp_path) as browser,
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
def test_reference_shows_a_record_with_its_fields(site: Path) -> None:
    page_html = (site / "reference" / "records.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]+>", "", page_html)
    assert re.search(r"Verdict\(\s*\*,\s*target_id: str,\s*check: str,\s*kept: bool,", text)


def test_every_kind_is_documented() -> None:
    """Every `Kind` in the code is in the reference and on the page about adding members."""
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


def test_every_extra_is_documented() -> None:
    metadata = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    operating_text = (WRITTEN / "operating.md").read_text(encoding="utf-8")
    for name in metadata["project"]["optional-dependencies"]:
        assert name == "dev" or f"`{name}`" in operating_text


def test_page_about_adding_names_only_existing_paths() -> None:
    adding = (WRITTEN / "adding.md").read_text(encoding="utf-8")
    names = re.findall(r"`([a-z_]+(?:/[a-zA-Z_<>.]+)+/?)`", adding)
    assert names
    for name in names:
        path = ROOT / re.split(r"/?<", name)[0]
        assert path.exists(), name
