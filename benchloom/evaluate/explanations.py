"""Reasons why a prediction is wrong or counted differently; benchmarks define outcomes."""

from collections.abc import Mapping

from benchloom.core.errors import Explanation

EXPLANATIONS: Mapping[str, Explanation] = {
    "blank_value": Explanation("A value is an empty text where gold has words."),
    "compared_key": Explanation("The published scorer compares a key that the result lacks."),
    "contradiction": Explanation("An argument has two values that exclude each other."),
    "counted_twice": Explanation("The published scorer counts a call that follows another twice."),
    "extra_argument": Explanation("A call has an argument that the call of gold does not have."),
    "extra_call": Explanation("The prediction has a call that gold does not have."),
    "extra_parameter": Explanation("A parameter is set that the action of gold does not have."),
    "extra_reference": Explanation("A parameter refers to more results than that of gold."),
    "extra_value": Explanation("A parameter has words where gold has none."),
    "failed_call": Explanation("A call of the prediction fails when it is run."),
    "fresh_database": Explanation(
        "The published scorer runs the call on an empty database, where it fails."
    ),
    "further_calls": Explanation("The output has more calls than the one that is scored."),
    "letter_case": Explanation("The recorded result has other capital letters than the tool's."),
    "list_as_text": Explanation("A list is written as a text."),
    "literal_for_reference": Explanation("A call has a value where gold has a call's result."),
    "missing_argument": Explanation("A call lacks an argument of the call of gold."),
    "missing_call": Explanation("A call of gold is missing."),
    "needs_network": Explanation("The published tool asks the network, and fails without it."),
    "no_answer": Explanation("The world ends as it should, and the user does not get the answer."),
    "no_json": Explanation("The output has no JSON list or object."),
    "no_producer": Explanation("An argument refers to a call that is not there."),
    "not_a_number": Explanation("A value is not a number where gold has one."),
    "not_counted": Explanation("The published scorer leaves out a sample without a prediction."),
    "open_list": Explanation("The text ends inside a list of calls."),
    "other_structure": Explanation("Each call is right, and takes results from the wrong one."),
    "popped_keys": Explanation("The published scorer removes keys that it then compares."),
    "reference_for_literal": Explanation("A call has a call's result where gold has a value."),
    "renamed_parameter": Explanation("The published tool has another name for the parameter."),
    "repeated_argument": Explanation("A call has an argument twice."),
    "same_effect": Explanation("The call differs from gold, and has the same effect in the world."),
    "too_many_calls": Explanation("The output has more calls than are read."),
    "undecided": Explanation("Too many calls are alike to be matched with gold."),
    "unknown_function": Explanation("The prediction calls a function that is not on offer."),
    "unknown_parameter": Explanation("A call has an argument that its API does not know."),
    "unreadable": Explanation("No calls can be read from the output."),
    "unwanted": Explanation("The output has JSON, but not of the form that is asked for."),
    "wrong_answer": Explanation("The result of the calls is not the answer of gold."),
    "wrong_name": Explanation("Another API is called than in gold."),
    "wrong_output": Explanation("The right call's result is used, but not the right part of it."),
    "wrong_producer": Explanation("An argument refers to another call's result than in gold."),
    "wrong_reference": Explanation("An argument refers to another result than in gold."),
    "wrong_state": Explanation("The world does not end as it should."),
    "wrong_value": Explanation("An argument has another value than in gold."),
}
