"""Explanations of reasons: the meaning in a plain sentence, and the remedy.

The module `explanations` of a package explains the reasons that the package stores.
"""

from typing import NamedTuple


class Explanation(NamedTuple):
    """One plain sentence, and a remedy if the rows need not stay out."""

    text: str
    remedy: str = ""
