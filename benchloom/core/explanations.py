"""What a reason means to people, and what they can do about it.

The module `explanations` of a package explains the reasons that the package stores.
"""

from typing import NamedTuple


class Explanation(NamedTuple):
    """One plain sentence, and a remedy if the rows need not stay out."""

    text: str
    remedy: str = ""
