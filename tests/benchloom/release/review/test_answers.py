"""Logs of answers: what is written stays, whatever happens to the run."""

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


def accept(ident: str) -> Answer:
    return Answer(query_id=ident, text_digest="d", decision="accept")


def test_answers_are_there_when_it_is_opened_again(tmp_path: Path) -> None:
    log = AnswerLog(tmp_path, "ann")
    log.add(accept("a"))
    log.add(Answer(query_id="b", text_digest="d", decision="reject", reason="other", text="Ü \n x"))
    log.close()
    again = AnswerLog(tmp_path, "ann")
    assert again.answers == log.answers
    assert [answer.decision for answer in in_force(again.answers).values()] == ["accept", "reject"]
    assert all(answer.at.endswith("+00:00") for answer in again.answers)
    again.close()


def test_what_was_undone_and_said_anew_counts_as_said_last(tmp_path: Path) -> None:
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


def test_a_killed_run_keeps_every_answer_that_was_told(tmp_path: Path) -> None:
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
def test_half_a_line_costs_itself(tmp_path: Path, tail: bytes) -> None:
    log = AnswerLog(tmp_path, "ann")
    log.add(accept("a"))
    log.close()
    with log.path.open("ab") as file:
        file.write(tail)
    again = AnswerLog(tmp_path, "ann")
    again.add(accept("b"))
    again.close()
    assert [answer.query_id for answer in read_answers(log.path)] == ["a", "b"]


def test_a_full_disk_leaves_whole_lines(tmp_path: Path) -> None:
    log = AnswerLog(tmp_path, "ann")
    log.add(accept("a"))
    size = log.path.stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10, before[1]))
    try:
        with pytest.raises(RunError, match=r"ann\.jsonl"):
            log.add(accept("b"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert log.path.stat().st_size == size
    log.add(accept("c"))
    log.close()
    assert [answer.query_id for answer in read_answers(log.path)] == ["a", "c"]
    assert [answer.query_id for answer in log.answers] == ["a", "c"]


def test_a_log_has_one_writer(tmp_path: Path) -> None:
    log = AnswerLog(tmp_path, "ann")
    with pytest.raises(BusyError, match="another review"):
        AnswerLog(tmp_path, "ann")
    AnswerLog(tmp_path, "ben").close()
    log.close()
    AnswerLog(tmp_path, "ann").close()


@pytest.mark.parametrize("name", ["", "../x", "Ann", "a b", "a" * 41, "é", "a\n"])
def test_a_name_is_a_pseudonym(tmp_path: Path, name: str) -> None:
    with pytest.raises(RunError, match="is not a pseudonym"):
        AnswerLog(tmp_path, name)


def test_only_its_owner_reads_a_log(tmp_path: Path) -> None:
    log = AnswerLog(tmp_path, "ann")
    log.close()
    assert log.path.stat().st_mode & 0o077 == 0


def test_a_sample_is_the_same_for_everybody_and_grows_at_its_end() -> None:
    idents = [f"q{number}" for number in range(500)]
    assert sample_of(idents[::-1], 50) == sample_of(idents, 50) == sample_of(idents, 80)[:50]
    assert sample_of(idents, 50, seed=1) != sample_of(idents, 50)
    assert set(sample_of(idents, 1_000)) == set(idents)
    firsts = [sample_of(idents, 1, seed)[0] for seed in range(200)]
    assert len(set(firsts)) > 120
