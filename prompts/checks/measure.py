"""Measure precision and recall of every check on labelled texts that are part of the project."""

from pathlib import Path

import msgspec

from benchloom.core.data_files import data_path
from benchloom.core.errors import RunError
from prompts.checks import CHECKS
from prompts.steps import category, instruction, nested, query
from prompts.subject import Call, Subject, Value
from prompts.talks import dialogue_roles

FOLDER = data_path("prompts.checks")
_PROMPTS = {
    "query": query.RULES,
    "instruction": instruction.RULES,
    "category": category.RULES,
    "nested": nested.RULES,
    "dialogue": dialogue_roles.QUERY_RULES,
}


class Labelled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text of the labelled sample; `faults` names the checks that should drop the text.

    The other fields are the data of the shortcut or plan that checks compare the text with.
    """

    kind: str
    text: str
    faults: tuple[str, ...]
    required: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    technical: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()
    category: str = ""

    def subject(self, number: int) -> Subject:
        """Return the text with its data, as checks receive it; `number` becomes its id."""
        return Subject(
            f"labelled:{number}",
            self.kind,
            self.text,
            required=tuple(_value(text) for text in self.required),
            hidden=tuple(_value(text) for text in self.hidden),
            calls=tuple(_call(text) for text in self.calls),
            prompt=_PROMPTS.get(self.kind, ""),
            sources=self.sources,
            technical=self.technical,
            descriptions=self.descriptions,
            category=self.category,
        )


class Figures(msgspec.Struct, frozen=True):
    """The results of one check on the labelled sample.

    `right` counts its correct drops, `wrong` its wrong drops, and `missed` the faults that it
    missed.
    """

    check: str
    rows: int
    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """Return the share of the check's drops that are correct, or 1.0 if it dropped nothing."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Return the share of labelled faults that the check detects, or 1.0 if there are none."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


def load_sample(pattern: str = "*.yaml") -> tuple[Labelled, ...]:
    """Return the labelled texts from all YAML files in the folder of the checks.

    Raises:
        RunError: a file cannot be read, or names an unknown check.
    """
    return tuple(row for path in sorted(FOLDER.glob(pattern)) for row in _rows_of(path))


def _rows_of(path: Path) -> tuple[Labelled, ...]:
    try:
        rows = msgspec.yaml.decode(path.read_bytes(), type=tuple[Labelled, ...])
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise RunError(f"{path.name} is not a list of labelled texts: {error}") from error
    unknown = {fault for row in rows for fault in row.faults} - set(CHECKS.all())
    if unknown:
        raise RunError(
            f"{path.name} names unknown checks ({', '.join(sorted(unknown))}); "
            "a check has the name of its module"
        )
    return rows


def measure(rows: tuple[Labelled, ...]) -> list[Figures]:
    """Return the figures of every check; each check examines all texts of its kinds in order."""
    figures = []
    for name, check in sorted(CHECKS.all().items()):
        examine = check.examiner()
        right = wrong = missed = count = 0
        for number, row in enumerate(rows):
            if row.kind not in check.kinds:
                continue
            count += 1
            dropped = not examine(row.subject(number)).kept
            labelled = name in row.faults
            right += dropped and labelled
            wrong += dropped and not labelled
            missed += labelled and not dropped
        figures.append(Figures(name, count, right, wrong, missed))
    return figures


def card_table(rows: tuple[Labelled, ...]) -> str:
    """Return a Markdown table with each check's description, text count, precision and recall."""
    lines = [
        "| check | what it does | texts | precision | recall |",
        "|---|---|---|---|---|",
    ]
    for entry in measure(rows):
        about = (CHECKS.find(entry.check).examine.__doc__ or "").split("\n\n")[0]
        about = " ".join(about.split())
        lines.append(
            f"| `{entry.check}` | {about} | {entry.rows} "
            f"| {entry.precision:.2f} | {entry.recall:.2f} |"
        )
    return "\n".join(lines) + "\n"


def with_table(card: str, rows: tuple[Labelled, ...]) -> str:
    """Return a card's text, with a new table of checks in place of the table at its end."""
    before, _, _ = card.partition("\n| check |")
    return f"{before.rstrip()}\n\n{card_table(rows)}"


def _value(text: str) -> Value:
    name, _, value = text.partition("=")
    return Value(value.strip('"'), name)


def _call(text: str) -> Call:
    name, _, description = text.partition(": ")
    description, _, values = description.partition(" | ")
    app, _, api = name.partition(".")
    own = tuple(Value(value) for value in values.split(", ") if value)
    return Call((name, api, app, description), own)
