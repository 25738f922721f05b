"""Shortcuts for tests, with actions as records and arguments as JSON."""

import msgspec

from benchloom.core.records import Action, Argument, NeedsInput, Reference, Shortcut

PREFIX = "is.workflow.actions."


def argument(name: str, value: object, kind: str = "literal", *references: Reference) -> Argument:
    return Argument(name, kind, msgspec.json.encode(value, order="sorted").decode(), references)


def action(
    index: int,
    identifier: str,
    *arguments: Argument,
    uuid: str | None = None,
    app: str | None = None,
    output_name: str | None = None,
) -> Action:
    name = identifier if "." in identifier else PREFIX + identifier
    owner = PREFIX[:-1] if name.startswith(PREFIX) else name.rpartition(".")[0]
    return Action(index, name, app or owner, 0, None, None, None, uuid, output_name, arguments)


def shortcut(
    *actions: Action, length: int | None = None, oddities: tuple[str, ...] = ()
) -> Shortcut:
    return Shortcut(
        shortcut_id=f"shortcut:test:{len(actions)}",
        canonical_digest="canonical:test:1",
        source_digest=f"file:test:{len(actions)}",
        source_uri="invented.shortcut",
        container="binary",
        icloud_ids=(),
        name=None,
        name_source=None,
        description=None,
        client_version=None,
        actions=actions,
        length=len(actions) if length is None else length,
        level=1,
        unique_api_count=len(actions),
        action_count=len(actions),
        needs_input=NeedsInput((), (), None, ()),
        oddities=oddities,
        workflow="",
    )
