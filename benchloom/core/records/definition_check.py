"""The check of a shortcut against its API definitions, and whether it can be evaluated."""

import msgspec


class ActionDefinition(msgspec.Struct, frozen=True, gc=False):
    """The definition of one action, or the reason why it has none.

    `reason` is no_identifier, unknown_app (no definition of this app is known) or unknown_api.
    """

    index: int
    api: str
    definition_id: str | None
    reason: str | None = None


class Finding(msgspec.Struct, frozen=True, gc=False):
    """One reason why a shortcut cannot run unchanged.

    `action_index` is null if the reason applies to the whole shortcut.
    `reason` is unknown_action, missing_parameter, unresolved_reference, unresolved_variable or
    unbalanced_control_flow.
    """

    action_index: int | None
    reason: str
    detail: str


class DefinitionCheck(msgspec.Struct, frozen=True, gc=False):
    """The check of one shortcut; the first three fields identify its row in `shortcuts`.

    `exclusions` say why the shortcut is left out of the evaluation split (its row is never
    deleted), `findings` why it is not statically valid.
    """

    shortcut_id: str
    source_digest: str
    source_uri: str
    in_evaluation: bool
    exclusions: tuple[str, ...]
    is_valid: bool
    findings: tuple[Finding, ...]
    actions: tuple[ActionDefinition, ...]
