"""Read the answers of people in a review, and number the people in order of their first answers.

Releases contain these numbers instead of names. People who answer later do not change the numbers
of earlier people.
"""

import hashlib
from pathlib import Path

import msgspec

from benchloom.core.errors import NothingReadError, RunError
from benchloom.core.identity import ALGORITHM
from benchloom.core.records.texts import HUMAN
from benchloom.release.review import LINE, LONGEST, REASONS, Answer, in_force, logs_in
from benchloom.storage.seals import kind_of

MAX_BYTES = 256 << 20
READER = "reader-"
"""A person's number in a release follows this prefix."""
EDITED = "edited"
"""The reason of a verdict if the person changed nothing but the wording of the text."""
REPLACEMENT = " In its place: "
"""In the evidence of a person's verdict, the id of the replacement follows these words."""


class ReviewError(RunError):
    """The answers of people are unusable: there is no log, or a line of a log has been changed."""


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """A person who reviewed texts: a number as pseudonym, and the last answer about each text.

    `digest` and `size` are those of the log file.
    """

    pseudonym: str
    answers: tuple[Answer, ...]
    digest: str
    size: int

    @property
    def check(self) -> str:
        """The name of the check under which a release stores this person's verdicts."""
        return HUMAN + self.pseudonym

    @property
    def location(self) -> str:
        """The path by which a release names the source of this person's answers."""
        return f"reviews/{self.pseudonym}.jsonl"


def readers_of(path: Path) -> list[Reader]:
    """Return the people whose answers are in a log or a folder of logs, by time of first answer.

    Raises NothingReadError if a folder contains no log or a file is not a log, and ReviewError if
    the path does not exist or a line was changed. An incomplete last line is ignored.
    """
    logs = list(logs_in(path).values()) if path.is_dir() else [path]
    if not logs:
        raise NothingReadError(
            f"{path} contains no answers of a review (NAME.jsonl); "
            "pass the folder of `benchloom review`"
        )
    reader_logs: list[tuple[str, str, list[Answer], bytes]] = []
    for log in logs:
        content = _read(log)
        if answers := _answers(log, content):
            reader_logs.append((answers[0].at, log.name, answers, content))
    return [
        Reader(
            pseudonym=f"{READER}{number}",
            answers=tuple(in_force(answers).values()),
            digest=f"file:{ALGORITHM}:{hashlib.sha256(content).hexdigest()}",
            size=len(content),
        )
        for number, (_, _, answers, content) in enumerate(sorted(reader_logs, key=_first), start=1)
    ]


def _first(reader_log: tuple[str, str, list[Answer], bytes]) -> tuple[str, str]:
    return reader_log[0], reader_log[1]


def _read(log: Path) -> bytes:
    kind = kind_of(log.resolve())
    if kind != "file":  # a pipe would never end
        raise ReviewError(f"{log}: {'no such file' if kind is None else f'is a {kind}, not a log'}")
    try:
        if log.stat().st_size > MAX_BYTES:
            raise ReviewError(
                f"{log} is not a log of answers: it is larger than {MAX_BYTES >> 20} MiB"
            )
        return log.read_bytes()
    except OSError as error:
        raise ReviewError(f"{log}: {error.strerror or error}") from error


def _answers(log: Path, content: bytes) -> list[Answer]:
    answers: list[Answer] = []
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            answer = LINE.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            if str(error) == _CUT:
                continue
            if not answers:
                raise NothingReadError(
                    f"{log}: line {number} is not an answer of `benchloom review`: {error}; "
                    "pass another file"
                ) from error
            raise _damage_error(log, number, str(error)) from error
        if answer.reason not in {"", *REASONS}:
            raise _damage_error(log, number, "the reason is unknown")
        if len(answer.text) > LONGEST:
            raise _damage_error(log, number, f"the text has more than {LONGEST} characters")
        if answer.decision == "reject" and not answer.reason:
            raise _damage_error(log, number, "the text was rejected without a reason")
        answers.append(answer)
    return answers


def _damage_error(log: Path, number: int, fault: str) -> ReviewError:
    return ReviewError(f"{log}: line {number} was changed since it was written: {fault}")


def _cut_fault() -> str:
    # The decoder's message for an incomplete line, which a killed run leaves.
    try:
        LINE.decode(b'{"query_id":"')
    except msgspec.DecodeError as error:
        return str(error)
    return ""


_CUT = _cut_fault()
