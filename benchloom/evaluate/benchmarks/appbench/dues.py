"""Expected figures under `right` for changed gold; see `benchloom.evaluate.audit`."""

from collections.abc import Mapping

from benchloom.evaluate.benchmark import Due

_WRONG: dict[str, Due] = {"success": "zero"}
_OTHER_CALLS: dict[str, Due] = {
    "success": "zero",
    "f1_app": "lower",
    "f1_api": "lower",
    "em_app": "zero",
    "em_api": "zero",
}
DUES: Mapping[str, Mapping[str, Due]] = {
    "argument_dropped": _WRONG,
    "call_doubled": _OTHER_CALLS,
    "call_dropped": _OTHER_CALLS,
    "call_renamed": {"success": "zero", "f1_api": "lower", "em_api": "zero"},
    # The lines of apps before the cut can be read.
    "cut_off": {"f1_app": "lower", "f1_api": "lower"},
    "extra_argument": _WRONG,
    "other_producer": _WRONG,
    # Two samples may ask for the same.
    "shuffled": dict.fromkeys(("success", "f1_app", "f1_api", "em_app", "em_api"), "lower"),
    "value_blanked": _WRONG,
    "value_cut": _WRONG,
    "values_swapped": _WRONG,
    "wrong_type": _WRONG,
}
