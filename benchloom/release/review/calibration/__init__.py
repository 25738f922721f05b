"""Measure how reliable checks and judges are, by comparing them with the verdicts of people.

Every result is a share with its counts and a 95 % confidence interval, because few texts are
labelled.
"""

from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.core.errors import NothingReadError
from benchloom.core.records.texts import HUMAN
from benchloom.release.review import in_force, keeps, logs_in, read_answers
from benchloom.release.review.calibration.ratings import CalibrationError, Rating, ratings_in
from benchloom.release.review.calibration.thresholds import calibrate

UNNAMED_READER = "labels"

MAX_BYTES = 256 << 20


class _Label(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    target_id: str
    kept: bool
    by: str = UNNAMED_READER


_DECODER = msgspec.json.Decoder(_Label)

__all__ = [
    "calibrate",
    "ratings_in",
    "read_labels",
]


# A line of a file of labels is {"target_id": "...", "kept": true, "by": "ann"}: the `query_id` of
# a text, whether it may be kept, and who decided it. Labels without `by` are of one person.
def read_labels(path: Path) -> Iterator[Rating]:
    """Read people's labels of texts from a JSON Lines file, or from the review logs in a folder.

    Raises CalibrationError if the file is unreadable, too large, or has a line that is no label,
    and NothingReadError if the first line is no label.
    """
    if path.is_dir():
        for name, log in logs_in(path).items():
            for answer in in_force(read_answers(log)).values():
                yield Rating(answer.query_id, HUMAN + name, keeps(answer))
        return
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CalibrationError(f"{path}: the labels exceed {MAX_BYTES >> 20} MiB; remove some")
        lines = path.read_bytes().removeprefix(BOM_UTF8).splitlines()
    except OSError as error:
        raise CalibrationError(
            f"{path}: {error.strerror or error}; pass a file of labels"
        ) from error
    any_label = False
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            label = _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            fault = (
                f"{path}: line {number} is not a label: {error}; correct it, or pass another file"
            )
            raise (CalibrationError if any_label else NothingReadError)(fault) from error
        any_label = True
        yield Rating(label.target_id, HUMAN + label.by, label.kept)
