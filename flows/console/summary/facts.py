"""What is told at the end of a rebuild, as records."""

from collections.abc import Mapping

import msgspec


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """Of some things, how many there were, how many are in, and why the others are not.

    `kind` names the things: `shortcuts`, `evaluation`, `texts: query`. A thing with several reasons
    counts under the first of them, as in the line of the stage that left it out.
    """

    kind: str
    received: int
    kept: int
    reasons: Mapping[str, int]


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """What the completions of a release took, in this run or in earlier ones."""

    requests: int
    tokens_in: int
    tokens_out: int
    usd: float


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """What a release says of itself, for the end of a rebuild.

    `pages` are the documents to look at, as paths below the release. `judged` says whether a judge
    of faithfulness had a word about any text; None where there are no texts to judge. `judge_asked`
    says whether one was asked, `unjudged` counts kept texts of a model that none had a word about.
    """

    left_out: tuple[LeftOut, ...] = ()
    spent: Spent | None = None
    judged: bool | None = None
    judge_asked: bool = False
    unjudged: int = 0
    pages: tuple[str, ...] = ()
