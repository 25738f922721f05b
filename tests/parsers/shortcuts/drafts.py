"""Functions that parse and describe drafts of shortcuts for the tests of this folder."""

from benchloom.core.records import Argument, Shortcut
from demo.containers import binary
from demo.drafts import Draft
from parsers.shortcuts import parse_shortcut


def parse(draft: Draft) -> Shortcut:
    return parse_shortcut(binary(draft.build()), "x")


def describe(draft: Draft) -> list[str]:
    return parse(draft).workflow.split("\n")


def argument(shortcut: Shortcut, action: int, name: str) -> Argument:
    return next(a for a in shortcut.actions[action].arguments if a.name == name)


def condition(**parameters: object) -> str:
    """Return the description of an If action that follows a text action."""
    draft = Draft("condition")
    draft.add("gettext", WFTextActionText="a plain text")
    draft.control("conditional", "g", 0, **parameters)
    draft.control("conditional", "g", 2)
    return describe(draft)[1].removeprefix("If [result of step 1: gettext] ")
