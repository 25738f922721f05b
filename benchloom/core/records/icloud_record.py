"""The record iCloud has of one shared shortcut, without the ids of the person who shared it."""

from typing import Literal

import msgspec

ICloudState = Literal[
    "available", "deleted", "missing", "dead", "private", "bad_asset", "no_asset", "failed"
]


class ICloudRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The state of one iCloud link and the captures that show it.

    `state` is `available` (the shortcut's bytes are captured and checked), `deleted`, `missing`
    (404 on one day), `dead` (404 on two or more days and no other response since), `private`,
    `bad_asset` (size or first bytes are wrong), `no_asset` or `failed`. `asset` names the field
    that the bytes came from. Times are UTC in ISO 8601. `source_digest` is the digest of the
    shortcut's bytes, equal to `shortcuts.source_digest` of the row parsed from them.
    """

    icloud_id: str
    state: ICloudState
    reason: str | None
    name: str | None
    created: str | None
    modified: str | None
    icon_color: int | None
    icon_glyph: int | None
    signing_status: str | None
    signing_certificate_expires: str | None
    malicious_scanning_version: int | None
    record_change_tag: str | None
    asset: str | None
    asset_size: int | None
    source_digest: str | None
    record_capture: str | None
    asset_capture: str | None
