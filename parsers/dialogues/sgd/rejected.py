"""Rejected rows of dialogues: source and message carry the dialogue's id."""

from benchloom.records import Rejected


def refused(
    source_uri: str, dialogue_id: str, reason: str, message: str, digest: str | None
) -> Rejected:
    """The rejected row of one dialogue; `source_uri` and message carry its id."""
    if not dialogue_id:
        return Rejected("convert", source_uri, reason, message, digest)
    return Rejected(
        "convert", f"{source_uri}#{dialogue_id}", reason, f"{dialogue_id}: {message}", digest
    )


def repeated(source_uri: str, dialogue_id: str, digest: str | None) -> Rejected:
    """The rejected row of a dialogue whose id an earlier one of its split has."""
    message = "an earlier dialogue of the split has this id"
    return refused(source_uri, dialogue_id, "repeated_dialogue_id", message, digest)


def rejected_order(row: Rejected) -> tuple[str, str, str, str, str]:
    """The order of the table: place, reason, digest (none first), message."""
    return (row.stage, row.source_uri, row.reason, row.digest or "", row.message)
