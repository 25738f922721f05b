"""Measures of how random a text looks: words repeat letters and rarely change case."""

from collections import Counter
from itertools import pairwise
from math import log2


def entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    return -sum(n / len(value) * log2(n / len(value)) for n in Counter(value).values())


def changes_of_kind(value: str) -> int:
    """Count the changes between upper case, lower case and digits; words have few."""
    kinds = [(c.isupper(), c.isdigit()) for c in value if c.isalnum()]
    return sum(a != b for a, b in pairwise(kinds))
