"""Tests of the review queue: they check stored answers, blind readers and refused forms."""

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
SAME_ORIGIN = {"Origin": BASE}
TOKEN = "nobody-guesses-it"


class Reader:
    """A person who reviews texts, with a client of the review pages."""

    def __init__(self, release: OpenRelease, folder: Path, name: str, token: str = "") -> None:
        self.log = AnswerLog(folder, name)
        rows = release.ask("SELECT query_id FROM queries ORDER BY query_id")
        self.review = Review(self.log, sample_of([row["query_id"] for row in rows], 6))
        app = application(release, token, review=self.review)
        self.client = TestClient(app, base_url=BASE, follow_redirects=False)

    def read_page(self, url: str = "/review") -> str:
        response = self.client.get(url)
        assert response.status_code == 200, response.text
        return response.text

    def current_id(self) -> str:
        """Return the id of the text on the current page."""
        match = re.search(r'name="id" value="([^"]+)"', self.read_page())
        assert match
        return match[1]

    def send_decision(self, decision: str, **more: str) -> int:
        form = {"id": self.current_id(), "digest": "d", "decision": decision, **more}
        return self.client.post("/review", data=form, headers=SAME_ORIGIN).status_code


@pytest.fixture(scope="module")
def release(full_release: Path) -> Iterator[OpenRelease]:
    open_release = OpenRelease(full_release)
    yield open_release
    open_release.close()


@pytest.fixture
def reader(release: OpenRelease, tmp_path: Path) -> Iterator[Reader]:
    page_reader = Reader(release, tmp_path, "ann")
    yield page_reader
    page_reader.log.close()


def test_texts_are_shown_in_order_until_all_are_read(reader: Reader) -> None:
    shown_ids = []
    for number in range(len(reader.review.queries)):
        assert f"{number} of {len(reader.review.queries)} read by ann" in reader.read_page()
        shown_ids.append(reader.current_id())
        if number % 2:
            assert reader.send_decision("reject", reason="left_out", text=" Better so. ") == 303
        else:
            assert reader.send_decision("accept") == 303
    assert shown_ids == reader.review.queries
    assert "texts are read" in reader.read_page()
    answers = read_answers(reader.log.path)
    assert [answer.decision for answer in answers] == (["accept", "reject"] * 3)[: len(shown_ids)]
    assert {answer.text for answer in answers if answer.decision == "reject"} == {"Better so."}
    labels = list(read_labels(reader.log.path.parent))
    assert [label.kept for label in labels] == ([True, False] * 3)[: len(shown_ids)]
    assert {label.rater for label in labels} == {"human:ann"}


def test_undone_answer_is_asked_again(reader: Reader) -> None:
    first_id = reader.current_id()
    reader.send_decision("accept")
    done = reader.client.post(
        "/review", data={"id": first_id, "decision": "undo"}, headers=SAME_ORIGIN
    )
    assert (done.status_code, done.headers["location"]) == (303, f"/review?id={first_id}")
    assert reader.current_id() == first_id
    assert in_force(read_answers(reader.log.path)) == {}


def test_text_is_reworded_or_postponed(reader: Reader) -> None:
    first_id, second_id, *_ = reader.review.queries
    assert f'href="/review?id={second_id.replace(":", "%3A")}" accesskey="n"' in reader.read_page()
    assert reader.send_decision("reword", text="  ") == 400
    assert reader.send_decision("reword", text=" Other words ") == 303
    (answer,) = read_answers(reader.log.path)
    assert (answer.query_id, answer.decision, answer.text) == (first_id, "accept", "Other words")
    last_id = reader.review.queries[-1]
    assert reader.review.after(last_id) == second_id
    for _ in reader.review.queries[1:]:
        reader.send_decision("accept")
    assert reader.review.after(last_id) == first_id


def test_readers_do_not_see_each_others_answers(release: OpenRelease, tmp_path: Path) -> None:
    ann, ben = (Reader(release, tmp_path, name) for name in ("ann", "ben"))
    assert ann.review.queries == ben.review.queries
    ann.send_decision("reject", reason="other", text="what ann would say")
    assert ben.current_id() == ann.review.queries[0]
    assert f"0 of {len(ben.review.queries)} read by ben" in ben.read_page()
    assert "what ann would say" not in ben.read_page()
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
def test_invalid_answers_are_refused(reader: Reader, form: dict[str, str]) -> None:
    done = reader.client.post(
        "/review", data={"id": reader.current_id(), **form} if form else {}, headers=SAME_ORIGIN
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
def test_foreign_pages_cannot_answer_for_a_reader(reader: Reader, headers: dict[str, str]) -> None:
    form = {"id": reader.current_id(), "decision": "accept"}
    done = reader.client.post("/review", data=form, headers=headers)
    assert done.status_code in {403, 421}
    assert read_answers(reader.log.path) == []


def test_answers_require_the_token_and_the_review_page(
    release: OpenRelease, tmp_path: Path
) -> None:
    reader = Reader(release, tmp_path, "ann", TOKEN)
    form = {"id": reader.review.queries[0], "decision": "accept"}
    assert reader.client.post("/review", data=form, headers=SAME_ORIGIN).status_code == 403
    assert reader.client.get("/review").status_code == 403
    assert reader.client.get(f"/review?token={TOKEN}").status_code == 303
    assert (
        reader.client.post("/tables/shortcuts", data=form, headers=SAME_ORIGIN).status_code == 405
    )
    assert reader.client.post("/review", data=form, headers=SAME_ORIGIN).status_code == 303
    reader.log.close()


def test_other_explorer_pages_are_served_too(reader: Reader) -> None:
    assert reader.client.get("/").headers["location"] == "/review"
    assert reader.client.get("/tables/queries").status_code == 200
    assert reader.client.get("/review?id=elsewhere").status_code == 404
