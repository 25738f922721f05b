"""Read ShortcutsBench's JSON records, and convert their actions to the form of table rows."""

from collections.abc import Mapping, Sequence

import msgspec

from benchloom.core.built_in_actions import CONTROL, SYSTEM_APP, SYSTEM_PREFIX
from benchloom.core.records.shortcut import Action, Argument
from benchloom.evaluate.benchmarks.shortcuts.parameters import CUSTOM_NAME, GROUP, MODE, UUID

_COLUMNS = frozenset({UUID, CUSTOM_NAME, GROUP, MODE})
_CONTROLS = {0: "open", 1: "branch", 2: "close"}
_ENCODER = msgspec.json.Encoder(order="sorted")


class RawAction(msgspec.Struct, frozen=True):
    """An action with the fields that it has in a shortcut file."""

    identifier: str = msgspec.field(name="WFWorkflowActionIdentifier", default="")
    parameters: dict[str, object] = msgspec.field(
        name="WFWorkflowActionParameters", default_factory=dict
    )


class _RawShortcut(msgspec.Struct, frozen=True):
    actions: tuple[RawAction, ...] = msgspec.field(name="WFWorkflowActions")


class RawRecord(msgspec.Struct, frozen=True):
    """A ShortcutsBench record with a shortcut; `query` is the request for it, if there is one."""

    shortcut: _RawShortcut
    url: str = msgspec.field(name="URL", default="")
    category: str | None = msgspec.field(name="CategoryInStore", default=None)
    query: str | None = None


class IndexLine(msgspec.Struct, frozen=True):
    """A line of the index that benchloom exports: a request, and the file of its shortcut."""

    id: str
    file: str
    request: str | None
    shortcut_id: str


RECORD = msgspec.json.Decoder(RawRecord)
INDEX = msgspec.json.Decoder(IndexLine)


def actions_of(raw: Sequence[RawAction]) -> tuple[Action, ...]:
    """Convert the actions of a shortcut file to the form in which table rows contain them.

    The ids that group the control actions of a block become numbers of blocks.
    """
    blocks: dict[object, int] = {}
    depth = 0
    actions: list[Action] = []
    for index, raw_action in enumerate(raw):
        group, mode = _text(raw_action.parameters, GROUP), _number(raw_action.parameters, MODE)
        control = block = None
        if raw_action.identifier in CONTROL:
            block = blocks.setdefault(group, len(blocks))
            mode = mode if mode in _CONTROLS else int(block < len(blocks) - 1)
            control = _CONTROLS[mode]
        depth = max(0, depth - (control in {"branch", "close"}))
        actions.append(
            Action(
                index,
                raw_action.identifier,
                _app(raw_action.identifier),
                depth,
                block,
                None,
                control,
                _text(raw_action.parameters, UUID),
                _text(raw_action.parameters, CUSTOM_NAME),
                tuple(
                    Argument(name, "", _ENCODER.encode(value).decode())
                    for name, value in raw_action.parameters.items()
                    if name not in _COLUMNS
                ),
                group=group,
                mode=mode,
            )
        )
        depth += control in {"open", "branch"}
    return tuple(actions)


def _text(parameters: Mapping[str, object], name: str) -> str | None:
    value = parameters.get(name)
    return value if isinstance(value, str) else None


def _number(parameters: Mapping[str, object], name: str) -> int | None:
    value = parameters.get(name)
    if isinstance(value, str) and value.strip() in {"0", "1", "2"}:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _app(identifier: str) -> str:
    if identifier.startswith(SYSTEM_PREFIX):
        return SYSTEM_APP
    return identifier.rpartition(".")[0]
