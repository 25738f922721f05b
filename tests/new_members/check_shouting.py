"""Check that a text is not mostly capitals."""

from prompts.checks import Check, Finding, dropped, passing
from prompts.subject import Subject

MAX_CAPITALS = 0.6


def examine(subject: Subject) -> Finding:
    """At most 60 % of the letters are capitals."""
    letters = [letter for letter in subject.text if letter.isalpha()]
    share = sum(letter.isupper() for letter in letters) / max(1, len(letters))
    evidence = f"{share:.0%} capitals"
    return dropped("shouting", evidence) if share > MAX_CAPITALS else passing(evidence)


CHECK = Check(
    name="shouting",
    kinds=frozenset({"query", "instruction"}),
    examine=examine,
)
