"""Let people review generated texts: draw a sample, and log the answers of each person.

A log is a file with one JSON object per line, to which answers are only appended. An answer is
stored when its line is flushed to disk. A killed run leaves at most one incomplete line, which the
next run terminates. To undo an answer, another line is added.
"""

import errno
import fcntl
import hashlib
import os
import re
import threading
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from benchloom.core.errors import BusyError, RunError
from benchloom.core.identity import digest_of_parts

Decision = Literal["accept", "reject", "undo"]
REASONS = {
    "something_else": "The text asks for something that the steps do not do.",
    "left_out": "The text omits something that the steps do.",
    "wrong_value": "A value is wrong, or a user could not know it.",
    "too_early": "The text contains a value that the user cannot know before the shortcut has run.",
    "not_spoken": "People would not word a request like this.",
    "other": "The text has another fault.",
}
"""Reasons for rejecting a text: the word in the log, with an explanation for the reviewer."""
REVIEWS = "reviews"
"""The folder of a workspace that contains a log for each reviewer."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
LONGEST = 8_000
_SUFFIX = ".jsonl"


class Answer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person's answer about a text, which is a line of the log.

    `text_digest` is the digest of the displayed text. `text` is the person's replacement for it, if
    any, and `at` is the time in UTC.
    """

    query_id: str
    text_digest: str
    decision: Decision
    reason: str = ""
    text: str = ""
    at: str = ""


LINE = msgspec.json.Decoder(Answer)


def is_name(name: str) -> bool:
    """Return whether a name may identify a person or a judge.

    It has 1 to 40 small letters, digits, hyphens and underscores.
    """
    return _NAME.fullmatch(name) is not None


def text_digest(text: str) -> str:
    """Return the digest that identifies the displayed text in a line of the log."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def wording_of(answer: Answer) -> str | None:
    """Return the text that a person wrote to replace the displayed text, or None."""
    text = answer.text.strip()
    changed = bool(text) and answer.decision != "undo" and text_digest(text) != answer.text_digest
    return text if changed else None


def keeps(answer: Answer) -> bool:
    """Return whether a person accepted the displayed text without a change."""
    return answer.decision == "accept" and wording_of(answer) is None


class AnswerLog:
    """The log of a person's answers in the file `FOLDER/NAME.jsonl`. The name is a pseudonym.

    Raises RunError if the name is not a pseudonym or the file cannot be written, and BusyError if
    another process writes to the file.
    """

    def __init__(self, folder: Path, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise RunError(
                f"'{name}' is not a pseudonym: use 1 to 40 characters of a-z, 0-9, - and _"
            )
        self.path = folder / f"{name}{_SUFFIX}"
        self.name = name
        self._guard = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise RunError(f"{self.path}: {error.strerror or error}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._file)
            raise BusyError(f"another review is writing to {self.path}; finish it first") from None
        self.answers = read_answers(self.path)
        size = os.fstat(self._file).st_size
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            os.write(self._file, b"\n")

    def add(self, answer: Answer) -> None:
        """Append an answer to the log and flush it to disk.

        Raises RunError if the answer is too long or its reason is unknown.
        """
        if len(answer.text) > LONGEST or answer.reason not in {"", *REASONS}:
            raise RunError(
                f"{self.path}: an answer needs a known reason and at most {LONGEST} characters "
                "of text"
            )
        if not answer.at:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            answer = msgspec.structs.replace(answer, at=now)
        line = msgspec.json.encode(answer) + b"\n"
        with self._guard:
            start = os.fstat(self._file).st_size
            try:
                _write_whole(self._file, line)
            except OSError as error:
                os.ftruncate(self._file, start)
                raise RunError(f"{self.path}: {error.strerror or error}") from error
            self.answers.append(answer)

    def close(self) -> None:
        """Close the log, so that another process can write to it."""
        os.close(self._file)


def _write_whole(file: int, line: bytes) -> None:
    if os.write(file, line) != len(line):
        raise OSError(
            errno.ENOSPC, "the answer was written only partly; free disk space and answer again"
        )
    os.fsync(file)


def read_answers(path: Path) -> list[Answer]:
    """Read all answers of a log, in order. Lines that are not an answer are skipped.

    A killed run can leave an incomplete line. Raises RunError if the file cannot be read.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise RunError(f"{path}: {error.strerror or error}") from error
    answers: list[Answer] = []
    for line in lines:
        try:
            answers.append(LINE.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
    return answers


def in_force(answers: Iterable[Answer]) -> dict[str, Answer]:
    """Return a mapping from text id to the last answer about this text, unless it was undone."""
    latest_answers: dict[str, Answer] = {}
    for answer in answers:
        latest_answers.pop(answer.query_id, None)
        if answer.decision != "undo":
            latest_answers[answer.query_id] = answer
    return latest_answers


def logs_in(folder: Path) -> dict[str, Path]:
    """Return a mapping from reviewer (a pseudonym) to log file, for all logs in a folder."""
    log_paths = sorted(folder.glob(f"*{_SUFFIX}"))
    return {path.stem: path for path in log_paths if _NAME.fullmatch(path.stem)}


def holds_answers(path: Path) -> bool:
    """Return whether a path can be read as answers: a file, or a folder that contains logs."""
    return bool(logs_in(path)) if path.is_dir() else path.exists()


def sample_of(queries: Iterable[str], count: int, seed: int = 0) -> list[str]:
    """Draw `count` ids at random, where the same seed always draws the same ids.

    With the same seed, a larger count gives the same ids and additional ids at the end.
    """
    return sorted(
        set(queries), key=lambda query_id: digest_of_parts("review", [str(seed), query_id])
    )[:count]
