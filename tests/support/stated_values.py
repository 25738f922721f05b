"""Precision and recall of `says` on the labelled pairs in `tests/data/said_values`."""

from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from prompts.language.statements import says
from prompts.subject import Value

HALVES = {
    half: Path(__file__).parents[1] / f"data/said_values/{half}.yaml"
    for half in ("tuning", "held_out")
}
"""The authors of the rules used only the pairs for tuning; the others are held out."""


class LabelledValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A parameter value with texts that state it and texts that do not."""

    kind: str
    value: str
    said: tuple[str, ...]
    unsaid: tuple[str, ...]
    name: str = ""
    label: str = ""
    about: str = ""
    titles: tuple[str, ...] = ()

    @property
    def entry(self) -> Value:
        """Return the value as the `Value` record that checks take."""
        return Value(self.value, self.name, self.titles, self.label, self.about)


class Figures(msgspec.Struct, frozen=True):
    """Counts of correct and wrong decisions of `says` for one kind of value."""

    kind: str
    right: int
    missed: int
    wrong: int
    rejected: int

    @property
    def pairs(self) -> int:
        """Return the number of text-value pairs."""
        return self.right + self.missed + self.wrong + self.rejected

    @property
    def precision(self) -> float:
        """Return the share of accepted pairs that are correct; 1.0 if `says` accepts none."""
        accepted = self.right + self.wrong
        return self.right / accepted if accepted else 1.0

    @property
    def recall(self) -> float:
        """Return the share of stated pairs that `says` accepts; 1.0 if no pair is stated."""
        stated = self.right + self.missed
        return self.right / stated if stated else 1.0


def load_pairs(path: Path) -> tuple[LabelledValue, ...]:
    """Return the labelled pairs of a file.

    Raises:
        RunError: the file cannot be read.
    """
    try:
        return msgspec.yaml.decode(path.read_bytes(), type=tuple[LabelledValue, ...])
    except (OSError, msgspec.ValidationError, msgspec.DecodeError) as error:
        raise RunError(f"{path.name}: {error}") from error


def measure(rows: tuple[LabelledValue, ...]) -> list[Figures]:
    """Return the figures for each kind of value, and last their totals."""
    kinds = sorted({row.kind for row in rows})
    figures = [_figures(kind, [row for row in rows if row.kind == kind]) for kind in kinds]
    return [*figures, _figures("all", list(rows))]


def _figures(kind: str, rows: list[LabelledValue]) -> Figures:
    right = sum(says(text, row.entry) for row in rows for text in row.said)
    wrong = sum(says(text, row.entry) for row in rows for text in row.unsaid)
    stated, unstated = sum(len(row.said) for row in rows), sum(len(row.unsaid) for row in rows)
    return Figures(kind, right, stated - right, wrong, unstated - wrong)
