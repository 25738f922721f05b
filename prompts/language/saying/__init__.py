"""Whether a text says a value, in whatever words people use for it."""

from prompts.language.values import states
from prompts.subject import Value


def says(text: str, entry: Value) -> bool:
    """Whether a text states the value, or one of the titles people know it by.

    `label`, `about` and `name` tell what a number counts and what a switch means.
    """
    return states(text, entry.value, entry.titles)
