"""Expected figures under `right` for changed gold; see `benchloom.evaluate.audit`."""

from collections.abc import Mapping

from benchloom.evaluate.benchmark import Due

_WRONG: dict[str, Due] = {"correctness": "zero", "rouge_l": "any"}
_MOSTLY: dict[str, Due] = {"correctness": "lower", "rouge_l": "any"}
"""Different notations may be equal: `2` and `"2"`, `1.0` and its first character."""
DUES: Mapping[str, Mapping[str, Due]] = {
    "argument_dropped": _WRONG,
    # One call is expected: only the first counts, because models often write on after it.
    "call_doubled": {"correctness": "gold", "rouge_l": "any"},
    "call_dropped": _WRONG,
    "call_renamed": _WRONG,
    # What was said before the cut can be read.
    "cut_off": {"rouge_l": "lower"},
    "extra_argument": _WRONG,
    # What the other call gave may be the same.
    "other_producer": {"correctness": "any", "rouge_l": "any"},
    # Two samples may ask for the same.
    "shuffled": {"correctness": "lower", "rouge_l": "any"},
    "value_blanked": _WRONG,
    "value_cut": _MOSTLY,
    "values_swapped": _MOSTLY,
    "wrong_type": _WRONG,
}
DUES_IN_WORLD: Mapping[str, Mapping[str, Due]] = {
    **DUES,
    # A call may have the same effect without an argument that only repeats which row is meant.
    "argument_dropped": _MOSTLY,
    "value_blanked": _MOSTLY,
}
"""The same with a running world."""
