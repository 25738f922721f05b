"""Records of the facts in the summary of a rebuild."""

from collections.abc import Mapping

import msgspec

EVALUATION, TEXTS, GIVEN_TEXTS = "evaluation", "texts", "texts by people"
"""Kinds of rows that the closing lines tell apart."""


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """For one kind of rows: how many there were, how many are kept, and why others are not.

    `kind` names the rows: `shortcuts`, `evaluation`, `texts: query`. `received` is the sum of
    `kept` and the counts of `reasons`: a row with several reasons counts under the first one,
    as in the line of the stage that left it out.
    """

    kind: str
    received: int
    kept: int
    reasons: Mapping[str, int] = {}

    @property
    def left_out(self) -> int:
        """The number of rows that are not kept."""
        return self.received - self.kept


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of the completions of a release, in this run or in earlier ones."""

    requests: int
    tokens_in: int
    tokens_out: int
    tokens_cached: int = 0
    usd: float


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """The facts about a release for the summary of a rebuild.

    `tallies` has one entry for each kind of rows. `pages` are the documents to look at, as paths
    below the release. `judged` says whether a judge of faithfulness gave a verdict on any text;
    None if there are no texts to judge. `judge_asked` says whether a judge was asked, `unjudged`
    counts the kept texts by models without a verdict.
    """

    tallies: tuple[Tally, ...] = ()
    spent: Spent | None = None
    judged: bool | None = None
    judge_asked: bool = False
    unjudged: int = 0
    pages: tuple[str, ...] = ()
