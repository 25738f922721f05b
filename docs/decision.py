"""Read decisions: Markdown files that begin with a number, a title, a status and a date.

# 0123 Build the documents offline

Status: accepted, 2026-11-22

Only decisions in force are kept: whoever changes a decision edits its file, or deletes it.
`README.md` beside them is the index.
"""

import re
from dataclasses import dataclass
from pathlib import Path

DECISIONS = Path(__file__).resolve().parent / "decisions"
INDEX = "README.md"
_HEADER = re.compile(
    r"# (?P<number>\d{4}) (?P<title>\S.*)\n\nStatus: accepted, (?P<date>\d{4}-\d\d-\d\d)\n\n"
)
_FILE = re.compile(r"\d{4}-[a-z0-9-]+\.md")
_NUMBER = re.compile(r"(?<![\d.,#/-])(0\d{3})(?![\d.,-]*\d)")


class DecisionError(Exception):
    """The file of a decision has a wrong form; the message contains the right form."""


@dataclass(frozen=True)
class Decision:
    """A decision in force; `text` is the content of its file."""

    file: str
    number: str
    title: str
    date: str
    text: str

    def references(self) -> set[str]:
        """Return the numbers of decisions in the text, also its own number."""
        return set(_NUMBER.findall(self.text))


def read_decision(file: Path) -> Decision:
    """Read the decision in a file.

    Raises:
        DecisionError: the name or the header does not have the form above.
    """
    text = file.read_text(encoding="utf-8")
    header = _HEADER.match(text)
    if not _FILE.fullmatch(file.name) or header is None or header["number"] != file.name[:4]:
        raise DecisionError(
            f"{file.name}: write '# NNNN Title', an empty line, 'Status: accepted, YYYY-MM-DD' "
            "and an empty line, in a file called NNNN-title.md"
        )
    return Decision(
        file=file.name,
        number=header["number"],
        title=header["title"],
        date=header["date"],
        text=text,
    )


def read_decisions(folder: Path = DECISIONS) -> tuple[Decision, ...]:
    """Return every decision of a folder, sorted by number.

    Raises:
        DecisionError: a file has a wrong form, two files have one number, or a text contains a
            number that no file has.
    """
    decisions: dict[str, Decision] = {}
    for file in sorted(folder.iterdir()):
        if file.name == INDEX:
            continue
        decision = read_decision(file)
        if decision.number in decisions:
            raise DecisionError(f"{decisions[decision.number].file} and {file.name} share a number")
        decisions[decision.number] = decision
    for decision in decisions.values():
        for number in sorted(decision.references() - decisions.keys()):
            raise DecisionError(
                f"{decision.file} refers to {number}, which does not exist: write the number of a "
                f"decision in force"
            )
    return tuple(decisions.values())
