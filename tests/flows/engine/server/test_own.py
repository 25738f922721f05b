"""Check that the server of a run is Prefect's own application without middleware and files."""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from fastapi import FastAPI
from prefect.settings import (
    PREFECT_SERVER_API_AUTH_STRING,
    get_current_settings,
    temporary_settings,
)
from starlette.testclient import TestClient

from flows.engine.server import local
from flows.engine.server.own import _USED, application, create_tables, keep_state_in_memory
from tests.support.commands import call_in_process
from tests.support.prefect_server import DATABASE_SETTING, clean_environment
from tests.support.python import python


@pytest.fixture
def server_app(monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    from prefect.server.api import server  # takes two seconds, in every process of the suite

    monkeypatch.setattr(server, "API_ROUTERS", server.API_ROUTERS)
    monkeypatch.setattr(server, "APP_CACHE", {})
    monkeypatch.setattr(server, "API_APP_CACHE", {})
    return application()


def test_all_routes_are_served_and_used_routes_come_first(server_app: FastAPI) -> None:
    from prefect.server.api import server

    used_router, *other_routers = server.API_ROUTERS
    assert {getattr(route, "path", "") for route in used_router.routes} == _USED
    assert not any(
        getattr(route, "path", "") in _USED for router in other_routers for route in router.routes
    )
    paths = server_app.openapi()["paths"]
    assert {"/flow_runs/", "/deployments/", "/hello"} < set(paths)
    assert len(paths) > 140


def test_api_has_no_middleware_and_no_compression(server_app: FastAPI) -> None:
    api_app: FastAPI = server_app.api_app  # type: ignore[attr-defined]  # set by Prefect
    assert api_app.user_middleware == []
    response = TestClient(server_app).get("/api/version", headers={"Accept-Encoding": "gzip"})
    assert (response.status_code, response.headers.get("content-encoding")) == (200, None)


def test_configured_password_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.server.api import server

    monkeypatch.setattr(server, "API_ROUTERS", server.API_ROUTERS)
    with temporary_settings({PREFECT_SERVER_API_AUTH_STRING: "somebody:secret"}):
        client = TestClient(application())
        assert client.get("/api/version").status_code == 401
        assert client.get("/api/version", auth=("somebody", "secret")).status_code == 200


def test_server_module_is_ours_in_any_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A foreign package `flows` in the working folder must not be imported instead of ours."""
    (tmp_path / "flows").mkdir()
    (tmp_path / "flows" / "__init__.py").write_text("raise SystemExit(3)\n")
    monkeypatch.chdir(tmp_path)
    words = [*local._command(0)[1:-1], "no number"]
    # -S hides installed packages, so that only PYTHONPATH of the run leads to ours.
    for options in ([], ["-S"]):
        home = clean_environment(tmp_path / "home", "http://127.0.0.1:1")
        process = python(*options, *words, env=home | local._finding_ours(), code=1)
        assert "invalid literal for int() with base 10: 'no number'" in process.stderr


def check_database(expected: str) -> None:
    """Assert whether the state is in memory, and which database address is configured."""
    state = keep_state_in_memory()
    address = get_current_settings().server.database.connection_url
    assert address is not None
    assert f"{state is not None} {address.get_secret_value()}".startswith(expected)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, "True sqlite+aiosqlite:///file::memory:?"),
        ({DATABASE_SETTING: "sqlite+aiosqlite:////x/y.db"}, "False sqlite+aiosqlite:////x/y.db"),
        (
            {"PREFECT_SERVER_DATABASE_CONNECTION_URL": "postgresql+asyncpg://u:p@h:1/n"},
            "False postgresql+asyncpg://u:p@h:1/n",
        ),
        (
            {
                "PREFECT_SERVER_DATABASE_DRIVER": "postgresql+asyncpg",
                "PREFECT_SERVER_DATABASE_HOST": "h",
                "PREFECT_SERVER_DATABASE_USER": "u",
                "PREFECT_SERVER_DATABASE_NAME": "n",
            },
            "False postgresql+asyncpg://u@h:5432/n",
        ),
        ({"PROFILE": "sqlite+aiosqlite:////x/z.db"}, "False sqlite+aiosqlite:////x/z.db"),
    ],
)
def test_state_is_in_memory_unless_a_database_is_configured(
    tmp_path: Path, variables: dict[str, str], expected: str
) -> None:
    home = tmp_path / "home"
    if profile := variables.get("PROFILE"):
        home.mkdir()
        (home / "profiles.toml").write_text(
            f'active = "mine"\n[profiles.mine]\n{DATABASE_SETTING} = "{profile}"\n'
        )
        variables = {"PREFECT_HOME": str(home)}
    assert (
        call_in_process(partial(check_database, expected), clean_environment(home) | variables) == 0
    )


def read_rules(path: Path) -> set[tuple[object, ...]]:
    """Return the columns, unique keys, foreign keys, triggers and rows of a database."""
    with closing(sqlite3.connect(path)) as database:
        rules: set[tuple[object, ...]] = set(
            database.execute("SELECT type, name FROM sqlite_master WHERE type != 'index'")
        )
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
            rules |= {
                (table, name, required, key)
                for _, name, _, required, _, key in database.execute(f"PRAGMA table_info({table})")
            }
            rules |= {
                (table, *key[2:7]) for key in database.execute(f"PRAGMA foreign_key_list({table})")
            }
            for _, index, unique, *_ in database.execute(f"PRAGMA index_list({table})").fetchall():
                columns = database.execute(f"PRAGMA index_info({index})")
                rules |= {(table, frozenset(name for _, _, name in columns))} if unique else set()
            rows = database.execute(f"SELECT '{table}', * FROM {table}")  # noqa: S608  the table name is Prefect's
            rules |= set(rows)
    return rules


@pytest.mark.long
def test_tables_from_models_have_the_rules_of_migrated_tables(
    tmp_path: Path, migrated_database: Path
) -> None:
    """If a new version of Prefect adds rules or rows in its migrations, this test fails."""
    with closing(sqlite3.connect(tmp_path / "created.db")) as database:
        create_tables(database)
    migrated = read_rules(migrated_database)
    created = read_rules(tmp_path / "created.db")
    unused = {"alembic_version", "deployment_version", "version_id"}
    assert created < migrated
    assert [rule for rule in migrated - created if unused.isdisjoint(rule)] == []
