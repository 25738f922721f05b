"""What the figures must be under `right` where gold is changed; see `benchloom.evaluate.audit`."""

from collections.abc import Mapping

from benchloom.evaluate.benchmark import Due

_WRONG: dict[str, Due] = {"correctness": "zero", "rouge_l": "any"}
DUES: Mapping[str, Mapping[str, Due]] = {
    "argument_dropped": _WRONG,
    # One call is asked for: the first one stands, as where a model writes on behind its answer.
    "call_doubled": {"correctness": "gold", "rouge_l": "any"},
    "call_dropped": _WRONG,
    "call_renamed": _WRONG,
    # What was said before the cut can be read.
    "cut_off": {"rouge_l": "lower"},
    "extra_argument": _WRONG,
    "other_producer": _WRONG,
    # Two samples may ask for the same.
    "shuffled": {"correctness": "lower", "rouge_l": "any"},
    "value_blanked": _WRONG,
    "value_cut": _WRONG,
    "values_swapped": _WRONG,
    "wrong_type": _WRONG,
}
