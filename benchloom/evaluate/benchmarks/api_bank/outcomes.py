"""The outcomes of a predicted call, and the six classes of errors that metrics count.

A wrong call counts in the first class that applies, so the sum of the classes is `errors`. The last
class contains every call that can be made but has another effect than the recorded call; outcomes
distinguish the reasons.
"""

from collections.abc import Sequence

from benchloom.evaluate.benchmark import RIGHT, UNPARSEABLE
from benchloom.evaluate.statistics.metrics import Metric, Ratio

NO_CALL = "no_call"
WRONG_NAME = "wrong_name"
UNKNOWN_PARAMETER = "unknown_parameter"
MISSING_ARGUMENT = "missing_argument"
EXCEPTION = "exception"
WRONG_VALUE = "wrong_value"
WRONG_RESULT = "wrong_result"
KEY_ERROR = "key_error"
RESPONSE = "response"
OUTCOMES = {
    RIGHT: "the call equals the recorded call, or the response has the recorded words",
    NO_CALL: "the output contains no call",
    UNPARSEABLE: "a call begins but cannot be read, or a response is not a text",
    WRONG_NAME: "another API is called",
    UNKNOWN_PARAMETER: "an argument has a name that the API does not know",
    MISSING_ARGUMENT: "an argument of the recorded call is missing",
    EXCEPTION: "the call raises an exception",
    WRONG_VALUE: "an argument has another value, or is not in the recorded call",
    WRONG_RESULT: "the result differs from the recorded result (rule set `published`)",
    KEY_ERROR: "the comparison of the results raises an exception (rule set `published`)",
    RESPONSE: "the response has other words than the recorded one; ROUGE-L measures the similarity",
}
CLASSES = {
    NO_CALL: "the output contains no call",
    UNPARSEABLE: "a call begins but cannot be read",
    WRONG_NAME: "another API is called",
    UNKNOWN_PARAMETER: "an argument has a name that the API does not know",
    MISSING_ARGUMENT: "an argument of the recorded call is missing",
    EXCEPTION: "the call raises an exception, or its effect differs from the recorded call's",
}
_CLASS_OF = {WRONG_VALUE: EXCEPTION, WRONG_RESULT: EXCEPTION, KEY_ERROR: EXCEPTION}


def counts_of(outcome: str, times: int = 1) -> dict[str, float]:
    """Return what a call with this outcome adds to each count, multiplied by `times`."""
    counts: dict[str, float] = {"calls": times}
    if outcome == RIGHT:
        counts["right"] = times
    else:
        counts["errors"] = times
        counts[_CLASS_OF.get(outcome, outcome)] = times
    return counts


def figures() -> Sequence[Metric]:
    """Return API-Bank's metrics in the order in which result tables show them."""
    return (
        Ratio("correctness", "share of calls that are right", {"right": 1}, {"calls": 1}),
        Ratio("rouge_l", "mean ROUGE-L of the responses", {"rouge_l": 1}, {"responses": 1}),
        Ratio("errors", "share of calls that are wrong", {"errors": 1}, {"calls": 1}, gold=0),
        *(
            Ratio(
                f"errors_{name}",
                f"share of calls for which {title}",
                {name: 1},
                {"calls": 1},
                gold=0,
            )
            for name, title in CLASSES.items()
        ),
    )
