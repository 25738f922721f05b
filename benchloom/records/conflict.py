"""What a losing definition of an API said differently from the one that was kept."""

import msgspec


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """One differing field of two definitions of the same API.

    `field` is a field name, or `parameters.<name>` and `parameters.<name>.<field>`. `kept` and
    `lost` are JSON texts, null where that side has no such parameter. `source` is where the
    losing definition stands, `kept_source` where the kept one does.
    """

    api: str
    field: str
    kept: str | None
    lost: str | None
    source: str
    source_kind: str
    kept_source: str
    kept_source_kind: str
    lost_definition_id: str
