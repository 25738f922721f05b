"""Reasons why a dialogue or candidate became no task."""

from collections.abc import Mapping

from benchloom.core.errors import Explanation

EXPLANATIONS: Mapping[str, Explanation] = {
    "allowed": Explanation("No rule of the policy forbids what has to be declined."),
    "asks": Explanation("A request that has to be declined also asks a question."),
    "bad_definition": Explanation("The schema of a service cannot be used."),
    "bad_values": Explanation("The recorded values of a service cannot be read."),
    "forbidden": Explanation("The plan breaks a rule of the policy."),
    "idle_argument": Explanation("An argument makes no difference to the end."),
    "known_answer": Explanation("The user asks for a value that the user tells."),
    "missing_definition": Explanation("A recorded call has no definition."),
    "no_answer": Explanation("No result contains what the user asks for."),
    "no_calls": Explanation("The plan has no calls."),
    "no_facts": Explanation("The user of the dialogue has nothing to tell."),
    "no_near_tool": Explanation("No tool that changes things in the same app can be offered."),
    "no_need": Explanation("The task is solved before anything is called."),
    "not_json": Explanation("The arguments of a call are no JSON."),
    "not_obtainable": Explanation("A plain question to the user does not bring its fact."),
    "not_repeatable": Explanation("Two runs of the same calls end differently."),
    "other_result": Explanation("The answer is in a result other than the first."),
    "plan_relates": Explanation("Only the plan relates a result to an argument."),
    "redacted": Explanation("The row contains placeholders for personal data."),
    "redundant_call": Explanation("The task ends in the same way without one of its calls."),
    "refused": Explanation("The world refuses one of the calls."),
    "several_goals": Explanation("What no tool can do is only a part of the request."),
    "told_unasked": Explanation("The user would tell something that was not asked for."),
    "too_deep": Explanation("Values are nested too deeply."),
    "too_long": Explanation("The task has more calls or words than are proved."),
    "unclear_question": Explanation("Two facts or two things to do share a name."),
    "underivable": Explanation(
        "A value of a call is neither in the request nor in an earlier result."
    ),
    "unspeakable": Explanation("A value is one that no person would say, such as code in a URL."),
    "unknown_start": Explanation("The world has no such start."),
    "unknown_tool": Explanation("The world has no tool of that name."),
}
