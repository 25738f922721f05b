"""Pages by name: of a release, of commands, and of the explorer."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlencode

import duckdb

from tests.support.pages.documents import write_documents
from tests.support.pages.served import served

ONE_OF_MANY = ("sample/tasks/",)
"""Folders with many pages of one template."""


@contextmanager
def every_page(release: Path, scratch: Path) -> Iterator[dict[str, str]]:
    """Yield the addresses of all pages of a release by name."""
    with ExitStack() as stack:
        explore = stack.enter_context(served(release))
        review = stack.enter_context(served(release, scratch / "reviews"))
        done = stack.enter_context(served(release, scratch / "read", count=0))
        yield {
            **release_pages(release),
            **command_pages(release, scratch / "documents"),
            **served_pages(release, explore),
            "review": f"{review}/review",
            "reviewed": f"{done}/review",
        }


def release_pages(release: Path, most: int = 2) -> dict[str, str]:
    """Return the addresses of the pages of a release; of many alike the largest few.

    Of those the largest stand first: what does not fit is found where there is most.
    """
    paths = [path.relative_to(release).as_posix() for path in release.rglob("*.html")]
    many = {prefix: [path for path in paths if path.startswith(prefix)] for prefix in ONE_OF_MANY}
    chosen = [path for path in paths if not path.startswith(ONE_OF_MANY)]
    for group in many.values():
        chosen += sorted(group, key=lambda path: (-(release / path).stat().st_size, path))[:most]
    return {path: (release / path).resolve().as_uri() for path in sorted(chosen)}


def command_pages(release: Path, folder: Path) -> dict[str, str]:
    """Write the pages of other commands about a release; return their addresses."""
    return {path.name: path.resolve().as_uri() for path in write_documents(release, folder)}


def served_pages(release: Path, base: str) -> dict[str, str]:
    """Return the addresses of a page of `explore` of each kind, and of every table."""
    return {name: base + page_path for name, page_path in _places(release)}


def _places(release: Path) -> Iterator[tuple[str, str]]:
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
            place = dict(zip(("of", "at", "id"), key, strict=True))
            yield "explore-conversation", "/conversation?" + urlencode(place)
    for page, table, column, order in (
        ("api", "api_definitions", "api", "len(parameters) DESC, api"),
        ("app", "apps", "app", "shortcuts DESC, app"),
        ("author", "listings", "author_credit", "author_credit IS NULL, author_credit"),
    ):
        if table in tables:
            query = longest.format(column, release, table, order)
            for (name,) in duckdb.execute(query).fetchall():
                yield f"explore-{page}", f"/{page}?" + urlencode({"name": name})
