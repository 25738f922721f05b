"""A task is played by hand, with forms alone, and the release stays as it is."""

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

OURS = {"Origin": BASE}


def task_with(*, declines: bool, kind: str) -> Task:
    """A task about an alarm at 07:05."""
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
    # States belong to the thread that opened them: inside the block there is one.
    with TestClient(application(open_release), base_url=BASE) as client:
        yield client
    open_release.close()


def sent(client: TestClient, **form: str) -> tuple[str, str]:
    """The id of the attempt and the page after a form."""
    answer = client.post(
        "/play", data={name.replace("__", "."): text for name, text in form.items()}, headers=OURS
    )
    assert answer.status_code == 200, answer.text
    match = re.search(r"attempt=(\w+)", str(answer.url))
    assert match
    return match[1], answer.text


@pytest.mark.parametrize("declines", [False, True])
def test_a_task_is_played_and_scored(client: TestClient, release: Path, *, declines: bool) -> None:
    before = contents(release)
    task = task_with(declines=declines, kind="request")
    start = client.get("/play", params={"task": task.task_id}).text
    assert task.turns[0] in start
    attempt, page = sent(client, do="open", task=task.task_id)
    assert all(rule.text in page for rule in task.policy)
    assert 'name="argument.time"' in page
    call = {"argument__time": "07:05", "argument__label": "market"}
    if not declines:
        _, page = sent(client, do="call", attempt=attempt, tool="alarms__create_alarm", **call)
        assert "added alarms" in page
    _, page = sent(client, do="say", attempt=attempt, text="<b>I cannot do that.</b>")
    assert "&lt;b&gt;I cannot do that." in page
    _, page = sent(client, do="end", attempt=attempt)
    assert "<h2>Solved</h2>" in page
    assert contents(release) == before


def test_a_dialogue_answers_and_wrong_calls_are_told(client: TestClient) -> None:
    task = task_with(declines=False, kind="dialogue")
    attempt, _ = sent(client, do="open", task=task.task_id)
    _, page = sent(client, do="say", attempt=attempt, text="What time should I set?")
    assert "The time is 07:05." in page
    tool = {"do": "call", "attempt": attempt}
    _, page = sent(client, tool="alarms__create_alarm", argument__time="late", **tool)
    assert "invalid_argument" in page
    _, page = sent(client, tool="nothing", **tool)
    assert "unknown_tool" in page
    _, page = sent(client, do="end", attempt=attempt)
    assert "<h2>Not solved</h2>" in page
    assert "<dd>wrong</dd>" in page


@pytest.mark.parametrize(
    ("form", "headers", "status"),
    [
        ({"do": "open", "task": "none"}, OURS, 404),
        ({"do": "call", "attempt": "none"}, OURS, 404),
        ({"do": "open"}, {"Origin": "http://elsewhere.example"}, 403),
        ({"do": "open"}, {}, 403),
    ],
)
def test_other_forms_are_refused(
    client: TestClient, form: dict[str, str], headers: dict[str, str], status: int
) -> None:
    assert client.post("/play", data=form, headers=headers).status_code == status
    assert client.get("/play?attempt=none").status_code == 404
    assert client.post("/tables/tasks", data=form, headers=OURS).status_code == 405
