"""Records of the facts in the summary of a rebuild."""

from collections.abc import Mapping

import msgspec


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """For one kind of rows: how many there were, how many are kept, and why others are not.

    `kind` names the rows: `shortcuts`, `evaluation`, `texts: query`. A row with several reasons
    counts under the first reason, as in the line of the stage that omitted it.
    """

    kind: str
    received: int
    kept: int
    reasons: Mapping[str, int]


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of the completions of a release, in this run or in earlier ones."""

    requests: int
    tokens_in: int
    tokens_out: int
    usd: float


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """The facts about a release for the summary of a rebuild.

    `pages` are the documents to look at, as paths below the release. `judged` says whether a
    judge of faithfulness gave a verdict on any text; None if there are no texts to judge.
    `judge_asked` says whether a judge was asked, `unjudged` counts the kept texts by models
    without a verdict.
    """

    left_out: tuple[LeftOut, ...] = ()
    spent: Spent | None = None
    judged: bool | None = None
    judge_asked: bool = False
    unjudged: int = 0
    pages: tuple[str, ...] = ()
