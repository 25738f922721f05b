"""Reasons why a line or record of another set became no example."""

from collections.abc import Mapping

from benchloom.core.errors import Explanation

EXPLANATIONS: Mapping[str, Explanation] = {
    "bad_csv": Explanation("The file is damaged CSV."),
    "bad_json": Explanation("The line or one of its texts is damaged JSON."),
    "bad_literal": Explanation("A text is neither JSON nor a value of Python."),
    "bad_source": Explanation("The source of a tool is no Python."),
    "bad_text": Explanation("A text has half a character."),
    "no_argument": Explanation("A call has an argument without a name."),
    "no_call": Explanation("There is no call where one has to be."),
    "no_calls": Explanation("The record has no calls."),
    "no_definition": Explanation("Nothing describes the API that is called."),
    "no_description": Explanation("The source of a tool says nothing about it."),
    "no_name": Explanation("A tool has no name."),
    "no_value": Explanation("A call has no value that can be read without running code."),
    "not_utf8": Explanation("The file is not encoded as UTF-8."),
    "open_call": Explanation("A call has no end."),
    "open_text": Explanation("A text in quotes has no end."),
    "open_value": Explanation("A list or object has no end."),
    "other_definition": Explanation("An earlier line defines the API differently."),
    "other_version": Explanation("The line is of another version of the format."),
    "too_deep": Explanation("Values are nested too deeply."),
    "too_large": Explanation("A text or call is larger than is read."),
    "wrong_shape": Explanation("The record does not have the fields of its format."),
    "empty_query": Explanation("The request of the example is empty."),
    "repeated_id": Explanation("Another example has the same id and says something else."),
    "repeated_tool": Explanation("A tool is declared twice."),
    "duplicate": Explanation("Another example is the same."),
    "unreachable_step": Explanation("The answer refers to a call that is not there."),
    "undeclared_output": Explanation(
        "The answer refers to an output that its call does not declare."
    ),
    "any_call": Explanation("Any call is right for the row, so there is none to import."),
    "damaged_call": Explanation("A call is damaged, or something follows it."),
    "repeated_label": Explanation("A label of an output is given twice."),
    "undefined_label": Explanation("A label is used that no call defines."),
    "result_text_differs": Explanation("The text of a result differs from its values."),
    "runs_on_code": Explanation("The row is played on code that is not in the file."),
    "stray_result": Explanation("A result has no call that waits for it."),
    "unexpected_shape": Explanation("A part of the record has another shape than its format says."),
    "unknown_category": Explanation("The category is none of those of the format."),
    "unknown_role": Explanation("A message has a role that the format does not have."),
    "wrong_category": Explanation("The category of the record does not fit its calls."),
}
