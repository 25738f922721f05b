"""The queue of texts: what is answered, by whom, and what no other page can send."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from benchloom.release.review import AnswerLog, in_force, read_answers, sample_of
from benchloom.release.review.calibration import read_labels
from flows.explorer.open_release import OpenRelease
from flows.explorer.web.review import Review
from flows.explorer.web.server import application

BASE = "http://127.0.0.1:8000"
OURS = {"Origin": BASE}
TOKEN = "nobody-guesses-it"


class Reader:
    """Somebody who reads."""

    def __init__(self, release: OpenRelease, folder: Path, name: str, token: str = "") -> None:
        self.log = AnswerLog(folder, name)
        rows = release.ask("SELECT query_id FROM queries ORDER BY query_id")
        self.review = Review(self.log, sample_of([row["query_id"] for row in rows], 6))
        app = application(release, token, review=self.review)
        self.client = TestClient(app, base_url=BASE, follow_redirects=False)

    def page(self, place: str = "/review") -> str:
        answer = self.client.get(place)
        assert answer.status_code == 200, answer.text
        return answer.text

    def shown(self) -> str:
        """The id of the text that is asked about."""
        match = re.search(r'name="id" value="([^"]+)"', self.page())
        assert match
        return match[1]

    def say(self, decision: str, **more: str) -> int:
        form = {"id": self.shown(), "digest": "d", "decision": decision, **more}
        return self.client.post("/review", data=form, headers=OURS).status_code


@pytest.fixture(scope="module")
def release(full: Path) -> Iterator[OpenRelease]:
    open_release = OpenRelease(full)
    yield open_release
    open_release.close()


@pytest.fixture
def reader(release: OpenRelease, tmp_path: Path) -> Iterator[Reader]:
    page_reader = Reader(release, tmp_path, "ann")
    yield page_reader
    page_reader.log.close()


def test_texts_come_one_by_one_until_all_are_read(reader: Reader) -> None:
    order = []
    for number in range(len(reader.review.queries)):
        assert f"{number} of {len(reader.review.queries)} read by ann" in reader.page()
        order.append(reader.shown())
        if number % 2:
            assert reader.say("reject", reason="left_out", text=" Better so. ") == 303
        else:
            assert reader.say("accept") == 303
    assert order == reader.review.queries
    assert "texts are read" in reader.page()
    answers = read_answers(reader.log.path)
    assert [answer.decision for answer in answers] == (["accept", "reject"] * 3)[: len(order)]
    assert {answer.text for answer in answers if answer.decision == "reject"} == {"Better so."}
    labels = list(read_labels(reader.log.path.parent))
    assert [label.kept for label in labels] == ([True, False] * 3)[: len(order)]
    assert {label.rater for label in labels} == {"human:ann"}


def test_the_last_answer_is_undone_and_asked_again(reader: Reader) -> None:
    first = reader.shown()
    reader.say("accept")
    done = reader.client.post("/review", data={"id": first, "decision": "undo"}, headers=OURS)
    assert (done.status_code, done.headers["location"]) == (303, f"/review?id={first}")
    assert reader.shown() == first
    assert in_force(read_answers(reader.log.path)) == {}


def test_a_text_is_reworded_or_left_for_later(reader: Reader) -> None:
    first, second, *_ = reader.review.queries
    assert f'href="/review?id={second.replace(":", "%3A")}" accesskey="n"' in reader.page()
    assert reader.say("reword", text="  ") == 400
    assert reader.say("reword", text=" Other words ") == 303
    (answer,) = read_answers(reader.log.path)
    assert (answer.query_id, answer.decision, answer.text) == (first, "accept", "Other words")
    last = reader.review.queries[-1]
    assert reader.review.after(last) == second
    for _ in reader.review.queries[1:]:
        reader.say("accept")
    assert reader.review.after(last) == first


def test_two_readers_are_blind_to_each_other(release: OpenRelease, tmp_path: Path) -> None:
    ann, ben = (Reader(release, tmp_path, name) for name in ("ann", "ben"))
    assert ann.review.queries == ben.review.queries
    ann.say("reject", reason="other", text="what ann would say")
    assert ben.shown() == ann.review.queries[0]
    assert f"0 of {len(ben.review.queries)} read by ben" in ben.page()
    assert "what ann would say" not in ben.page()
    ann.log.close()
    ben.log.close()


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"id": "elsewhere", "decision": "accept"},
        {"decision": "maybe"},
        {"decision": "reject"},
        {"decision": "reject", "reason": "made up"},
        {"decision": "accept", "text": "x" * 9_000},
        {"decision": "accept", "text": "x" * 70_000},
        {"decision": "accept", **{f"more{number}": "" for number in range(30)}},
    ],
)
def test_what_is_no_answer_is_refused(reader: Reader, form: dict[str, str]) -> None:
    done = reader.client.post(
        "/review", data={"id": reader.shown(), **form} if form else {}, headers=OURS
    )
    assert done.status_code in {400, 404}
    assert read_answers(reader.log.path) == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": BASE, "Host": "evil.example"},
        {"Origin": BASE, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    ],
)
def test_no_other_page_answers_for_a_reader(reader: Reader, headers: dict[str, str]) -> None:
    form = {"id": reader.shown(), "decision": "accept"}
    done = reader.client.post("/review", data=form, headers=headers)
    assert done.status_code in {403, 421}
    assert read_answers(reader.log.path) == []


def test_nothing_else_takes_a_form_and_nobody_answers_without_the_token(
    release: OpenRelease, tmp_path: Path
) -> None:
    reader = Reader(release, tmp_path, "ann", TOKEN)
    form = {"id": reader.review.queries[0], "decision": "accept"}
    assert reader.client.post("/review", data=form, headers=OURS).status_code == 403
    assert reader.client.get("/review").status_code == 403
    assert reader.client.get(f"/review?token={TOKEN}").status_code == 303
    assert reader.client.post("/tables/shortcuts", data=form, headers=OURS).status_code == 405
    assert reader.client.post("/review", data=form, headers=OURS).status_code == 303
    reader.log.close()


def test_other_pages_stand_beside_it(reader: Reader) -> None:
    assert reader.client.get("/").headers["location"] == "/review"
    assert reader.client.get("/tables/queries").status_code == 200
    assert reader.client.get("/review?id=elsewhere").status_code == 404
