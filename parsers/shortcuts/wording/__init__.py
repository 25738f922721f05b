"""Write the workflow description, a shortcut as plain text for prompts that request a query.

One line per action, so that step N is line N, indented by control depth:

    name(argument=value, ...) -> output name

Values are literals; [output: name] for outputs of earlier actions, [result of step N: name] for
the previous action's output that an action takes without naming it, [variable: name], and
[needs input: kind] for a value that only the person or device can supply. Attachments are
rendered in the numeric order of their UTF-16 offsets. Control blocks read If / Otherwise /
End If, Menu / Case, Repeat / End Repeat.
"""

import re
import unicodedata
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote

import msgspec

from benchloom.core.built_in_actions import (
    COMMENT,
    CONDITIONAL,
    CONDITIONS,
    MENU,
    REPEAT_COUNT,
    SYSTEM_PREFIX,
)
from benchloom.core.records import Action, Argument
from benchloom.core.records.conditions import CONDITION, OPERANDS, SUBJECT
from benchloom.core.records.shortcut import FILE_NAME
from benchloom.storage.inputs import MEMBER
from parsers.shortcuts.labels import Labels, Names, one_line
from parsers.shortcuts.values import render_argument, render_value
from parsers.shortcuts.wording.conditions import (
    PREDICATE_TABLE,
    condition_clause,
    joined_clauses,
    render_table,
    table_clauses,
)

_NAME = "WFWorkflowName"
_SUFFIXES = frozenset({".bplist", ".json", ".plist", ".shortcut", ".wflow", ".xml"})
_GENERATED = re.compile(r"[0-9a-f]{16,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_ADDRESS = "://"
_ARCHIVES = (".zip", ".ipa", ".warc", ".gz")
"""Suffixes of archives. In the path of a member, the part before the separator ends in one of them.
"""
IN_SHORTCUT = "shortcut"


def name_of(mapping: dict[str, object], source_uri: str) -> tuple[str | None, str | None]:
    """Return the name of a shortcut and its source (`shortcut` or `file`), or None and None."""
    name = mapping.get(_NAME)
    if isinstance(name, str) and name.strip():
        return name, IN_SHORTCUT
    file_name = name_of_file(source_uri)
    return file_name, FILE_NAME if file_name else None


def name_of_file(source_uri: str) -> str | None:
    """Return a file's name without suffixes and escapes.

    Returns None for downloads and generated names.
    """
    if _ADDRESS in source_uri:
        return None
    path = PurePosixPath(file_of(source_uri))
    while path.suffix.lower() in _SUFFIXES:
        path = path.with_suffix("")
    if path.name.lower() in _SUFFIXES:
        return None
    plain = unicodedata.normalize("NFC", unquote(path.name, errors="replace"))
    name = " ".join("".join(c if c.isprintable() else " " for c in plain).split())
    return None if not name or _GENERATED.fullmatch(name) else name


def file_of(source_uri: str) -> str:
    """Return the name of a file, without the folders and the archive that contain it."""
    name = source_uri.rpartition("/")[2]
    parts = name.split(MEMBER)
    archives = [at for at, part in enumerate(parts[:-1], 1) if part.lower().endswith(_ARCHIVES)]
    return MEMBER.join(parts[archives[-1] :]) if archives else name


INDENT = "  "
_TITLES = ("WFMenuItemAttributedTitle", "WFMenuItemTitle")
_OF_CONDITIONS = frozenset({CONDITION, SUBJECT, *OPERANDS})


def describe_workflow(actions: Sequence[Action]) -> str:
    """Return the workflow description of a shortcut's actions, one line per action."""
    labels = Labels(actions)
    return "\n".join([INDENT * action.depth + action_text(action, labels) for action in actions])


def action_text(action: Action, labels: Labels) -> str:
    """Return one action as a line without indentation."""
    names = Names(labels, action)
    if action.identifier == COMMENT and not action.control:
        return _comment_line(action, names)
    line = _control_line(action, names) if action.control else _action_line(action, names)
    if action.index in labels.texts:
        label = labels.texts[action.index]
        return f"{line} -> {label}" if label else line
    return line


def _comment_line(action: Action, names: Names) -> str:
    text = _value_of(action, "WFCommentActionText", names) or '""'
    if text.startswith('"') and text.endswith('"'):
        text = msgspec.json.decode(text, type=str)
    return f"# {' '.join(text.split())}"


def _action_line(action: Action, names: Names) -> str:
    name = one_line(action.identifier.removeprefix(SYSTEM_PREFIX))
    argument_texts = [
        f"{one_line(argument.name)}={show_argument(argument, names)}"
        for argument in action.arguments
    ]
    if action.implicit_input is not None:
        argument_texts.append(f"input: {names.implicit()}")
    return f"{name}({', '.join(argument_texts)})"


def _control_line(action: Action, names: Names) -> str:
    if action.identifier == CONDITIONAL:
        return _if_line(action, names)
    if action.identifier == MENU:
        return _menu_line(action, names)
    if action.control == "close":
        return "End Repeat"
    if action.identifier == REPEAT_COUNT:
        return f"Repeat {_value_of(action, 'WFRepeatCount', names) or '1'} times"
    return f"Repeat for each item in {_input(action, names)}"


def _input(action: Action, names: Names) -> str:
    return _value_of(action, SUBJECT, names) or names.implicit() or "[previous output]"


def _if_line(action: Action, names: Names) -> str:
    if action.control == "branch":
        return "Otherwise"
    if action.control == "close":
        return "End If"
    for argument in action.arguments:
        if argument.name == CONDITIONS:
            clauses = table_clauses(msgspec.json.decode(argument.value), names)
            if clauses is not None:
                return f"If {joined_clauses(*clauses)}"
    parameters = {
        argument.name: msgspec.json.decode(argument.value)
        for argument in action.arguments
        if argument.name in _OF_CONDITIONS
    }
    return f"If {condition_clause(parameters, _input(action, names), names)}"


def _menu_line(action: Action, names: Names) -> str:
    if action.control == "close":
        return "End Menu"
    if action.control == "branch":
        # Editors keep a plain title beside the title with tokens; only the latter is displayed.
        titles = (_value_of(action, name, names) for name in _TITLES)
        title = next((title for title in titles if title and title != '""'), None)
        return f"Case {title or _item_of_menu(action, names)}"
    prompt = _value_of(action, "WFMenuPrompt", names)
    choices = _value_of(action, "WFMenuItems", names) or "[]"
    return f"Menu {prompt or ''} {choices}".replace("  ", " ")


def _item_of_menu(action: Action, names: Names) -> str:
    """Return the menu entry of a Case action without a title, or the number of the case."""
    number = action.branch or 0
    opener = names.opener()
    for argument in opener.arguments if opener is not None else ():
        if argument.name == "WFMenuItems" and argument.kind == "structure":
            entries = msgspec.json.decode(argument.value)
            if isinstance(entries, list) and 0 < number <= len(entries) and entries[number - 1]:
                title = render_value(entries[number - 1], names)
                return title if title.startswith('"') else str(number)
    return str(number)


def _value_of(action: Action, name: str, names: Names) -> str | None:
    for argument in action.arguments:
        if argument.name == name:
            return show_argument(argument, names)
    return None


def show_argument(argument: Argument, names: Names) -> str:
    """Render the value of an argument for people, with filters in words."""
    if argument.kind == "structure" and PREDICATE_TABLE in argument.value:
        table_text = render_table(msgspec.json.decode(argument.value), names)
        if table_text is not None:
            return table_text
    return render_argument(argument, names)
