"""SQL statements of users: they read the release and change nothing."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from flows.explorer.errors import BadRequestError, ExploreError, TooMuchError
from flows.explorer.open_release import OpenRelease
from flows.explorer.sql.queries import MAX_SQL, Statements

pytestmark = pytest.mark.slow
SECRET = "a-word-that-stands-in-a-file-of-this-machine"
HOSTILE = (
    "SELECT * FROM read_csv('{file}')",
    "SELECT * FROM read_text('{file}')",
    "SELECT * FROM read_blob('{file}')",
    "SELECT * FROM '{file}'",
    "SELECT * FROM sniff_csv('{file}')",
    "SELECT * FROM read_json('{file}')",
    "SELECT * FROM read_parquet('{folder}/*')",
    "SELECT * FROM parquet_metadata('{file}')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM query('FROM ''{file}''')",
    "FROM 'https://example.org/a.parquet'",
    "SELECT * FROM read_blob('/proc/self/environ')",
    "SELECT getenv('SECRET')",
    "COPY queries TO '{folder}/out.csv'",
    "COPY queries TO '{own}'",
    "COPY (SELECT 1) TO '{own}' (FORMAT parquet)",
    "WITH x AS (DELETE FROM queries RETURNING *) SELECT * FROM x",
    "ATTACH '{folder}/x.db'",
    "ATTACH '{own}' AS other",
    "INSTALL httpfs",
    "LOAD httpfs",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "SET enable_external_access = true",
    "RESET allowed_paths",
    "SET memory_limit = '100GB'",
    "CREATE TABLE t AS SELECT 1",
    "CREATE MACRO m() AS 1",
    "CREATE SECRET s (TYPE s3)",
    "INSERT INTO queries VALUES (1)",
    "UPDATE queries SET text = ''",
    "DELETE FROM queries",
    "DROP VIEW queries",
    "EXPORT DATABASE '{folder}/e'",
    "IMPORT DATABASE '{folder}'",
    "EXPLAIN ANALYZE SELECT 1",
    "VACUUM",
    "SELECT 1; COPY queries TO '{folder}/out.csv'",
    "SELECT (SELECT",
    "",
)
GREEDY = (
    "SELECT list(range) FROM range(10000000000)",
    "SELECT list(repeat('x', 1000000) || range) FROM range(100000)",
    "SELECT repeat('y', 1000000) FROM range(1000)",
    "SELECT count(DISTINCT hash(range)) FROM range(10000000000)",
    "SELECT string_agg(repeat('z', 1000), '') FROM range(100000000)",
)
ENDLESS = (
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
    "SELECT count(*) FROM range(1000000000) a, range(1000000) b WHERE a.range % 7 = b.range % 11",
    "SELECT sum(sin(a.range * b.range)) FROM range(10000000) a, range(10000000) b",
)


@pytest.fixture(scope="module")
def release(full: Path) -> Iterator[OpenRelease]:
    opened = OpenRelease(full)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def statements(release: OpenRelease) -> Statements:
    return Statements({table.name: table.files for table in release.tables.values()}, seconds=30)


def digests(folder: Path) -> dict[str, str]:
    return {
        path.as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_select_is_answered(statements: Statements) -> None:
    answer = statements.ask("SELECT kind, count(*) AS n FROM queries GROUP BY ALL ORDER BY n DESC")
    assert answer.columns == ("kind", "n")
    assert answer.rows == (("query", 3), ("category", 2))
    some = statements.ask("SELECT range AS n FROM range(100000000)", rows=10)
    assert [row[0] for row in some.rows] == [*range(10)]
    assert some.more
    odd = statements.ask(
        "SELECT NULL, 'nan'::DOUBLE, [1], {'a': 'b'}, DATE '2030-01-02', 1.5, true"
    )
    assert odd.rows == ((None, "nan", "[1]", '{"a": "b"}', "2030-01-02", "1.5", True),)
    assert statements.ask("DESCRIBE queries").rows
    wide = statements.ask("SELECT repeat('x', 1000000) AS x FROM range(20)")
    assert all(len(str(row[0])) < 30_000 for row in wide.rows)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_nothing_is_written_and_no_other_file_is_read(
    release: OpenRelease, statements: Statements, tmp_path: Path, hostile: str
) -> None:
    file = tmp_path / "words.csv"
    file.write_text(f"{SECRET}\n1\n")
    before = digests(tmp_path) | digests(release.folder)
    own = release.table("queries").files[0]
    with pytest.raises(BadRequestError) as caught:
        statements.ask(hostile.format(file=file, folder=tmp_path, own=own))
    assert SECRET not in str(caught.value)
    assert digests(tmp_path) | digests(release.folder) == before
    # Each statement has a process of its own: only those that touch these rows could leave a trace.
    if "queries" in hostile or "{own}" in hostile:
        assert statements.ask("SELECT count(*) FROM queries").rows == ((5,),)


@pytest.mark.parametrize("greedy", GREEDY)
def test_memory_is_bounded(statements: Statements, greedy: str) -> None:
    with pytest.raises(TooMuchError):
        statements.ask(greedy)


@pytest.mark.parametrize("endless", ENDLESS)
def test_time_is_bounded(release: OpenRelease, endless: str) -> None:
    hurried = Statements({table.name: table.files for table in release.tables.values()}, seconds=1)
    with pytest.raises(TooMuchError, match="no answer within 1 seconds"):
        hurried.ask(endless)


def test_what_is_nested_deep_or_long_is_refused(statements: Statements) -> None:
    with pytest.raises(BadRequestError, match="characters"):
        statements.ask("SELECT 1" + " " * MAX_SQL)
    with pytest.raises(ExploreError):
        statements.ask(f"SELECT {'(' * 4900}1{')' * 4900}")


def test_the_page_tells_rows_and_faults_and_goes_on(pages: TestClient) -> None:
    response = pages.get("/sql", params={"q": "SELECT text FROM queries ORDER BY query_id"})
    assert response.status_code == 200
    assert "<b>5 rows</b>" in response.text
    assert "<script" not in response.text
    wrong = pages.get("/sql", params={"q": "DROP VIEW queries"})
    assert wrong.status_code == 400
    assert "only SELECT is answered, not DROP" in wrong.text
    assert "DROP VIEW queries</textarea>" in wrong.text
    file = pages.get("/sql.csv", params={"q": "SELECT query_id, kept FROM queries ORDER BY ALL"})
    assert file.text.splitlines()[:2] == ["query_id,kept", "query:0,true"]
    assert pages.get("/sql").status_code == 200
