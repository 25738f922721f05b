"""Write requests without a model, for shortcuts without branches and with only known actions.

Each action gives at most one clause. A request is written only if its clauses describe the whole
shortcut: every action is known, no action is in a branch, and every value to be stated is in its
clause. The tables below contain the actions of the demo; other shortcuts need a model.
"""

import re

from benchloom.core.records.conditions import CONDITION_WORDS
from prompts.inputs.shortcuts import Deed, ShortcutInput
from prompts.language.actions import PHRASES
from prompts.language.value_texts.decisions import Decision
from prompts.language.words import plain
from prompts.templates import NAMED_SHAPE, Choice, in_shape, is_awkward, join, shape_of

MAX_CLAUSES = 5
"""Maximum number of clauses in a request that a person can still follow."""
_SHORT_WISH = 5
_SHARED = "take what I share with you"
_SHARED_INPUT = re.compile(r"\[needs input: what is shared|\[input of the shortcut")
_OTHER_INPUT = re.compile(r"\[needs input: what is (?!shared)")
_SILENT = frozenset({"conditional", "count", "gettext", "repeat.each", "text.split", "vibrate"})
"""Actions that get no clause in a request. A condition is among them only if its branches are
empty."""
_TEXT_CHANGES = frozenset({"count", "text.split"})
CLAUSES = PHRASES | {"file.getfoldercontents": "list the files of a folder"}
"""Clauses without values, by the name of the action."""
_STARTS = frozenset(
    {
        "addnewreminder", "dnd.set", "file.getfoldercontents", "filter.files", "selectphoto",
        "timer.start",
    }
)  # fmt: skip
"""Actions that need no input, so that a request can begin with them."""
_CONTINUATIONS = frozenset({"file.delete", "getarticle", "readinglist"})
_OUTPUTS = frozenset({"alert", "notification", "setclipboard", "showresult", "speaktext"})
"""Actions whose clause says nothing without a value, such as "show me the result"."""
_DEVICE_WORDS = "device_words"
"""The reason of decisions about values that a request may omit but these clauses state."""
_WITH_VALUE = {
    ("addnewreminder", "WFCalendarItemTitle"): "add {} to my reminders",
    ("alert", "WFAlertActionMessage"): "show me an alert that says {}",
    ("image.resize", "WFImageResizeWidth"): "resize the picture to a width of {}",
    ("notification", "WFNotificationActionBody"): "send me a notification that says {}",
    ("notification", "WFNotificationActionTitle"): "send me a notification titled {}",
    ("savetocameraroll", "WFCameraRollSelectedGroup"): "save it to my album {}",
    ("showresult", "Text"): "show me {}",
    ("speaktext", "WFText"): "say {} out loud",
    ("text.translate", "WFSelectedLanguage"): "translate the text into {}",
    ("timer.start", "WFDuration"): "start a timer for {}",
}
"""Clauses with a value, by the action and the parameter that contains the value."""
_WITH_TEXT = {
    "alert": "show me {}",
    "setclipboard": "copy the text {}",
    "showresult": "show me {}",
    "speaktext": "say {} out loud",
}
"""Clauses with the text of the preceding text action, by the action that uses this text."""
_HANDLED_APIS = _SILENT | _STARTS | _CONTINUATIONS | _OUTPUTS | {api for api, _ in _WITH_VALUE}
_CONDITION_ENDS = tuple(sorted(CONDITION_WORDS.values(), key=len, reverse=True))


def write_query(shortcut: ShortcutInput) -> str | None:
    """Return a request for a shortcut, or None if it would omit a part of the shortcut."""
    clauses = _clauses(shortcut)
    if not clauses or len(clauses) > MAX_CLAUSES:
        return None
    choice = Choice(shortcut.name + shortcut.workflow)
    style = shortcut.style.name
    wish = join(clauses)
    if len(wish.split()) < _SHORT_WISH and style == "terse":
        style = "spoken"  # a bare order of three words is not a request that anybody could follow
    shape = shape_of(style, choice)
    name = " ".join(shortcut.name.split())
    if style == "with_reason" and plain(name) and not is_awkward(name):
        shape = NAMED_SHAPE
    return in_shape(shape, wish, name)


def _clauses(shortcut: ShortcutInput) -> list[str] | None:
    """Return the clauses of all actions in order, or None if an action has no clause."""
    parts = [
        entry for entry in shortcut.decisions if entry.say == "say" or entry.reason == _DEVICE_WORDS
    ]
    values = {decision.action_index: decision for decision in parts}
    if len(values) < len(parts):
        return None  # no clause has place for two values
    text = ""
    clauses: list[str] = []
    needs_input, is_specific = False, False
    for deed in shortcut.deeds:
        if deed.api not in _HANDLED_APIS or deed.branch or _OTHER_INPUT.search(deed.line):
            return None
        value = values.get(deed.action_index)
        if deed.api in _SILENT:
            if value and (text or deed.api != "gettext"):
                return None  # the value has no place
            if text and deed.api in _TEXT_CHANGES:
                return None  # the result is no longer the text
            text = _quote(value) if value else text
            continue
        clause = _clause(deed, value, text)
        if not clause:
            return None
        has_value = bool(text or value)
        is_specific = is_specific or has_value or deed.api not in _OUTPUTS
        if not clauses:
            needs_input = deed.api not in _STARTS and not (has_value and deed.api in _OUTPUTS)
        clauses.append(clause)
        text = ""
    has_input = any(_SHARED_INPUT.search(deed.line) for deed in shortcut.deeds)
    if text or not is_specific or (needs_input and not has_input):
        return None
    return list(dict.fromkeys([_SHARED, *clauses] if has_input else clauses))


def _clause(deed: Deed, value: Decision | None, text: str) -> str:
    """Return the clause of an action, or "" if no clause has room for its value or text.

    `text` is the text of the preceding text action, or empty.
    """
    if text:
        return "" if value else _WITH_TEXT.get(deed.api, "").format(text)
    if deed.api == "filter.files":
        is_condition = value is not None and value.label.endswith(_CONDITION_ENDS)
        return f"find the files whose {_condition(value)}" if value and is_condition else ""
    if value is None:
        return CLAUSES[deed.api]
    return _WITH_VALUE.get((deed.api, value.parameter), "").format(_quote(value))


def _condition(value: Decision) -> str:
    return f"{value.label[:1].lower()}{value.label[1:]} {_quote(value)}"


def _quote(decision: Decision) -> str:
    """Return a value as it is written in a sentence; texts are in quotation marks."""
    words = decision.titles[0] if decision.titles else " ".join(decision.value.split())
    if decision.reason in {"number", "quantity", "chosen", "filter"}:
        return words
    return f'"{words}"' if '"' not in words else f"\u201c{words}\u201d"
