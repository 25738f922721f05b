"""Check that a task can be played with HTML forms and that the release stays unchanged."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient

from benchloom.worlds.proofs import row_of
from benchloom.worlds.task import Task
from flows.explorer.open_release import OpenRelease
from flows.explorer.web.server import application
from tests.flows.explorer.conftest import BASE
from tests.support.folders import contents
from tests.support.samples.described import build
from tests.support.samples.tasks_of_suites import tasks_of_suites

SAME_ORIGIN = {"Origin": BASE}


def find_task(*, declines: bool, kind: str) -> Task:
    """Return a task about an alarm at 07:05."""
    return next(
        task
        for task in tasks_of_suites()
        if task.suite == "everyday"
        and (task.declines, task.kind) == (declines, kind)
        and "07:05" in str(task.forbidden or task.calls)
    )


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [msgspec.to_builtins(row_of(task)) for task in tasks_of_suites()]
    return build(tmp_path_factory.mktemp("played"), {"tasks": rows})


@pytest.fixture(scope="module")
def client(release: Path) -> Iterator[TestClient]:
    open_release = OpenRelease(release)
    # States belong to the thread that opened them; within the block, one thread answers all.
    with TestClient(application(open_release), base_url=BASE) as client:
        yield client
    open_release.close()


def submit_form(client: TestClient, **form: str) -> tuple[str, str]:
    """Submit a form; return the id of the attempt and the page."""
    response = client.post(
        "/play",
        data={name.replace("__", "."): text for name, text in form.items()},
        headers=SAME_ORIGIN,
    )
    assert response.status_code == 200, response.text
    match = re.search(r"attempt=(\w+)", str(response.url))
    assert match
    return match[1], response.text


@pytest.mark.parametrize("declines", [False, True])
def test_played_task_is_scored(client: TestClient, release: Path, *, declines: bool) -> None:
    before = contents(release)
    task = find_task(declines=declines, kind="request")
    start = client.get("/play", params={"task": task.task_id}).text
    assert task.turns[0] in start
    attempt, page = submit_form(client, do="open", task=task.task_id)
    assert all(rule.text in page for rule in task.policy)
    assert 'name="argument.time"' in page
    call = {"argument__time": "07:05", "argument__label": "market"}
    if not declines:
        _, page = submit_form(
            client, do="call", attempt=attempt, tool="alarms__create_alarm", **call
        )
        assert "added alarms" in page
    _, page = submit_form(client, do="say", attempt=attempt, text="<b>I cannot do that.</b>")
    assert "&lt;b&gt;I cannot do that." in page
    _, page = submit_form(client, do="end", attempt=attempt)
    assert "<h2>Solved</h2>" in page
    assert contents(release) == before


def test_dialogue_user_answers_and_wrong_calls_are_reported(client: TestClient) -> None:
    task = find_task(declines=False, kind="dialogue")
    attempt, _ = submit_form(client, do="open", task=task.task_id)
    _, page = submit_form(client, do="say", attempt=attempt, text="What time should I set?")
    assert "The time is 07:05." in page
    tool = {"do": "call", "attempt": attempt}
    _, page = submit_form(client, tool="alarms__create_alarm", argument__time="late", **tool)
    assert "invalid_argument" in page
    _, page = submit_form(client, tool="nothing", **tool)
    assert "unknown_tool" in page
    _, page = submit_form(client, do="end", attempt=attempt)
    assert "<h2>Not solved</h2>" in page
    assert "<dd>wrong</dd>" in page


@pytest.mark.parametrize(
    ("form", "headers", "status"),
    [
        ({"do": "open", "task": "none"}, SAME_ORIGIN, 404),
        ({"do": "call", "attempt": "none"}, SAME_ORIGIN, 404),
        ({"do": "open"}, {"Origin": "http://elsewhere.example"}, 403),
        ({"do": "open"}, {}, 403),
    ],
)
def test_invalid_and_foreign_forms_are_refused(
    client: TestClient, form: dict[str, str], headers: dict[str, str], status: int
) -> None:
    assert client.post("/play", data=form, headers=headers).status_code == status
    assert client.get("/play?attempt=none").status_code == 404
    assert client.post("/tables/tasks", data=form, headers=SAME_ORIGIN).status_code == 405
