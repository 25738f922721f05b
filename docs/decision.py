"""This module reads decisions about the project, which are Markdown files.

A file begins like this:

    # 0123 Build the documents offline

    Status: accepted, 2026-11-22

The folder contains only decisions in force; whoever changes a decision edits or deletes its file.
The file `README.md` in the folder is the index.
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
    """The file of a decision has a fault; the message says how the file must be written."""


@dataclass(frozen=True)
class Decision:
    """A decision in force; `file` is the name of its file, and `text` the whole content."""

    file: str
    number: str
    title: str
    date: str
    text: str

    def references(self) -> set[str]:
        """Return the numbers of all decisions that the text mentions, also its own number."""
        return set(_NUMBER.findall(self.text))


def read_decision(file: Path) -> Decision:
    """Read a decision from its file.

    Raises:
        DecisionError: the name of the file or its first lines have a fault.
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
    """Return the decisions in a folder, sorted by number.

    Raises:
        DecisionError: a file has a fault, two files have the same number, or a text refers to a
            decision that does not exist.
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
                f"{decision.file} refers to decision {number}, which does not exist; write the "
                f"number of a decision in force"
            )
    return tuple(decisions.values())
