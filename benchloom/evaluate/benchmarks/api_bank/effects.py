"""What a call with other arguments does: as far as recorded results tell it.

Here a running world is asked once there is one: it replays the calls before the one that is judged,
makes the call, and tells whether it raised, or did and gave back what the recorded call did. Until
then an equal call elsewhere in the same dialogue answers in its place.
"""

from collections.abc import Mapping

from benchloom.evaluate.benchmarks.api_bank.gold import Asked
from benchloom.evaluate.benchmarks.api_bank.outcomes import EXCEPTION
from benchloom.evaluate.benchmarks.api_bank.values import equal
from benchloom.foreign.specifications import call_name
from benchloom.records.values import Plain, rendered

MOST_COMPARED = 200
"""Calls of a dialogue that are looked at."""


def effect_of(asked: Asked, given: Mapping[str, Plain]) -> str:
    """The outcome of a call that differs from the recorded one; empty where nothing tells it.

    An equal call of the dialogue that raised makes it an exception. That an equal call gave back
    the same result proves nothing: two alarms are set with the same answer.
    """
    for call in asked.example.calls[:MOST_COMPARED]:
        if call.result is None or call.result.exception is None:
            continue
        recorded = {one.name: rendered(one.value, str) for one in call.arguments}
        if (
            call_name(call.app, call.api) == asked.name
            and recorded.keys() == given.keys()
            and all(equal(given[name], value) for name, value in recorded.items())
        ):
            return EXCEPTION
    return ""
