"""What did not become a row, or was merged into another one, and why."""

import msgspec


class Rejected(msgspec.Struct, frozen=True, gc=False):
    """One input object or row that a stage left out.

    `source_uri` is the path of the object under its input. `digest` names the bytes or the row
    that was left out; for a merged row it is the id of the row that was kept.
    """

    stage: str
    source_uri: str
    reason: str
    message: str
    digest: str | None = None
