"""Addresses of all pages by name: of a release, of commands, and of the explorer."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlencode

import duckdb

from tests.support.pages.documents import write_documents
from tests.support.pages.served import serve_release

ONE_OF_MANY = ("sample/tasks/",)
"""Folders with many pages of one template."""


@contextmanager
def every_page(release: Path, scratch: Path) -> Iterator[dict[str, str]]:
    """Yield the addresses of all pages of a release by page name."""
    with ExitStack() as stack:
        explore = stack.enter_context(serve_release(release))
        review = stack.enter_context(serve_release(release, scratch / "reviews"))
        finished_review = stack.enter_context(serve_release(release, scratch / "read", count=0))
        yield {
            **release_pages(release),
            **command_pages(release, scratch / "documents"),
            **served_pages(release, explore),
            "review": f"{review}/review",
            "reviewed": f"{finished_review}/review",
        }


def release_pages(release: Path, most: int = 2) -> dict[str, str]:
    """Return the addresses of a release's pages; of many similar pages only the largest.

    Faults of the layout show in pages with the most content.
    """
    paths = [path.relative_to(release).as_posix() for path in release.rglob("*.html")]
    paths_by_folder = {
        prefix: [path for path in paths if path.startswith(prefix)] for prefix in ONE_OF_MANY
    }
    page_paths = [path for path in paths if not path.startswith(ONE_OF_MANY)]
    for group in paths_by_folder.values():
        page_paths += sorted(group, key=lambda path: (-(release / path).stat().st_size, path))[
            :most
        ]
    return {path: (release / path).resolve().as_uri() for path in sorted(page_paths)}


def command_pages(release: Path, folder: Path) -> dict[str, str]:
    """Write the pages of other commands about a release and return their addresses."""
    return {path.name: path.resolve().as_uri() for path in write_documents(release, folder)}


def served_pages(release: Path, base: str) -> dict[str, str]:
    """Return the addresses of a page of each kind in the explorer, and of every table."""
    return {name: base + page_path for name, page_path in _explorer_paths(release)}


def _explorer_paths(release: Path) -> Iterator[tuple[str, str]]:
    yield "explore", "/"
    tables = sorted(path.name for path in release.iterdir() if list(path.glob("*.parquet")))
    for table in tables:
        yield f"explore-{table}", f"/tables/{table}"
    yield "explore-tables", "/tables"
    yield "explore-requests-dropped", "/requests?dropped=1"
    yield "explore-sorted", "/tables/shortcuts?sort=level&down=1"
    yield "explore-conversations", "/conversations"
    yield "explore-nothing-found", "/tables/shortcuts?q=no-such-word"
    yield "explore-search", "/search?q=text"
    yield "explore-no-such-page", "/nothing"
    longest = "SELECT {} FROM read_parquet('{}/{}/*.parquet') ORDER BY {} LIMIT 1"
    for page, table, column, order in (
        ("shortcut", "shortcuts", "shortcut_id", "len(actions) DESC, shortcut_id"),
        ("plan", "planning_paths", "path_id", "len(steps) DESC, path_id"),
        ("run", "executions", "shortcut_id", "len(trace) DESC, shortcut_id"),
    ):
        if table in tables:
            query = longest.format(column, release, table, order)
            for (row_id,) in duckdb.execute(query).fetchall():
                yield f"explore-{page}", f"/{page}?" + urlencode({"id": row_id})
    if "tasks" in tables:
        query = longest.format("task_id", release, "tasks", "task_id")
        for (task_id,) in duckdb.execute(query).fetchall():
            yield "explore-play", "/play?" + urlencode({"task": task_id})
    if "dialogues" in tables:
        columns = "source, source_uri, source_id"
        query = longest.format(columns, release, "dialogues", "len(utterances) DESC, source_id")
        for key in duckdb.execute(query).fetchall():
            dialogue_key = dict(zip(("of", "at", "id"), key, strict=True))
            yield "explore-conversation", "/conversation?" + urlencode(dialogue_key)
    for page, table, column, order in (
        ("api", "api_definitions", "api", "len(parameters) DESC, api"),
        ("app", "apps", "app", "shortcuts DESC, app"),
        ("author", "listings", "author_credit", "author_credit IS NULL, author_credit"),
    ):
        if table in tables:
            query = longest.format(column, release, table, order)
            for (name,) in duckdb.execute(query).fetchall():
                yield f"explore-{page}", f"/{page}?" + urlencode({"name": name})
