"""Decisions: one Markdown file each, with a number, a title, a status and a date at its top.

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
    """The file of a decision breaks its form; the message names it and says what to write."""


@dataclass(frozen=True)
class Decision:
    """One decision in force; `text` is its whole file."""

    file: str
    number: str
    title: str
    date: str
    text: str

    def references(self) -> set[str]:
        """Numbers of the decisions that the text names, its own included."""
        return set(_NUMBER.findall(self.text))


def read_decision(file: Path) -> Decision:
    """The decision in a file.

    Raises:
        DecisionError: the name or the header is not of the form above.
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
    """Every decision of a folder, by number.

    Raises:
        DecisionError: a file breaks the form, two share a number, or a text names a number that
            no file has.
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
                f"{decision.file} names {number}, which is not there: name the one in force"
            )
    return tuple(decisions.values())
