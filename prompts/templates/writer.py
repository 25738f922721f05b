"""Openers of the offline writer's instructions, and how they end."""

from prompts.templates.sentences import Choice, join

OPENERS = (
    "Could you {wish} for me",
    "Please {wish}",
    "I would like you to {wish}",
    "Can you {wish}",
    "I need you to {wish}",
    "Would you {wish} for me",
    "Help me out and {wish}",
    "It would be great if you could {wish}",
)


def end_of(opener: str) -> str:
    """The mark that ends a sentence with this opener."""
    return "?" if opener.startswith(("Could", "Can", "Would")) else "."


__all__ = ["OPENERS", "Choice", "end_of", "join"]
