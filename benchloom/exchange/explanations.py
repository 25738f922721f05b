"""Explanations of the reasons why a record of an external dataset is rejected or has a fault."""

from collections.abc import Mapping

from benchloom.core.errors import Explanation

EXPLANATIONS: Mapping[str, Explanation] = {
    "bad_csv": Explanation("The file is damaged CSV."),
    "bad_json": Explanation("The line or one of its texts is damaged JSON."),
    "bad_literal": Explanation("A text is neither JSON nor a Python literal."),
    "bad_source": Explanation("The source of a tool is not valid Python."),
    "bad_text": Explanation("A text contains half a character (a lone surrogate)."),
    "no_argument": Explanation("A call has an argument without a name."),
    "no_call": Explanation("A text that should contain a call does not begin with one."),
    "no_calls": Explanation("The record has no calls."),
    "no_definition": Explanation("The called API has no definition."),
    "no_description": Explanation("The source of a tool contains no description."),
    "no_name": Explanation("A tool has no name."),
    "no_value": Explanation("A value of a call cannot be read without running code."),
    "not_utf8": Explanation("The file is not encoded as UTF-8."),
    "open_call": Explanation("A call is not closed."),
    "open_text": Explanation("A quoted text is not closed."),
    "open_value": Explanation("A list or object is not closed."),
    "other_definition": Explanation("An earlier line contains another definition of the same API."),
    "other_version": Explanation("The line has another version of the format."),
    "too_deep": Explanation("Values are nested too deeply."),
    "too_large": Explanation("A record, text or call exceeds the size limit."),
    "wrong_shape": Explanation("The record does not have the fields of its format."),
    "empty_query": Explanation("The request of the example is empty."),
    "repeated_id": Explanation("Another example has the same id and different content."),
    "repeated_tool": Explanation("A tool is declared twice."),
    "duplicate": Explanation("An earlier example has the same calls and request."),
    "unreachable_step": Explanation("The answer refers to a call that does not exist."),
    "undeclared_output": Explanation(
        "The answer refers to an output that its call does not declare."
    ),
    "any_call": Explanation("Any call is right for the row, so no specific call can be imported."),
    "damaged_call": Explanation("A call is damaged, or text follows it."),
    "repeated_label": Explanation("Two outputs have the same label."),
    "undefined_label": Explanation("A reference uses a label that no call defines."),
    "result_text_differs": Explanation("The text of a result differs from its values."),
    "runs_on_code": Explanation("The row requires code that is not in the file."),
    "stray_result": Explanation("A result has no call before it."),
    "unexpected_shape": Explanation("A part of the record does not match its format."),
    "unknown_category": Explanation("The format does not have this category."),
    "unknown_role": Explanation("A message has a role that the format does not have."),
    "wrong_category": Explanation("The category of the record does not fit its calls."),
}
