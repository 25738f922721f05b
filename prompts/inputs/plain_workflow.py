"""Rewrite the text of a workflow for prompts, with plain names instead of technical ones.

The parser's text shows every argument under its name in the file. A model that writes requests
needs the meaning instead. So parameters get their plain names, and APIs without a filled summary
get their titles. Arguments that people would never mention (switches, serialisation, separators)
are left out, comments are in another part of the prompt, and long literals are cut.
"""

import re
from collections.abc import Mapping, Sequence

import msgspec

from benchloom.core.built_in_actions import COMMENT, SYSTEM_PREFIX
from prompts.data_block import clean_text
from prompts.language.actions import action_words
from prompts.language.value_texts.decisions import Decision
from prompts.language.value_texts.labels import MAX_LABEL, ApiFacts
from prompts.language.value_texts.literals import ActionRow, ArgumentRow
from prompts.language.words import title_words

_RESULT = re.compile(r"\[result of step (\d{1,5}): (?:([a-z][\w.]*)(?=[\].]))?")
"""Matches a reference to a result. The second group is the identifier of the action, if the result
has no name."""
_PRODUCER = re.compile(r"\(of step (\d{1,5})\)")
_COERCED = re.compile(r"\.as\(\w{1,80}\)")
_NEEDS_INPUT = re.compile(r"\[needs input: (\w+)")
_BOX = re.compile(r"(?<=: )\{(?:[^{}]|\{[^{}]{0,400}\}){0,400}\}")
_BOXED = re.compile(r"\b(?:BundleIdentifier|Identifier|WF[A-Z]\w{1,60}|fileLocation): ")
_BOX_NAME = re.compile(
    r'\b(?:Name|displayName|DisplayString|WFNSUnitSymbol): ("(?:[^"\\]|\\.){1,80}")'
)
_RUNTIME_WORDS = {
    "Ask": "asked each time",
    "Clipboard": "what is on the clipboard",
    "CurrentDate": "the current date",
    "DeviceDetails": "details of this device",
    "ExtensionInput": "what is shared with it",
}

LEFT_OUT = frozenset({"switch", "interface", "technical", "identifier", "empty", "redacted"})
"""An argument is left out of the prompt if one of these is the reason why nobody mentions it."""
_TECHNICAL = frozenset({"technical", "identifier"})
LONGEST_LINE = 600
_LONG = re.compile(r'"((?:[^"\\]|\\.){160})(?:[^"\\]|\\.)*"')
_EMPTY = re.compile(r"\s*(\{\s*\}|\(\s*\))")


def plain_lines(
    actions: Sequence[ActionRow],
    workflow: str,
    decisions: Sequence[Decision],
    definitions: Mapping[str, ApiFacts],
) -> tuple[tuple[ActionRow, str], ...]:
    """Return each action except comments, with its line of the workflow in plain names."""
    decision_by_argument: dict[tuple[int, str], Decision] = {}
    for decision in decisions:
        decision_by_argument.setdefault((decision.action_index, decision.parameter), decision)
    visible_lines = [
        (number, action, line)
        for number, (action, line) in enumerate(zip(actions, workflow.split("\n"), strict=False), 1)
        if action.identifier != COMMENT
    ]
    line_numbers = {
        number: line_number for line_number, (number, _, _) in enumerate(visible_lines, 1)
    }
    titles = {
        number: _title(action, definitions)
        for number, action, _ in visible_lines
        if action.control is None
    }
    return tuple(
        (
            action,
            plain_references(
                _line(action, line, decision_by_argument, definitions), line_numbers, titles
            ),
        )
        for _, action, line in visible_lines
    )


def _title(action: ActionRow, definitions: Mapping[str, ApiFacts]) -> str:
    facts = definitions.get(action.identifier)
    return (facts.title if facts is not None else "") or action_words(action.identifier)


def _line(
    action: ActionRow,
    line: str,
    decision_by_argument: Mapping[tuple[int, str], Decision],
    definitions: Mapping[str, ApiFacts],
) -> str:
    bare = line.lstrip()
    indent, rest = line[: len(line) - len(bare)], bare
    name = action.identifier.removeprefix(SYSTEM_PREFIX)
    facts = definitions.get(action.identifier)
    if rest.startswith(f"{name}("):
        rest = f"{_title(action, definitions)}{rest[len(name) :]}"
    text = _with_names(rest, action, decision_by_argument, facts, LEFT_OUT)
    if action.arguments and _EMPTY.search(text):
        # Only the technical text shows what the action does: `Text` alone says nothing.
        text = _with_names(rest, action, decision_by_argument, facts, LEFT_OUT - _TECHNICAL)
    rest = _EMPTY.sub("", text)
    return indent + clean_text(_LONG.sub(r'"\1..."', rest), LONGEST_LINE)


def _with_names(
    line: str,
    action: ActionRow,
    decision_by_argument: Mapping[tuple[int, str], Decision],
    facts: ApiFacts | None,
    left_out: frozenset[str],
) -> str:
    for argument in action.arguments:
        decision = decision_by_argument.get((action.index, argument.name))
        line = _with_plain_name(line, argument, decision, facts, left_out)
    # Defaults that the app fills in belong to no argument.
    for name in facts.parameters if facts is not None else ():
        if name.startswith("WF") and f"{name}: " in line:
            line = line.replace(f"{name}: ", f"{_label(name, None, facts)}: ")
    return line


def _with_plain_name(
    line: str,
    argument: ArgumentRow,
    decision: Decision | None,
    facts: ApiFacts | None,
    left_out_reasons: frozenset[str],
) -> str:
    """Return a line in which one argument has its plain name, or is removed."""
    left_out = (
        decision is not None and decision.say == "never" and decision.reason in left_out_reasons
    )
    # Early files name the app to open only by its identifier; the method shows a sent request.
    left_out = left_out and not argument.name.endswith(("AppIdentifier", "WFHTTPMethod"))
    for sign in (": ", "="):
        start = f"{argument.name}{sign}"
        if start not in line:
            continue
        if left_out:
            for whole in (f"{start}{argument.value}", f"{start}{_of_text(argument.value)}"):
                for piece in (f", {whole}", f"{whole}, ", whole):
                    if piece in line:
                        return line.replace(piece, "", 1)
        return line.replace(start, f"{_label(argument.name, decision, facts)}: ", 1)
    return line


def _of_text(value: str) -> str:
    """Return the text inside a JSON object that the parser shows for a text, or else `value`."""
    if not value.startswith("{"):
        return value
    decoded = msgspec.json.decode(value)
    inner = decoded.get("Value")
    text = inner.get("string") if isinstance(inner, dict) else None
    return msgspec.json.encode(text).decode() if isinstance(text, str) else value


def _label(name: str, decision: Decision | None, facts: ApiFacts | None) -> str:
    if name.endswith("ContentItemFilter"):
        return "filter"  # its decisions go by what each of its rows compares
    if decision is not None and decision.label:
        return decision.label.partition(" (")[0]
    parameter = facts.parameters.get(name) if facts is not None else None
    words = title_words(name.removeprefix("WF"))[:MAX_LABEL]
    return (parameter.title.lower() if parameter else "") or words


# The parser counts every action, comments too, and uses the names in files. A writer sees lines
# without comments, and must be able to follow a reference to its line.
def plain_references(line: str, line_numbers: Mapping[int, int], titles: Mapping[int, str]) -> str:
    """Rewrite the references in a line, so that they name visible lines and their actions' titles.

    `line_numbers` and `titles` map each action, by the parser's number, to its visible line and its
    title. A reference to the result of an action that is not shown gets no number.
    """

    def result(match: re.Match[str]) -> str:
        number, name = int(match[1]), match[2] or ""
        if number not in line_numbers:
            return f"[result: {name}"
        return f"[result of line {line_numbers[number]}: {name and titles.get(number, name)}"

    def producer(match: re.Match[str]) -> str:
        line_number = line_numbers.get(int(match[1]))
        return match[0] if line_number is None else f"(of line {line_number})"

    line = _PRODUCER.sub(producer, _RESULT.sub(result, line))
    line = _BOX.sub(_unbox, _COERCED.sub("", line))
    return _NEEDS_INPUT.sub(
        lambda match: f"[needs input: {_RUNTIME_WORDS.get(match[1], match[1])}", line
    )


def _unbox(box: re.Match[str]) -> str:
    """Return the name in a record of an app, file or unit; other records are returned unchanged."""
    name = _BOX_NAME.search(box[0]) if _BOXED.search(box[0]) else None
    return box[0] if name is None else name[1]
