"""Expected figures under `right` for changed gold; see `benchloom.evaluate.audit`."""

from collections.abc import Mapping

from benchloom.evaluate.benchmark import Due

EXACT = "exact_action"


def _of(due: Due, *names: str) -> dict[str, Due]:
    return {
        name + suffix: due for name in names for suffix in ("", "_conditional", "_unconditional")
    }


_KINDS = ("static_parameters", "previous_outputs", "need_for_input")
_VALUES = {**_of("lower", "static_parameters"), EXACT: "lower"}
_ANY = {**_of("any", *_KINDS), EXACT: "lower"}
_ZERO: dict[str, Due] = {**_of("zero", *_KINDS), "api_selection": "zero", EXACT: "zero"}
DUES: Mapping[str, Mapping[str, Due]] = {
    "argument_dropped": _ANY,
    "call_dropped": _ZERO,
    "call_renamed": _ZERO,
    "extra_argument": {EXACT: "zero"},
    "other_producer": {**_of("lower", "previous_outputs"), EXACT: "lower"},
    "shuffled": {**_ANY, "api_selection": "lower"},
    "value_blanked": _VALUES,
    "value_cut": _VALUES,
    "values_swapped": _ANY,
    "wrong_type": _VALUES,
}
