"""Hand-made readable shortcuts with oddities of real files, one shortcut for each flag."""

from collections.abc import Callable

from demo.drafts import Draft, attachment, text, token

FLAGS = {
    "dangling_reference": "points at an output nobody makes",
    "forward_reference": "points at an output made later",
    "duplicate_uuid": "two actions with the same id",
    "range_without_placeholder": "an attachment that stands at an ordinary letter",
    "attachment_without_value": "an attachment without its value",
    "missing_control_mode": "a control action without a mode",
    "control_mode_as_text": "a mode written as text",
    "bad_control_mode": "a mode nobody knows",
    "missing_group": "a control action without a group",
    "unmatched_control": "the end of a block that was never opened",
    "crossing_blocks": "an end that crosses an inner block",
    "unclosed_block": "a block that never ends",
    "group_reused": "a group id used for two blocks",
    "group_on_other_action": "a group id on an ordinary action",
    "malformed_action": "an action that is a text",
    "missing_identifier": "an action without identifier",
    "malformed_parameters": "parameters that are a list",
    "import_question_out_of_range": "a question about an action that is not there",
    "malformed_import_question": "a question that is a text",
}
"""Every flag that the actions of a shortcut can cause, with a description of its sample."""


def odd_shortcuts() -> dict[str, Draft]:
    """Return a shortcut for each flag."""
    return {flag: _odd(flag) for flag in FLAGS}


def _odd(flag: str) -> Draft:
    draft = Draft(f"Odd: {flag}")
    output_token = draft.add("gettext", WFTextActionText=f"This one {FLAGS[flag]}.")
    _ADD[flag](draft, output_token)
    draft.add("showresult", Text=text("Result: ", output_token))
    return draft


def _reference(draft: Draft, output_uuid: str) -> None:
    output_token = token("ActionOutput", OutputUUID=output_uuid, OutputName="Elsewhere")
    draft.add("setclipboard", WFInput=attachment(output_token))


def _forward(draft: Draft, _made: dict[str, object]) -> None:
    later = Draft(draft.title, _ids=draft._ids + 1).new_id()
    _reference(draft, later)


def _duplicate(draft: Draft, output_token: dict[str, object]) -> None:
    draft.raw(
        "is.workflow.actions.gettext",
        {"WFTextActionText": "again", "UUID": output_token["OutputUUID"]},
    )


def _range(draft: Draft, output_token: dict[str, object]) -> None:
    value = {"string": "no gap here", "attachmentsByRange": {"{3, 1}": output_token}}
    draft.add(
        "alert", WFAlertActionMessage={"Value": value, "WFSerializationType": "WFTextTokenString"}
    )


def _block(draft: Draft, *modes: object, group: str | None = None) -> str:
    group_id = group or draft.new_id()
    for mode in modes:
        extra = {} if mode is None else {"WFControlFlowMode": mode}
        draft.raw("is.workflow.actions.conditional", {"GroupingIdentifier": group_id, **extra})
    return group_id


def _crossing(draft: Draft, _made: dict[str, object]) -> None:
    outer = _block(draft, 0)
    inner = _block(draft, 0)
    draft.add("vibrate")
    _block(draft, 2, group=outer)
    _block(draft, 2, group=inner)


def _reused(draft: Draft, _made: dict[str, object]) -> None:
    group = _block(draft, 0, 2)
    _block(draft, 0, 2, group=group)


def _question(draft: Draft, question: object) -> None:
    draft.root["WFWorkflowImportQuestions"] = [question]


_ADD: dict[str, Callable[[Draft, dict[str, object]], object]] = {
    "dangling_reference": lambda d, _m: _reference(d, "0C0FFEE0-0000-4000-8000-000000000000"),
    "forward_reference": _forward,
    "duplicate_uuid": _duplicate,
    "range_without_placeholder": _range,
    "attachment_without_value": lambda d, _m: d.add(
        "setclipboard", WFInput={"WFSerializationType": "WFTextTokenAttachment"}
    ),
    "missing_control_mode": lambda d, _m: _block(d, None, 2),
    "control_mode_as_text": lambda d, _m: _block(d, "0", "2"),
    "bad_control_mode": lambda d, _m: _block(d, 7, 2),
    "missing_group": lambda d, _m: d.raw(
        "is.workflow.actions.conditional", {"WFControlFlowMode": 0}
    ),
    "unmatched_control": lambda d, _m: _block(d, 2),
    "crossing_blocks": _crossing,
    "unclosed_block": lambda d, _m: _block(d, 0),
    "group_reused": _reused,
    "group_on_other_action": lambda d, _m: d.add("vibrate", GroupingIdentifier="left over"),
    "malformed_action": lambda d, _m: d.actions.append("not an action"),
    "missing_identifier": lambda d, _m: d.raw(None, {"Text": "nobody"}),
    "malformed_parameters": lambda d, _m: d.raw("is.workflow.actions.vibrate", ["not", "a", "map"]),
    "import_question_out_of_range": lambda d, _m: _question(
        d, {"ActionIndex": 99, "ParameterKey": "Text", "Text": "Which?"}
    ),
    "malformed_import_question": lambda d, _m: _question(d, "Which?"),
}
