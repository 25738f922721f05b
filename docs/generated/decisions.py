"""The decisions with an index by number."""

import re
from collections.abc import Mapping

from docs.decision import Decision, read_decisions

TITLE = "Decisions"
_NUMBER = re.compile(r"(?<![\d.,#/-])(\d{4})(?![\d.,-]\d|\d)")
_INDEX = """# Decisions

What is hard to undo is decided in writing, on one page, before the code. A later decision that
changes an earlier one is named at its top.

| number | decision | status | date |
|---|---|---|---|
{rows}
"""


def pages() -> Mapping[str, str]:
    """The index and a page for every decision."""
    decisions = read_decisions()
    files = {decision.number: decision.file for decision in decisions}
    rows = "\n".join(_row(decision, files) for decision in decisions)
    made = {"decisions/index.md": _INDEX.format(rows=rows)}
    for decision in decisions:
        made[f"decisions/{decision.file}"] = decision.text
    return made


def _row(decision: Decision, files: Mapping[str, str]) -> str:
    told = "; ".join(part for part in (decision.status, decision.note) if part)
    told = _NUMBER.sub(lambda found: _linked(found[1], files), told)
    return f"| {decision.number} | [{decision.title}]({decision.file}) | {told} | {decision.date} |"


def _linked(number: str, files: Mapping[str, str]) -> str:
    return f"[{number}]({files[number]})" if number in files else number
