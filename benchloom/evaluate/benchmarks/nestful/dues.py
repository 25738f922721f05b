"""Expected figures under `right` for changed gold; see `benchloom.evaluate.audit`."""

from collections.abc import Mapping

from benchloom.evaluate.benchmark import Due

_CALL: dict[str, Due] = {"partial_match": "lower", "recall": "lower", "full_match": "zero"}
_RUN: dict[str, Due] = {"pass_rate": "any", "win_rate": "any"}
"""The result of a changed call depends on the tool."""
_ARGUMENTS: dict[str, Due] = {**_CALL, **_RUN, "f1_parameter": "lower"}
_CALLS: dict[str, Due] = {**_ARGUMENTS, "f1_function": "lower"}
DUES: Mapping[str, Mapping[str, Due]] = {
    "argument_dropped": _ARGUMENTS,
    "call_doubled": {**_CALLS, "recall": "gold"},
    "call_dropped": _CALLS,
    "call_renamed": _CALLS,
    "extra_argument": _ARGUMENTS,
    "other_producer": {**_CALL, **_RUN},
    "shuffled": {**_CALLS, "full_match": "lower"},
    "value_blanked": {**_CALL, **_RUN},
    "value_cut": {**_CALL, **_RUN},
    "values_swapped": {**_CALL, **_RUN},
    "wrong_type": {**_CALL, **_RUN},
}
