"""Objects that did not become a row, or were merged into another row, and why."""

import msgspec

LONGEST_MESSAGE = 500
"""Characters of a message: one may echo damaged input of any length."""


class Rejected(msgspec.Struct, frozen=True, gc=False):
    """One input object or row that a stage left out.

    `source_uri` is the path of the object under its input. `digest` is the digest of the bytes
    or row that was left out; for a merged row it is the id of the row that was kept. A message
    longer than `LONGEST_MESSAGE` is cut between words, with an ellipsis, because a secret that
    is cut in the middle would no longer be recognised as a secret.
    """

    stage: str
    source_uri: str
    reason: str
    message: str
    digest: str | None = None

    def __post_init__(self) -> None:
        if len(self.message) > LONGEST_MESSAGE:
            excerpt = self.message[: LONGEST_MESSAGE - 2]
            if not self.message[len(excerpt)].isspace():
                excerpt = excerpt.rpartition(" ")[0]
            msgspec.structs.force_setattr(self, "message", f"{excerpt.rstrip()} …".lstrip())


def rejected_order(row: Rejected) -> tuple[str, str, str, str, str]:
    """Return the sort key of a row in the table of rejected rows."""
    return row.stage, row.source_uri, row.reason, row.digest or "", row.message
