"""Compute shares of counts with their confidence intervals."""

from math import sqrt
from statistics import NormalDist

import msgspec

LEVEL = 0.95
"""The confidence level of all intervals."""
_Z = NormalDist().inv_cdf(0.5 + LEVEL / 2)


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """The share `hits / of`, with the limits `low` and `high` of its confidence interval.

    The three numbers are None if `of` is 0.
    """

    hits: int
    of: int
    share: float | None = None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        if self.share is None or self.low is None or self.high is None:
            return "-"
        return f"{self.share:.3f} ({self.low:.3f}-{self.high:.3f}, {self.hits} of {self.of})"


def share_of(hits: int, of: int) -> Share:
    """Return the share `hits / of` with Wilson's score interval, which also suits small counts.

    Source: Wilson, Probable inference, the law of succession, and statistical inference, 1927.
    """
    if not of:
        return Share(hits=hits, of=of)
    share = hits / of
    low, high = score_interval(share, of)
    return Share(hits=hits, of=of, share=share, low=low, high=high)


def score_interval(share: float, of: float) -> tuple[float, float]:
    """Return Wilson's score interval of a share of `of` trials. `of` may be fractional."""
    middle = (share + _Z * _Z / (2 * of)) / (1 + _Z * _Z / of)
    half = _half(of, share)
    low = 0.0 if share <= 0 else max(0.0, middle - half)
    high = 1.0 if share >= 1 else min(1.0, middle + half)
    return low, high


def texts_for(half_width: float, expected: float = 0.5) -> int:
    """Return how large a sample must be to estimate a share to within ± `half_width`.

    It is the smallest number of texts whose confidence interval is not wider. `expected` is the
    share that is likely.
    """
    count = max(1, int(_Z * _Z * expected * (1 - expected) / half_width**2 / 2))
    while _half(count, expected) > half_width:
        count += 1
    return count


def _half(of: float, share: float) -> float:
    return _Z * sqrt(share * (1 - share) / of + _Z * _Z / (4 * of * of)) / (1 + _Z * _Z / of)
