"""Check that a text is not mostly capitals."""

from prompts.checks import Check, Finding, dropped, passing
from prompts.subject import Subject

MOST = 0.6


def examine(subject: Subject) -> Finding:
    """At most a part of the letters are capitals."""
    letters = [letter for letter in subject.text if letter.isalpha()]
    part = sum(letter.isupper() for letter in letters) / max(1, len(letters))
    evidence = f"{part:.0%} capitals"
    return dropped("shouting", evidence) if part > MOST else passing(evidence)


CHECK = Check(
    name="shouting",
    kinds=frozenset({"query", "instruction"}),
    examine=examine,
)
