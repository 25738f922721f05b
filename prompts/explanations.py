"""Explain the reasons why a row has no text, or why its text was rejected."""

from collections.abc import Mapping

from benchloom.core.errors import Explanation

EXPLANATIONS: Mapping[str, Explanation] = {
    "duplicate_target": Explanation("An earlier row has the same id."),
    "no_actions": Explanation("The shortcut has no actions to ask for."),
    "no_chain": Explanation(
        "No other API uses a result of the selected API in a way that people would want.",
        "Pass --beside FOLDER with shortcuts or plans; they show which calls people combine.",
    ),
    "no_conversation": Explanation(
        "The user speaks only once, the turns of the calls are unknown, or enough tasks with rules "
        "already end with a refusal.",
        "Make tasks in which the user speaks several times: benchloom world build everyday.",
    ),
    "no_definitions": Explanation("No API definitions are available."),
    "no_query": Explanation(
        "The shortcut has no request that could state its parameters.",
        "Generate requests first: benchloom generate query.",
    ),
    "no_source": Explanation("The row that the text is about is missing."),
    "no_steps": Explanation("The plan has no steps to ask for."),
    "no_template": Explanation(
        "No template fits the actions; templates write about a few simple ones.",
        'Use a model: set writer = "llm" or model = "local" in [generate].',
    ),
    "runs_other_shortcut": Explanation(
        "The shortcut runs another shortcut, which the file does not contain."
    ),
    "too_many_actions": Explanation("The shortcut has more actions than a request can name."),
    "duplicate_line": Explanation("An earlier line has the same text about the same row."),
    "unknown_target": Explanation(
        "No row of the input has the id that the line names.", "Use ids of rows in the --in folder."
    ),
    "unknown_text": Explanation("No text of the release has the id that the answer names."),
    "bad_call_sequence": Explanation("A call in the reply does not fit the definition of its API."),
    "context_too_long": Explanation(
        "The prompt is longer than the model can read.", "Use a model with a longer context."
    ),
    "empty_reply": Explanation("The reply has no text."),
    "endpoint_failed": Explanation(
        "The endpoint failed in every attempt.", "Run again; finished work is kept."
    ),
    "grade_out_of_range": Explanation("A grade in the reply is outside the scale."),
    "invented_evidence": Explanation("The judge quotes words that are not in the text."),
    "no_result": Explanation("The conversation with the model ended without a text."),
    "not_in_log": Explanation("The completion log has no reply to the request."),
    "not_nested": Explanation("The calls in the reply do not use each other's outputs."),
    "not_planned": Explanation("The reply uses only one API, but the task needs several."),
    "reply_too_long": Explanation("The text in the reply is too long."),
    "request_not_accepted": Explanation("The endpoint refused the request."),
    "tester_refused": Explanation("The model in the tester's role did not accept the dialogue."),
    "tool_not_found": Explanation(
        "A search for the keywords of the dialogue does not find a tool that it calls."
    ),
    "truncated_reply": Explanation("The reply was cut off at the token limit."),
    "unreadable_body": Explanation("The endpoint's answer is damaged or is no chat completion."),
    "unreadable_reply": Explanation("The reply does not have the requested form."),
    "wrong_calls": Explanation("The judge did not judge every call exactly once."),
    "wrong_parameters": Explanation("The judge did not judge every parameter exactly once."),
    "wrong_turns": Explanation(
        "The reply has more or fewer turns than the task, or leaves out a value."
    ),
    "wrong_tools": Explanation("The reply chooses tools that are not on offer."),
    "asks_beyond": Explanation("A judge found that the text asks for something that no call does."),
    "known_later": Explanation(
        "A judge found that the text states a value that only a call can give."
    ),
    "misplaced_value": Explanation(
        "A judge found that the text states a value that its source does not contain."
    ),
    "note": Explanation(
        "A judge found that the text is a note to somebody other than the assistant."
    ),
    "step_list": Explanation(
        "A judge found that the text lists operations instead of the goal of a person."
    ),
    "two_requests": Explanation("A judge found that the text contains two requests."),
    "values_dumped": Explanation(
        "A judge found that the text lists values without saying what they are."
    ),
    "dropped_by_rules": Explanation("A check dropped the text, so no model judges it."),
    "unknown_form": Explanation(
        "The endpoint's answer does not have the form of a chat completion."
    ),
}
