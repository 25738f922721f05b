"""Tests of answer logs: written answers survive kills, damaged lines and full disks."""

import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from benchloom.core.errors import BusyError, RunError
from benchloom.release.review import Answer, AnswerLog, in_force, read_answers, sample_of

WRITE = """
import sys
from pathlib import Path
from benchloom.release.review import Answer, AnswerLog
log = AnswerLog(Path(sys.argv[1]), "ann")
for number in range(len(log.answers), 100_000):
    log.add(Answer(query_id=f"q{number}", text_digest="x", decision="accept", text="y" * 500))
    print(number, flush=True)
"""


def accepted_answer(query_id: str) -> Answer:
    return Answer(query_id=query_id, text_digest="d", decision="accept")


def test_reopened_log_contains_its_answers(tmp_path: Path) -> None:
    log = AnswerLog(tmp_path, "ann")
    log.add(accepted_answer("a"))
    log.add(Answer(query_id="b", text_digest="d", decision="reject", reason="other", text="Ü \n x"))
    log.close()
    reopened = AnswerLog(tmp_path, "ann")
    assert reopened.answers == log.answers
    assert [answer.decision for answer in in_force(reopened.answers).values()] == [
        "accept",
        "reject",
    ]
    assert all(answer.at.endswith("+00:00") for answer in reopened.answers)
    reopened.close()


def test_last_answer_to_a_query_is_in_force(tmp_path: Path) -> None:
    log = AnswerLog(tmp_path, "ann")
    for query_id, decision in (("a", "accept"), ("b", "accept"), ("a", "undo"), ("b", "reject")):
        reason = "other" if decision == "reject" else ""
        answer = Answer(query_id=query_id, text_digest="", decision=decision, reason=reason)  # type: ignore[arg-type]  # a text of the literal type
        log.add(answer)
    log.close()
    assert {
        answered_id: answer.decision for answered_id, answer in in_force(log.answers).items()
    } == {"b": "reject"}
    assert len(read_answers(log.path)) == 4


def test_killed_run_keeps_every_confirmed_answer(tmp_path: Path) -> None:
    last_number = -1
    for _ in range(2):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITE, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        first = int(process.stdout.readline())
        assert first >= last_number + 1
        for _ in range(20):
            last_number = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
        lines = [line for line in rest.split("\n")[:-1] if line]
        last_number = max(last_number, int(lines[-1])) if lines else last_number
    answers = read_answers(tmp_path / "ann.jsonl")
    assert [answer.query_id for answer in answers[: last_number + 1]] == [
        f"q{n}" for n in range(last_number + 1)
    ]


@pytest.mark.parametrize(
    "tail", [b'{"query_id": "q', b"\xff\x00", b"[" * 3_000, b'{"query_id": 7}\n']
)
def test_damaged_last_line_loses_no_other_answer(tmp_path: Path, tail: bytes) -> None:
    log = AnswerLog(tmp_path, "ann")
    log.add(accepted_answer("a"))
    log.close()
    with log.path.open("ab") as file:
        file.write(tail)
    reopened = AnswerLog(tmp_path, "ann")
    reopened.add(accepted_answer("b"))
    reopened.close()
    assert [answer.query_id for answer in read_answers(log.path)] == ["a", "b"]


def test_full_disk_leaves_only_whole_lines(tmp_path: Path) -> None:
    log = AnswerLog(tmp_path, "ann")
    log.add(accepted_answer("a"))
    size = log.path.stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10, before[1]))
    try:
        with pytest.raises(RunError, match=r"ann\.jsonl"):
            log.add(accepted_answer("b"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert log.path.stat().st_size == size
    log.add(accepted_answer("c"))
    log.close()
    assert [answer.query_id for answer in read_answers(log.path)] == ["a", "c"]
    assert [answer.query_id for answer in log.answers] == ["a", "c"]


def test_log_has_one_writer(tmp_path: Path) -> None:
    log = AnswerLog(tmp_path, "ann")
    with pytest.raises(BusyError, match="another review"):
        AnswerLog(tmp_path, "ann")
    AnswerLog(tmp_path, "ben").close()
    log.close()
    AnswerLog(tmp_path, "ann").close()


@pytest.mark.parametrize("name", ["", "../x", "Ann", "a b", "a" * 41, "é", "a\n"])
def test_name_that_is_not_a_pseudonym_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(RunError, match="is not a pseudonym"):
        AnswerLog(tmp_path, name)


def test_log_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    log = AnswerLog(tmp_path, "ann")
    log.close()
    assert log.path.stat().st_mode & 0o077 == 0


def test_sample_depends_on_the_seed_and_grows_at_its_end() -> None:
    query_ids = [f"q{number}" for number in range(500)]
    assert (
        sample_of(query_ids[::-1], 50) == sample_of(query_ids, 50) == sample_of(query_ids, 80)[:50]
    )
    assert sample_of(query_ids, 50, seed=1) != sample_of(query_ids, 50)
    assert set(sample_of(query_ids, 1_000)) == set(query_ids)
    firsts = [sample_of(query_ids, 1, seed)[0] for seed in range(200)]
    assert len(set(firsts)) > 120
