"""The replica's request log."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Seen:
    """A logged request: sender, path, connection, times (monotonic seconds) and outcome.

    `started` is when the request line had arrived, `ended` when the answer was ready to leave.
    `sent` is the size of the body. `by_browser` marks requests of a rendered page's own scripts.
    """

    host: str
    connection: int
    method: str
    path: str
    status: int
    started: float
    ended: float
    sent: int
    user_agent: str
    by_browser: bool
