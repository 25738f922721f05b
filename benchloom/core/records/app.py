"""An app whose actions shortcuts use: how often it is used and how many APIs are defined."""

import msgspec


class App(msgspec.Struct, frozen=True, gc=False):
    """One app.

    `actions_seen` counts invocations of its actions, `shortcuts` the shortcuts that use the
    app. `apis_seen` counts its distinct APIs that shortcuts use, `apis_missing` the APIs among
    these that have no definition. `unlocks` counts the shortcuts in which this is the only app
    with missing definitions. `paid`, `legacy` and `unavailable` are marks set by
    the operator, null if not set.
    """

    app: str
    actions_seen: int
    shortcuts: int
    has_definitions: bool
    apis_seen: int
    apis_missing: int
    unlocks: int
    store_link: str | None = None
    paid: bool | None = None
    legacy: bool | None = None
    unavailable: bool | None = None
    note: str | None = None
