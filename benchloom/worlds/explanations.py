"""Explain the reasons why a dialogue or a candidate (a request with a plan) becomes no task."""

from collections.abc import Mapping

from benchloom.core.errors import Explanation

EXPLANATIONS: Mapping[str, Explanation] = {
    "allowed": Explanation("No rule of the policy forbids the request that has to be declined."),
    "asks": Explanation("A request that has to be declined also asks a question."),
    "bad_definition": Explanation("The schema of a service cannot be used."),
    "bad_values": Explanation("The recorded values of a service cannot be read."),
    "forbidden": Explanation("The plan breaks a rule of the policy."),
    "idle_argument": Explanation("An argument does not affect the final state."),
    "known_answer": Explanation("The user asks for a value that the request already contains."),
    "missing_definition": Explanation("A recorded call has no definition."),
    "no_answer": Explanation("No result contains the value that the user asks for."),
    "no_calls": Explanation("The plan has no calls."),
    "no_facts": Explanation("The request has no value that the user could state."),
    "no_near_tool": Explanation("No other tool that changes data of the same app can be offered."),
    "no_need": Explanation("The task is solved without any call."),
    "not_json": Explanation("The arguments of a call are not valid JSON."),
    "not_obtainable": Explanation(
        "The simulated user does not give the right answer to a plain question."
    ),
    "not_repeatable": Explanation("Two runs of the same calls end differently."),
    "other_result": Explanation("The requested value is not in the first entry of a result."),
    "plan_relates": Explanation("Nothing the user says shows which result an argument comes from."),
    "redacted": Explanation("The row contains placeholders for personal data."),
    "redundant_call": Explanation("The task ends in the same way without one of its calls."),
    "refused": Explanation("The world refuses one of the calls."),
    "several_goals": Explanation(
        "The request contains several changes; a request to decline must contain exactly one."
    ),
    "told_unasked": Explanation("The user would state a fact without being asked for it."),
    "too_deep": Explanation("Values are nested too deeply."),
    "too_long": Explanation("The task has more calls or characters than the limits allow."),
    "unclear_question": Explanation(
        "Two values of the request, or two of its changes, have the same name."
    ),
    "underivable": Explanation(
        "A value of a call is neither in the request nor in an earlier result."
    ),
    "unspeakable": Explanation("No person would say one of the values, such as code in a URL."),
    "unknown_start": Explanation("The world has no initial state of this name."),
    "unknown_tool": Explanation("The world has no tool of this name."),
}
