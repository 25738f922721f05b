"""The samples of a shortcut, one for each action that a model must predict.

The prompt of a sample shows the earlier actions. Both rule sets have the samples of the published
run. The published run has no samples for the actions `gettext` and `ask`, although the paper does
not mention this.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from benchloom.core.built_in_actions import (
    COMMENT,
    RUN_SHORTCUT,
    SYSTEM_APP,
    TEXT,
    UNCOUNTED_OR_NONE,
    VARIABLE_SETTERS,
    built_in,
)
from benchloom.core.records.shortcut import Action
from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.benchmarks.shortcuts.labels import labels_of
from benchloom.evaluate.benchmarks.shortcuts.parameters import GROUP, MODE, arguments_of
from benchloom.exchange.examples import Call, Example
from benchloom.exchange.foreign.specifications import decoded
from benchloom.normalise.definitions.control_definitions import control_definitions

NOT_PREDICTED = (
    UNCOUNTED_OR_NONE | VARIABLE_SETTERS | {TEXT, RUN_SHORTCUT} | built_in("getvariable", "ask")
)
"""The identifiers of actions for which there is no sample."""
UNSCORED_APIS = frozenset(
    {COMMENT, f"{SYSTEM_APP}.alert"}
)  # actions that are also left out of prompts
LEVELS = {1: "(0,1]", 2: "(1,5]", 3: "(5,15]", 4: "(15,30]"}
"""The levels of shortcuts as ranges of their length; longer shortcuts are not evaluated."""
_CONTROL_IDS = {control.api: control.definition_id for control in control_definitions()}


class Position(Sample, frozen=True, kw_only=True):
    """A sample in which the model must predict the action at index `position` of a shortcut."""

    uuids: tuple[str, ...] = ()  # result ids of all actions, empty if missing
    essential: frozenset[str] | None = (
        None  # parameters that the request must state, None if unknown
    )


def position_of(sample: Sample) -> Position:
    """Return a sample as a `Position`; a plain `Sample` becomes a `Position` without result ids."""
    if isinstance(sample, Position):
        return sample
    return msgspec.convert({**msgspec.structs.asdict(sample)}, Position)


def calls_of(actions: Sequence[Action]) -> tuple[Call, ...]:
    """Convert actions of a shortcut to calls; uses of earlier results become references."""
    labels = labels_of(uuids_of(actions))
    calls = []
    for index, action in enumerate(actions):
        shape = {GROUP: action.group, MODE: action.mode}
        parameters = {name: value for name, value in shape.items() if value is not None} | {
            argument.name: decoded(argument.value) for argument in action.arguments
        }
        calls.append(
            Call(
                action.app,
                action.identifier,
                arguments_of(action.identifier, parameters, labels, index),
                _CONTROL_IDS.get(action.identifier) or action.definition_id or "",
                (action.output_name,) if action.output_name else (),
                depth=action.depth,
            )
        )
    return tuple(calls)


def uuids_of(actions: Sequence[Action]) -> tuple[str, ...]:
    """Return the UUID of each action's result, or an empty text for an action without one."""
    return tuple(action.uuid or "" for action in actions)


def positions(
    example: Example,
    uuids: tuple[str, ...],
    *,
    level: str,
    category: str,
    essential: Mapping[int, frozenset[str]] | None,
) -> Iterator[Position]:
    """Yield the samples of a shortcut, one for each action that is predicted.

    `essential` maps the index of an action to the names of the parameters that the request must
    state; an action that is missing in the mapping has no such parameter. `essential` is None if
    these parameters are unknown.
    """
    for index, call in enumerate(example.calls):
        if call.api not in NOT_PREDICTED:
            yield Position(
                sample_id=f"{example.example_id}/{index}",
                example=example,
                position=index,
                level=level,
                category=category,
                uuids=uuids,
                essential=None if essential is None else essential.get(index, frozenset()),
            )
