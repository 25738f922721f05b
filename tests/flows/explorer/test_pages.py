"""Tests of the explorer's pages: they check links, escaping and absence of external content."""

import re
import shlex
from collections import Counter, deque
from html import unescape
from pathlib import Path

import duckdb
import pytest
from starlette.testclient import TestClient

from flows.explorer.views.shortcuts import COLOURS
from flows.explorer.web.pages import style
from tests.support.commands import benchloom
from tests.support.samples.described import BROKEN_OUT, SCRIPT, TURNED
from tests.support.soak import samples

LINK = re.compile(r'<a [^>]*href="(/[^"#]*)')
ACTIVE = re.compile(r"<(script|img|iframe|object|embed|base|link|style)\b[^>]*>", re.IGNORECASE)
MAX_PAGES_PER_KIND = samples(1, 20)
"""Maximum number of pages that differ only in the values of their parameters."""
MAX_PAGES = 220


def crawl_pages(pages: TestClient) -> dict[str, str]:
    """Return the pages reachable from the start page, breadth first, a few of each kind."""
    texts: dict[str, str] = {}
    kinds: Counter[str] = Counter()
    pending = deque(["/"])
    while pending and len(texts) < MAX_PAGES:
        url = pending.popleft()
        kind = re.sub(r"=[^&]*", "", url)
        if url in texts or url.startswith("/export/") or kinds[kind] == MAX_PAGES_PER_KIND:
            continue
        kinds[kind] += 1
        response = pages.get(url)
        assert response.status_code == 200, (url, response.text[-300:])
        texts[url] = response.text
        pending += [unescape(link) for link in LINK.findall(response.text)]
    return texts


@pytest.mark.long
def test_links_lead_to_pages_with_escaped_content(pages: TestClient) -> None:
    texts = crawl_pages(pages)
    kinds = {re.split(r"[?/]", url.lstrip("/"))[0] for url in texts}
    assert {
        "", "requests", "conversations", "conversation", "tables", "shortcut", "plan",
        "api", "app",
    } <= kinds  # fmt: skip
    for url, text in texts.items():
        assert SCRIPT not in text, url
        assert BROKEN_OUT not in text, url
        assert TURNED not in text, url  # its characters would reverse the reading direction
        assert {match.group() for match in ACTIVE.finditer(text)} == {
            '<link rel="stylesheet" href="/style.css">'
        }, url
        assert not re.search(r'\b(src|href)="(?!/|#|https?://)', text), url
        tags = [re.sub(r'"[^"]*"', "", tag) for tag in re.findall(r"<[a-z][^>]*>", text)]
        assert not [tag for tag in tags if re.search(r"\s(on\w+|style)=", tag)], url
        assert text.count("<h1>") == 1, url


def test_table_page_filters_counts_and_sorts(pages: TestClient) -> None:
    filtered_page = pages.get("/tables/queries?column=kept&relation=is&value=true").text
    assert "<b>3</b> of 5 rows" in filtered_page
    assert "Text 1" in filtered_page
    assert "Text 3" not in filtered_page
    search_page = pages.get("/tables/queries?q=text+2").text
    assert "<b>1</b> of 5 rows" in search_page
    sorted_page = pages.get("/tables/queries?sort=tokens_in&down=1").text
    assert sorted_page.index("Text 4") < sorted_page.index("Text 1")
    empty_page = pages.get("/tables/queries?q=no-such-word").text
    assert "No row matches." in empty_page
    facet = re.search(
        r'href="(/tables/queries\?[^"]*)">template</a>', pages.get("/tables/queries").text
    )
    assert facet is not None
    assert "<b>1</b> of 5 rows" in pages.get(unescape(facet[1])).text


def test_shortcut_page_shows_steps_flow_and_source(pages: TestClient) -> None:
    link = re.search(
        r'href="(/shortcut\?[^"]+)"', pages.get("/tables/shortcuts?sort=action_count&down=1").text
    )
    assert link is not None
    page = pages.get(unescape(link[1])).text
    assert page.count('<li id="s') > 5
    assert '<svg class="flow"' in page
    assert page.count("<rect") >= 2
    assert re.search(r'<a class="taken" href="#s\d+"><b>\d+</b>', page)
    parts = [f'<section id="{part}">' for part in ("texts", "steps", "flow", "apis", "listings")]
    assert [page.index(part) for part in parts] == sorted(page.index(part) for part in parts)
    assert page.count('marker-end="url(#tip)"') == page.count('class="carries"') > 0


def test_run_page_shows_the_values_of_steps(pages: TestClient) -> None:
    list_page = pages.get("/tables/shortcuts?sort=action_count&down=1").text
    link = re.search(r'href="(/shortcut\?[^"]+)"', list_page)
    assert link is not None
    run = re.search(r'href="(/run\?[^"]+)"', pages.get(unescape(link[1])).text)
    assert run is not None
    page = pages.get(unescape(run[1])).text
    assert "execution:sha256:" in page
    assert page.count('<tr id="s') > 2
    assert 'class="carries"' in page
    assert pages.get("/run?id=none").status_code == 404


def test_table_headers_sort_in_both_directions(pages: TestClient) -> None:
    page = pages.get("/tables/queries?sort=kind").text
    assert 'aria-sort="ascending"><a href="/tables/queries?sort=kind&amp;down=1"' in page
    page = pages.get("/tables/queries?sort=kind&down=1").text
    assert 'aria-sort="descending"><a href="/tables/queries?sort=kind"' in page
    assert page.count("aria-sort") == 1
    assert "aria-sort" not in pages.get("/tables/queries").text


def test_start_page_shows_requests_beside_their_calls(pages: TestClient) -> None:
    page = pages.get("/").text
    assert page == pages.get("/requests").text.replace(' aria-current="page"', "")
    assert "<h1>Requests</h1>" in page
    assert page.count('<article class="beside">') == page.count('<h2 class="asked">') > 0
    assert '<a href="/requests">Requests</a>' in page
    assert "FindBus(" in page
    dropped = pages.get("/requests?dropped=1").text
    assert "Dropped requests" in dropped
    assert "Text 3" not in page
    assert pages.get("/requests?split=train&page=999").status_code == 200


def test_conversation_page_shows_calls_beside_turns(pages: TestClient) -> None:
    list_page = pages.get("/conversations").text
    link = re.search(r'href="(/conversation\?[^"]+)"', list_page)
    assert link is not None
    page = pages.get(unescape(link[1])).text
    turns = page.split('<li class="beside">')[1:]
    assert turns
    assert any('class="step' in turn and "Result" in turn for turn in turns)
    assert pages.get("/conversation?of=a&at=b&id=c").status_code == 404


def test_offered_command_and_python_line_run(pages: TestClient, tmp_path: Path) -> None:
    copy_field = re.compile(r'readonly value="([^"]+)"')
    command = copy_field.search(pages.get("/requests").text)
    assert command is not None
    words = shlex.split(unescape(command[1]))
    assert words[0] == "benchloom"
    assert words[-1] == "rows"
    export_result = benchloom(*words[1:-1], tmp_path)
    assert export_result.returncode == 0, export_result.stderr
    assert "--split test" in pages.get("/requests?split=test").text
    line = copy_field.search(pages.get("/tables/queries").text)
    assert line is not None
    statement = re.fullmatch(r'duckdb\.sql\("([^"]+)"\)', unescape(line[1]))
    assert statement is not None
    with duckdb.connect() as database:
        assert len(database.sql(statement[1]).fetchall()) == 5


def test_plan_page_shows_calls_dialogue_and_verdicts(pages: TestClient) -> None:
    page = pages.get("/plan?id=path:1").text
    assert "Words 1" in page
    assert "MakePayment" in page
    assert '<a class="taken" href="#s1"><b>1</b> fare' in page
    assert "literals" in page or "leaks" in page


def test_api_page_shows_users_and_argument_values(pages: TestClient) -> None:
    page = pages.get("/api?name=is.workflow.actions.gettext").text
    assert "Title of is.workflow.actions.gettext" in page
    assert "WFTextActionText" in page
    use_count = re.search(r"<p><b>(\d+) shortcuts?</b>", page)
    assert use_count is not None
    list_page = pages.get("/tables/shortcuts?uses=is.workflow.actions.gettext").text
    assert f"<b>{use_count[1]}</b> of" in list_page


def test_missing_pages_and_invalid_filters_are_errors(pages: TestClient) -> None:
    for url, status in (
        ("/nothing", 404),
        ("/tables/nothing", 404),
        ("/tables/queries/row?query_id=none", 404),
        ("/shortcut?id=none", 404),
        ("/plan", 404),
        ("/api?name=none", 404),
        ("/app?name=none", 404),
        ("/author?name=none", 404),
        ("/tables/queries?column=none&relation=is&value=1", 400),
        ("/tables/queries?column=text&relation=like&value=1", 400),
        ("/tables/queries?column=text&relation=is", 400),
        ("/tables/queries?column=usd&relation=from&value=much", 400),
        ("/tables/queries?column=kept&relation=is&value=perhaps", 400),
        ("/tables/queries?sort=none", 400),
        ("/tables/shortcuts?column=actions&relation=is&value=1", 400),
        ("/tables/queries?uses=x", 400),
        (f"/tables/queries?q={'x' * 501}", 400),
    ):
        response = pages.get(url)
        assert response.status_code == status, url
        assert "<h1>" in response.text
        assert "Traceback" not in response.text


def test_sql_characters_are_searched_literally(pages: TestClient) -> None:
    texts = [SCRIPT, *(f"Text {number}" for number in range(1, 5))]
    for words in ("'", '"', "%", "_", ";--", "') OR 1=1 --", "\\", "\x00", "title='harmed'"):
        count = sum(all(word in text for word in words.split()) for text in texts)
        response = pages.get("/tables/queries", params={"q": words})
        assert response.status_code == 200, words
        assert f"<b>{count}</b> of 5 rows" in response.text, words


def test_step_colours_have_readable_contrast() -> None:
    colours = re.findall(r"--c:#(\w{6})", style())
    assert len(colours) > COLOURS
    for colour in colours:
        parts = [int(colour[index : index + 2], 16) / 255 for index in (0, 2, 4)]
        linear = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        ]
        light = sum(
            share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
        )
        assert 1.05 / (light + 0.05) >= 4.5, colour
