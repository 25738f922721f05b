"""Match predictions to samples by id or, on request, by order.

If predictions are matched by id, a line that cannot be read or has no id is counted as damaged, and
a line whose id belongs to no sample as unknown. A sample without a prediction is left out if the
caller asks for this. Otherwise it is judged as unreadable if there are at least as many damaged
lines as missing predictions, and is an error if there are fewer. If predictions are matched by
order, a damaged line belongs to the sample at its position, and is judged as unreadable.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from benchloom.core.errors import NothingReadError, RunError
from benchloom.evaluate.answers import Answer, read_answers
from benchloom.evaluate.benchmark import LeftOut, Sample
from benchloom.exchange.looks import looks_like

Match: TypeAlias = Literal["id", "order"]
MAX_PAIRS_LISTED = 20  # maximum records, lines and ids that a summary lists


class Unused(msgspec.Struct, frozen=True, kw_only=True):
    """The gold records and predictions that were not scored, as numbers and as first examples."""

    gold_records: int = 0  # number of damaged gold records
    damaged_lines: int = 0  # number of damaged predictions
    unknown_ids: int = 0  # number of predictions whose id belongs to no sample
    without_prediction: int = 0  # number of samples without a prediction
    gold: tuple[LeftOut, ...] = ()
    lines: tuple[LeftOut, ...] = ()
    ids: tuple[str, ...] = ()


class Pairing:
    """Pairs the samples of gold with the lines of a file of predictions.

    If `partial` is true, samples without a prediction are left out.

    Raises OSError if the file cannot be read.
    """

    def __init__(self, path: Path, *, by_order: bool, partial: bool = False) -> None:
        self.match: Match = "order" if by_order else "id"
        self.answers = tuple(read_answers(path))
        self._path = path
        self._partial = partial
        self._gold: list[LeftOut] = []
        self._damaged: list[LeftOut] = []
        self._ids: list[str] = []
        self._without = 0

    def leave_out(self, record: LeftOut) -> None:
        """Count a damaged gold record, which yields no sample."""
        self._gold.append(record)

    def unused(self) -> Unused:
        """Return the gold records and predictions that were not scored so far."""
        return Unused(
            gold_records=len(self._gold),
            damaged_lines=len(self._damaged),
            unknown_ids=len(self._ids),
            without_prediction=self._without,
            gold=tuple(self._gold[:MAX_PAIRS_LISTED]),
            lines=tuple(self._damaged[:MAX_PAIRS_LISTED]),
            ids=tuple(prediction_id[:200] for prediction_id in self._ids[:MAX_PAIRS_LISTED]),
        )

    def pairs(self, samples: Iterator[Sample]) -> Iterator[tuple[Sample, Answer]]:
        """Yield each sample with its prediction, in the order of gold.

        Raises RunError if predictions and samples cannot be matched, for example because a sample
        has no prediction.
        """
        return self._by_order(samples) if self.match == "order" else self._by_id(samples)

    def _by_order(self, samples: Iterator[Sample]) -> Iterator[tuple[Sample, Answer]]:
        lines = len(self.answers)
        if not lines:
            raise self._no_prediction()
        # A damaged record has a line too, if each record is one sample.
        waiting: list[Sample | None] = []
        count = 0
        for sample in samples:
            waiting += [None] * (len(self._gold) - count)
            count = len(self._gold)
            waiting.append(sample)
        waiting += [None] * (len(self._gold) - count)
        sound = [gold_sample for gold_sample in waiting if gold_sample is not None]
        if not sound:
            raise NothingReadError("the gold contains no sample; pass other gold to --gold")
        if lines == len(sound):
            paired: Sequence[Sample | None] = sound
        elif lines == len(waiting):
            paired = waiting
        else:
            raise RunError(
                f"{self._path} has {lines} predictions, but the gold has {len(sound)} samples; "
                "write one line per sample, or match lines by id without --by-order"
            )
        for sample_or_none, answer in zip(paired, self.answers, strict=True):
            if answer.is_damaged:
                self._damage(answer)
            if sample_or_none is not None:
                yield sample_or_none, answer

    def _by_id(self, samples: Iterator[Sample]) -> Iterator[tuple[Sample, Answer]]:
        answers = self._by_sample_id()
        missing: list[Sample] = []
        any_sample = False
        for sample in samples:
            any_sample = True
            answer = answers.pop(sample.sample_id, None)
            if answer is None:
                missing.append(sample)
            else:
                yield sample, answer
        if not any_sample:
            raise NothingReadError("the gold contains no sample; pass other gold to --gold")
        self._ids += answers
        self._without = len(missing)
        if not missing or self._partial:
            return
        if len(missing) > len(self._damaged):
            unknown = ""
            if answers:
                unknown = f"; {len(answers)} ids belong to no sample, such as {self._ids[0][:200]}"
            raise RunError(
                f"{self._path} has no prediction for {len(missing)} samples, such as "
                f"{missing[0].sample_id}{unknown}; add them, "
                "or pass --partial to leave out these samples"
            )
        for sample in missing:
            yield sample, Answer(0, sample.sample_id, None, "the prediction's line is damaged")

    def _by_sample_id(self) -> dict[str, Answer]:
        answers: dict[str, Answer] = {}
        without_id = 0
        for answer in self.answers:
            if answer.sample_id is None:
                without_id += not answer.problem
                self._damage(answer)
            elif answer.sample_id in answers:
                first = answers[answer.sample_id].number
                raise RunError(
                    f"{self._path} lines {first} and {answer.number}: two predictions have the id "
                    f"{answer.sample_id[:200]}; keep one of them"
                )
            else:
                answers[answer.sample_id] = answer
                if answer.is_damaged:
                    self._damage(answer)
        if answers:
            return answers
        if without_id:
            raise RunError(
                f'{self._path}: no line has an "id"; add the id of its sample to every line, '
                "or pass --by-order to match lines with the gold in its order"
            )
        if self._damaged:
            first_line = self._damaged[0]
            raise NothingReadError(
                f"{first_line.record}: {first_line.message}; no line can be read: "
                f"the file is {self._look()}; write one JSON line for each sample"
            )
        raise self._no_prediction()

    def _look(self) -> str:
        with self._path.open("rb") as file:
            return looks_like(self._path.name, file.read(4096))

    def _no_prediction(self) -> NothingReadError:
        return NothingReadError(
            f"{self._path} contains no prediction; write one JSON line per sample"
        )

    def _damage(self, answer: Answer) -> None:
        reason, message = ("damaged", answer.problem) if answer.problem else ("no_id", "no id")
        self._damaged.append(LeftOut(f"{self._path} line {answer.number}", reason, message))
