"""Explanations of the kinds of findings, which are faults that scorers find in predictions.

The outcomes of samples are explained by the benchmarks that define them.
"""

from collections.abc import Mapping

from benchloom.core.errors import Explanation

EXPLANATIONS: Mapping[str, Explanation] = {
    "blank_value": Explanation("A value is an empty text, but gold has words."),
    "compared_key": Explanation("The published scorer compares a key that the result lacks."),
    "contradiction": Explanation("An argument has two values that exclude each other."),
    "counted_twice": Explanation(
        "The published scorer counts a call twice if it directly follows another call."
    ),
    "extra_argument": Explanation("A call has an argument that the gold call does not have."),
    "extra_call": Explanation("The prediction has a call that gold does not have."),
    "extra_parameter": Explanation("The action has a parameter that the gold action lacks."),
    "extra_reference": Explanation(
        "A parameter refers to more results than the parameter of gold."
    ),
    "extra_value": Explanation("A parameter has words, but the parameter of gold has none."),
    "failed_call": Explanation("A call of the prediction fails when it is run."),
    "fresh_database": Explanation(
        "The published scorer runs the call without the changes of earlier calls, so it fails."
    ),
    "further_calls": Explanation(
        "The output has further calls after the first call, which is the only one that is scored."
    ),
    "letter_case": Explanation("The recorded and the returned result differ in letter case."),
    "list_as_text": Explanation("A list is written as a text."),
    "literal_for_reference": Explanation(
        "An argument is a literal value, but in gold it is the result of a call."
    ),
    "missing_argument": Explanation("A call does not have an argument that the gold call has."),
    "missing_call": Explanation("The prediction does not have a call that gold has."),
    "needs_network": Explanation("The published tool needs a network and fails without it."),
    "no_answer": Explanation("The final state is right, but the user gets no answer."),
    "no_json": Explanation("The output has no JSON list or object."),
    "no_producer": Explanation("An argument refers to a call that does not exist."),
    "not_a_number": Explanation("A value is not a number, but the value of gold is one."),
    "not_counted": Explanation("The published scorer leaves out a sample without a prediction."),
    "open_list": Explanation("The text ends inside a list of calls."),
    "other_structure": Explanation(
        "Every call has the right values, but some use the results of wrong calls."
    ),
    "popped_keys": Explanation(
        "The published scorer removes keys from the result, and then fails to compare them."
    ),
    "reference_for_literal": Explanation(
        "An argument is the result of a call, but in gold it is a literal value."
    ),
    "renamed_parameter": Explanation("The published tool uses another name for the parameter."),
    "repeated_argument": Explanation("A call has the same argument twice."),
    "same_effect": Explanation("The call differs from gold but has the same effect in the world."),
    "too_many_calls": Explanation("The output has more calls than the scorer reads."),
    "undecided": Explanation("Too many calls are alike, so they cannot be matched with gold."),
    "unknown_function": Explanation("The prediction calls a function that is not available."),
    "unknown_parameter": Explanation("A call has an argument that its API does not declare."),
    "unreadable": Explanation("No calls can be read from the output."),
    "unwanted": Explanation("The output has JSON, but not in the requested form."),
    "wrong_answer": Explanation("The result of the calls differs from the recorded answer."),
    "wrong_name": Explanation("The called API differs from gold."),
    "wrong_output": Explanation("A reference selects the wrong part of the right result."),
    "wrong_producer": Explanation("An argument refers to another call than the argument of gold."),
    "wrong_reference": Explanation(
        "An argument refers to another result than the argument of gold."
    ),
    "wrong_state": Explanation("The final state of the world is wrong."),
    "wrong_value": Explanation("The value of an argument differs from gold."),
}
