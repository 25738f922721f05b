"""Decide whether a predicted call has the same effect as a recorded call, despite other arguments.

Effects are known from recorded results or from a running world (simulated tools with their data).
The world replays the dialogue up to the judged call, with a separate state for each dialogue. Then
it runs the recorded and the predicted call, both from this state. Their effects are the same if
both the results and the final states are equal.
"""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Protocol, TypeAlias

from benchloom.core.records.values import Plain, rendered
from benchloom.evaluate.benchmark import RIGHT
from benchloom.evaluate.benchmarks.api_bank.gold import GoldSample
from benchloom.evaluate.benchmarks.api_bank.outcomes import EXCEPTION, WRONG_VALUE
from benchloom.evaluate.benchmarks.api_bank.values import equal
from benchloom.exchange.examples import Call, Example
from benchloom.exchange.foreign.specifications import call_name
from benchloom.storage.inputs import list_objects, refuse_missing
from benchloom.worlds.session import Outcome, Session
from benchloom.worlds.suites.api_bank.ids import Renaming
from benchloom.worlds.suites.api_bank.ids import equal as equal_results
from benchloom.worlds.suites.api_bank.replay import EXCLUDED, full_name
from benchloom.worlds.suites.api_bank.user_copy import read_databases
from benchloom.worlds.suites.api_bank.world import world
from benchloom.worlds.world import World
from benchloom.worlds.world_files import stored_starts

MAX_COMPARED = 200  # maximum calls of a dialogue that are replayed
_FOREIGN = "-"
_LAST_DIGIT = re.compile(r"[0-9](?=[^0-9]*\Z)")
_EMPTY: tuple[Plain, ...] = (None, "", [], {})


_Done: TypeAlias = tuple[Outcome, str]  # the outcome of a call, and a digest of the state after it


class Effects(Protocol):
    """The interface of classes that compare the effects of a predicted and a recorded call."""

    def of(self, sample: GoldSample, predicted_arguments: Mapping[str, Plain]) -> str:
        """Return the outcome of a predicted call: `right`, `exception` or `wrong_value`.

        The outcome is an empty text if the effect of the call is unknown.
        """


class RecordedEffects:
    """Looks up the effect of a predicted call among the recorded calls of the same dialogue.

    This needs no running world, but the effect of a call that was not recorded is unknown.
    """

    def of(self, sample: GoldSample, predicted_arguments: Mapping[str, Plain]) -> str:
        """Return `exception` if an equal recorded call raised an exception, or else an empty text.

        Equal recorded results do not prove that a call is right: different calls, such as calls for
        two alarms, may return the same result.
        """
        for call in sample.example.calls[:MAX_COMPARED]:
            if call.result is None or call.result.exception is None:
                continue
            recorded = _plain_arguments(call)
            if (
                call_name(call.app, call.api) == sample.name
                and recorded.keys() == predicted_arguments.keys()
                and all(equal(predicted_arguments[name], value) for name, value in recorded.items())
            ):
                return EXCEPTION
        return ""


class WorldEffects(AbstractContextManager["WorldEffects"]):
    """Compares the effects of calls by running them in a simulated world.

    The calls of a dialogue must be compared in order, because each call is run after the earlier
    ones.
    """

    def __init__(self, tool_world: World) -> None:
        self._world = tool_world
        self._stack = ExitStack()
        self._example: Example | None = None
        self._done = 0
        self._recorded = RecordedEffects()

    def __exit__(self, *raised: object) -> None:
        self._stack.close()

    def of(self, sample: GoldSample, predicted_arguments: Mapping[str, Plain]) -> str:
        """Return `right` if the predicted and the recorded call have the same effect.

        Returns `exception` if the world refuses the predicted call, and `wrong_value` if the
        effects differ or prove nothing. They prove nothing if the recorded call changes nothing and
        finds nothing, or if other values of a differing argument have the same effect too. If the
        world cannot run the recorded call, recorded results are compared instead.
        """
        call_index, full = sample.position, full_name(sample.name)
        if call_index is None or sample.name in EXCLUDED or full not in self._world.tools:
            return self._recorded.of(sample, predicted_arguments)
        self._go_to(sample.example, call_index)
        recorded = sample.arguments
        gold = self._try_call(full, recorded)
        if gold[0].refused is not None:
            return self._recorded.of(sample, predicted_arguments)
        filled_arguments = {
            key: value
            for key, value in predicted_arguments.items()
            if value is not None or key in recorded
        }
        predicted_outcome = self._try_call(full, filled_arguments)
        if predicted_outcome[0].refused is not None:
            return EXCEPTION
        is_seen = gold[0].effects or (
            self._world.tools[full].reads and gold[0].result not in _EMPTY
        )
        if not is_seen or not _same(gold, predicted_outcome):
            return WRONG_VALUE
        for key in {*filled_arguments, *recorded}:
            if (
                key in filled_arguments
                and key in recorded
                and filled_arguments[key] == recorded[key]
            ):
                continue
            for probe in _other_values(recorded.get(key, filled_arguments.get(key))):
                if _same(gold, self._try_call(full, {**recorded, key: probe})):
                    return WRONG_VALUE
        return RIGHT

    def _go_to(self, example: Example, call_index: int) -> None:
        if self._example is not example or self._done > call_index:
            self._stack.close()
            self._session = self._stack.enter_context(Session(self._world))
            self._names, self._done, self._example = Renaming(), 0, example
        for call in example.calls[self._done : call_index]:
            name = call_name(call.app, call.api)
            if name not in EXCLUDED:
                arguments = {
                    key: self._names.with_our_ids(value)
                    for key, value in _plain_arguments(call).items()
                }
                outcome = self._session.call(full_name(name), arguments)
                if call.result is not None and call.result.exception is outcome.refused is None:
                    output = rendered(call.result.output, str)
                    self._names.learn(name, output, outcome.result)
        self._done = call_index

    def _try_call(self, full: str, arguments: Mapping[str, Plain]) -> _Done:
        """Run a call and undo it; return its outcome and a digest of the state that it led to.

        The digest is empty if the call changed nothing.
        """
        with self._session.trial():
            renamed_arguments = {
                key: self._names.with_our_ids(value) for key, value in arguments.items()
            }
            outcome = self._session.call(full, renamed_arguments)
            return outcome, self._session.digest() if outcome.effects else ""


def effects_at(path: Path) -> WorldEffects:
    """Return the `WorldEffects` of a world with the databases at a path.

    The path is a folder or zip file of a user's databases, or the output folder of `world load`.

    Raises RunError if `path` does not exist or contains no database.
    """
    refuse_missing(path)
    starts = stored_starts(path) if path.is_dir() else {}
    if starts:
        return WorldEffects(world(next(iter(starts.values()))))
    with ExitStack() as stack:
        return WorldEffects(world(read_databases(list_objects([path], stack))))


def _same(outcome: _Done, other: _Done) -> bool:
    return (
        other[0].refused is None
        and outcome[1] == other[1]
        and equal_results(outcome[0].result, other[0].result)
    )


def _other_values(value: Plain) -> tuple[Plain, ...]:
    """Return other values of the type of `value`, to test whether an argument has any effect."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int | float):
        return (value + 1,)
    if isinstance(value, list):
        return ([*value, _FOREIGN],)
    if isinstance(value, dict):
        return ({**value, _FOREIGN: _FOREIGN},)
    if isinstance(value, str) and (digit := _LAST_DIGIT.search(value)):
        other = "8" if digit[0] == "9" else str(int(digit[0]) + 1)
        return (_FOREIGN, f"{value[: digit.start()]}{other}{value[digit.end() :]}")
    return (_FOREIGN,)


def _plain_arguments(call: Call) -> dict[str, Plain]:
    return {argument.name: rendered(argument.value, str) for argument in call.arguments}
