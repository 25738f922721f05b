"""Decisions: one Markdown file each, with a number, a title, a status and a date at its top.

# 0123 Pages are built offline

Status: accepted, 2026-11-22; narrowed by 0130 (fonts)
"""

import re
from dataclasses import dataclass
from pathlib import Path

DECISIONS = Path(__file__).resolve().parent / "decisions"
_HEADER = re.compile(
    r"# (?P<number>\d{4}):? (?P<title>\S.*)\n\n"
    r"Status: (?P<status>accepted|superseded by \d{4}), (?P<date>\d{4}-\d\d-\d\d)"
    r"(?:; (?P<note>.+))?\n\n"
)
_FILE = re.compile(r"\d{4}-[a-z0-9-]+\.md")
_LATER = re.compile(r"(?:superseded|narrowed|widened) by (\d{4})|\band (\d{4})")


class DecisionError(Exception):
    """The file of a decision breaks its form; the message names it and says what to write."""


@dataclass(frozen=True)
class Decision:
    """One decision; `note` names the later ones that narrow or widen it."""

    file: str
    number: str
    title: str
    status: str
    date: str
    note: str
    text: str

    def later(self) -> tuple[str, ...]:
        """Numbers of the decisions that changed this one."""
        found = _LATER.findall(f"{self.status}; {self.note}")
        return tuple(first or second for first, second in found)


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
        status=header["status"],
        date=header["date"],
        note=header["note"] or "",
        text=text,
    )


def read_decisions(folder: Path = DECISIONS) -> tuple[Decision, ...]:
    """Every decision of a folder, by number.

    Raises:
        DecisionError: a file breaks the form, two share a number, or a named later one is missing.
    """
    found: dict[str, Decision] = {}
    for file in sorted(folder.iterdir()):
        decision = read_decision(file)
        if decision.number in found:
            raise DecisionError(f"{found[decision.number].file} and {file.name} share a number")
        found[decision.number] = decision
    for decision in found.values():
        for number in decision.later():
            if number not in found:
                raise DecisionError(f"{decision.file} names {number}, which is not there")
    return tuple(found.values())
