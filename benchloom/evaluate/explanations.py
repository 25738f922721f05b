"""Reasons why a prediction is wrong or counted differently; benchmarks define their outcomes."""

from collections.abc import Mapping

from benchloom.core.errors import Explanation

EXPLANATIONS: Mapping[str, Explanation] = {
    "blank_value": Explanation("A value is an empty text where gold has words."),
    "compared_key": Explanation("The published scorer compares a key that the result lacks."),
    "contradiction": Explanation("An argument has two values that exclude each other."),
    "counted_twice": Explanation("The published scorer counts a call after another call twice."),
    "extra_argument": Explanation("A call has an argument that the gold call does not have."),
    "extra_call": Explanation("The prediction has a call that gold does not have."),
    "extra_parameter": Explanation("The action has a parameter that the gold action lacks."),
    "extra_reference": Explanation("A parameter refers to more results than in gold."),
    "extra_value": Explanation("A parameter has words where gold has none."),
    "failed_call": Explanation("A call of the prediction fails when it is run."),
    "fresh_database": Explanation(
        "The published scorer runs the call on an empty database, where it fails."
    ),
    "further_calls": Explanation("The output has calls after the call that is scored."),
    "letter_case": Explanation("The recorded and the returned result differ in letter case."),
    "list_as_text": Explanation("A list is written as a text."),
    "literal_for_reference": Explanation("A call has a literal; gold has the result of a call."),
    "missing_argument": Explanation("A call lacks an argument of the gold call."),
    "missing_call": Explanation("A gold call is missing."),
    "needs_network": Explanation("The published tool needs a network and fails without it."),
    "no_answer": Explanation("The final state is right, but the user gets no answer."),
    "no_json": Explanation("The output has no JSON list or object."),
    "no_producer": Explanation("An argument refers to a call that does not exist."),
    "not_a_number": Explanation("A value is not a number; gold has a number."),
    "not_counted": Explanation("The published scorer leaves out a sample without a prediction."),
    "open_list": Explanation("The text ends inside a list of calls."),
    "other_structure": Explanation("Each call is right, but uses results of wrong calls."),
    "popped_keys": Explanation("The published scorer removes keys that it then compares."),
    "reference_for_literal": Explanation("A call has the result of a call; gold has a literal."),
    "renamed_parameter": Explanation("The published tool uses another name for the parameter."),
    "repeated_argument": Explanation("A call has the same argument twice."),
    "same_effect": Explanation("The call differs from gold but has the same effect in the world."),
    "too_many_calls": Explanation("The output exceeds the limit for calls."),
    "undecided": Explanation("Too many calls are alike, so they cannot be matched with gold."),
    "unknown_function": Explanation("The prediction calls a function that is not available."),
    "unknown_parameter": Explanation("A call has an argument that its API does not declare."),
    "unreadable": Explanation("No calls can be read from the output."),
    "unwanted": Explanation("The output has JSON, but not in the requested form."),
    "wrong_answer": Explanation("The result of the calls differs from the answer of gold."),
    "wrong_name": Explanation("The called API differs from gold."),
    "wrong_output": Explanation("A reference selects the wrong part of the right result."),
    "wrong_producer": Explanation("An argument refers to a call other than in gold."),
    "wrong_reference": Explanation("An argument refers to a result other than in gold."),
    "wrong_state": Explanation("The final state of the world is wrong."),
    "wrong_value": Explanation("The value of an argument differs from gold."),
}
