"""An app whose actions stand in shortcuts: how much it is used and what is known of it."""

import msgspec


class App(msgspec.Struct, frozen=True, gc=False):
    """One app.

    `actions_seen` counts invocations, `shortcuts` the shortcuts that use it, `apis_seen` and
    `apis_missing` its distinct APIs with and without a definition among them. `unlocks` counts the
    shortcuts in which it is the only app with missing definitions. `paid`, `legacy` and
    `unavailable` are the operator's marks, null where there is none.
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
