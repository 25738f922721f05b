"""Records of a preview: the chosen rows, their requests and results, and the forecast."""

import msgspec

from benchloom.core.records import Verdict
from prompts.exchange import Message, Parameters, Status
from prompts.results.estimate import Estimate


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a preview: the first `count` rows, or `count` rows drawn by a seed."""

    count: int
    seed: int | None = None


class Exchange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One request of a row, and its reply; a request that was not sent has no `status`."""

    messages: tuple[Message, ...]
    parameters: Parameters
    status: Status | None = None
    reply: str | None = None
    served_model: str | None = None
    from_log: bool = False


class PreviewedRow(msgspec.Struct, frozen=True, kw_only=True):
    """The text and verdicts that a run would make from one row of the input.

    `kept` is None without a text or verdict: then `reason` and `message` say why, or the last
    request has no reply. `usd` is the cost of all replies, None if the price is unknown.
    """

    target_id: str
    source_uri: str
    exchanges: tuple[Exchange, ...]
    text: str | None = None
    category: str | None = None
    structured: str | None = None
    kept: bool | None = None
    verdicts: tuple[Verdict, ...] = ()
    reason: str | None = None
    message: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float | None = None


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a preview, and the forecast for all rows of the input.

    `asked` says whether requests could be sent. `passed_over` counts rows that were read and
    about which nobody is asked, by reason. `forecast` is None for the template writer.
    `stopped` says why no more requests were sent.
    """

    rows: tuple[PreviewedRow, ...]
    passed_over: dict[str, int]
    asked: bool
    spent_usd: float | None = None
    forecast: Estimate | None = None
    stopped: str | None = None
