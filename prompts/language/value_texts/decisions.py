"""Decide for each literal value of a shortcut whether a request must state it, and why.

The decisions are "say", "may_say" and "never".
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal as OneOf

import msgspec

from benchloom.core.built_in_actions import built_in
from benchloom.core.records.conditions import CONDITION_WORDS
from prompts.data_block import clean_text
from prompts.language.value_texts.context import ShortcutContext, is_placeholder
from prompts.language.value_texts.labels import (
    LONGEST,
    MAY,
    ApiFacts,
    ParameterFacts,
    facts_of,
    fault_of,
    is_name,
    label_of,
    titles_of,
)
from prompts.language.value_texts.literals import ActionRow, Literal, find_literals
from prompts.language.value_texts.parameters import (
    AMOUNT,
    CHOSEN,
    CONTENT,
    CONVERSIONS,
    DEFAULTS,
    NAMED,
    NEVER,
    OPTION,
    QUESTION,
    SETTING,
    SEVERAL,
)
from prompts.subject import Value

Say = OneOf["say", "may_say", "never"]
MOST = 6
"""Maximum number of values that one natural request contains."""
_VERBS = frozenset({"", *CONDITION_WORDS.values()})
"""Clauses of conditions that do not name the value that they compare."""
_SEARCHES = ("contains", "does not contain")
"""The ends of clauses that search in a text. Shortcuts use such conditions to recognise their
input."""
_OPENING = built_in("openurl", "showwebpage")
_PAGE = re.compile(r"https?://[^\s?=%&]{1,60}")
_PROVIDERS = ("Intent", "AppIntent")
_TRIVIAL = frozenset({"0", "1"})
_MAX_DIGITS = 6
_MAX_LISTED = 4
OF_SITES = frozenset({"WFInput", "WFURL", "WFURLActionURL"})
"""Parameters that contain the address of a page that the user wants to see."""
_FIRST = frozenset({"quantity", "filter", "condition", "chosen", "app", "site"})
"""Reasons of values that are preferred to plain texts and numbers if there are too many values."""


class Decision(msgspec.Struct, frozen=True, gc=False):
    """Whether a request must, may or must not state a literal value.

    `reason` is one word of the vocabulary in `docs/decisions/0135`. `label` is the everyday name of
    the parameter, `titles` are other names of the value, and `about` is the parameter's
    description.
    """

    action_index: int
    api: str
    parameter: str
    value: str
    say: Say
    reason: str
    label: str
    titles: tuple[str, ...] = ()
    about: str = ""

    def as_value(self) -> Value:
        """Return the value as the record that prompts and checks use."""
        return Value(self.value, self.parameter, self.titles, self.label, self.about)


def decide_all(
    actions: Sequence[ActionRow], workflow: str, definitions: Mapping[str, ApiFacts]
) -> tuple[Decision, ...]:
    """Decide about every literal value of a shortcut, in order.

    A request need not state a value that equals an earlier one, or values beyond the maximum number
    that one request can contain.
    """
    literals = tuple(find_literals(actions, workflow))
    context = ShortcutContext(actions, workflow, literals)
    return tuple(_within_bounds(tuple(_decide_each(literals, context, definitions))))


def must_say(decisions: Iterable[Decision]) -> tuple[Value, ...]:
    """Return the values that a request must state, in order of appearance."""
    return tuple(decision.as_value() for decision in decisions if decision.say == "say")


def _decide_each(
    literals: Sequence[Literal], context: ShortcutContext, definitions: Mapping[str, ApiFacts]
) -> Iterator[Decision]:
    choices = {entry.value.casefold() for entry in literals if entry.name == "WFMenuItems"}
    listed = Counter(
        (entry.action_index, entry.name) for entry in literals if entry.role == "entry"
    )
    texts = Counter(entry.value.casefold() for entry in literals if entry.role != "condition")
    texts.update({entry.value.casefold() for entry in literals if entry.role == "condition"})
    for literal in literals:
        facts = facts_of(definitions, literal.api, literal.name)
        say, reason = decide(literal, facts)
        if say == "say" and literal.value.casefold() in choices:
            say, reason = "may_say", "choice"
        if say == "say" and (unsaid := context.reason(literal, reason)) is not None:
            say, reason = "may_say", unsaid
        if reason == "condition" and not literal.number and texts[literal.value.casefold()] > 1:
            # It compares what another action of the shortcut put there.
            say, reason = "may_say", "choice"
        if say == "say" and listed[literal.action_index, literal.name] > _MAX_LISTED:
            say, reason = "may_say", "long_list"
        api = definitions.get(literal.api)
        stated = f"{literal.value} {literal.unit}" if literal.unit else literal.value
        yield Decision(
            literal.action_index,
            literal.api,
            literal.name,
            clean_text(stated, LONGEST * 4).strip(),
            say,
            reason,
            label_of(literal, facts, api.title if api is not None else ""),
            titles_of(literal, facts) if say != "never" else (),
            facts.about if say == "say" else "",
        )


def _within_bounds(decisions: Sequence[Decision]) -> Iterator[Decision]:
    """Limit how many values a request must state; self-explanatory values are preferred."""
    said: set[str] = set()
    chosen: set[int] = set()
    ranked = sorted(range(len(decisions)), key=lambda at: decisions[at].reason not in _FIRST)
    for at in ranked:
        decision = decisions[at]
        if decision.say == "say" and decision.value.casefold() not in said and len(said) < MOST:
            said.add(decision.value.casefold())
            chosen.add(at)
    for at, decision in enumerate(decisions):
        if decision.say != "say" or at in chosen:
            yield decision
        else:
            reason = "said_already" if decision.value.casefold() in said else "one_too_many"
            yield msgspec.structs.replace(decision, say="may_say", reason=reason)


def decide(literal: Literal, facts: ParameterFacts) -> tuple[Say, str]:
    """Return the decision about one literal value and its reason, regardless of other values."""
    if literal.role == "structure":
        return "never", "structure"
    fault = None if literal.number else fault_of(literal.value)
    if fault in {"empty", "redacted"}:
        return "never", fault
    if literal.role in {"condition", "filter"}:
        return _operand(literal, fault)
    if literal.role == "quantity":
        return "say", "quantity"
    if literal.role == "app":
        # An app that provides an action is not one to open.
        is_provider = literal.name.startswith(_PROVIDERS)
        return ("never", "identifier") if is_provider else ("say", "app")
    if literal.role == "entity":
        if fault is not None or literal.name.endswith(("Type", "Style", "Mode", "type")):
            return _text(literal, facts, fault)
        return "say", "chosen"
    reason = _how_it_is_built(literal.name)
    if reason is not None:
        return "never", reason
    if literal.switch:
        is_setting = SETTING.search(literal.name) or (
            literal.value == "true" and SEVERAL.search(literal.name)
        )
        return ("may_say", "setting") if is_setting else ("never", "switch")
    if SETTING.search(literal.name) or OPTION.search(literal.name):
        return ("never", "default") if literal.value in DEFAULTS else ("may_say", "option")
    if CHOSEN.search(literal.name):
        return "say", "chosen"
    return _number(literal) if literal.number else _text(literal, facts, fault)


@lru_cache(maxsize=4096)
def _how_it_is_built(name: str) -> str | None:
    """Return why no request states a parameter that only configures how a shortcut is built.

    The result is None for all other parameters.
    """
    return next((word for word, names in NEVER if names.search(name)), None)


def _operand(literal: Literal, fault: str | None) -> tuple[Say, str]:
    """Decide whether a request must state the operand of a condition.

    Numbers and names may be limits that the user sets; code cannot be one.
    """
    location = literal.role
    if literal.switch:
        return "may_say", location
    if literal.number:
        if literal.value in _TRIVIAL and not literal.unit:
            return "may_say", "trivial_number"
        # A value among several that are only distinguished is no limit.
        named = literal.clause not in _VERBS
        limits = location == "filter" or bool(literal.unit) or (literal.ordered and named)
        return ("say", location) if limits else ("may_say", "one_of_several")
    if fault is not None:
        return ("may_say", fault) if fault in MAY else ("never", fault)
    named = literal.clause not in _VERBS and not literal.clause.endswith(_SEARCHES)
    if location == "filter" or (is_name(literal.value) and named):
        return "say", location
    return "may_say", location


def _number(literal: Literal) -> tuple[Say, str]:
    if literal.value in _TRIVIAL:
        return "may_say", "trivial_number"
    if not AMOUNT.search(literal.name) and not CONTENT.search(literal.name):
        return "may_say", "unknown_number"
    if literal.name.endswith("Operand") and literal.value in CONVERSIONS:
        return "may_say", "conversion"
    if literal.name.endswith("MathOperand") or literal.name.endswith("DecimalPlaces"):
        # A part of a formula: the same 15 percent are 1.15, 0.15 or two steps; a week's 7 days and
        # the cents of an amount go without saying.
        return "may_say", "part_of_formula"
    long = sum(char.isdigit() for char in literal.value) > _MAX_DIGITS
    return ("may_say", "long_number") if long else ("say", "number")


def _text(literal: Literal, facts: ParameterFacts, fault: str | None) -> tuple[Say, str]:
    if fault == "site" and literal.name in OF_SITES and not literal.branched:
        return "say", "site"
    if fault == "address" and literal.api in _OPENING and _PAGE.fullmatch(literal.value):
        return "may_say", "site"
    if fault is not None:
        return ("may_say", fault) if fault in MAY else ("never", fault)
    if literal.name.startswith("WFMenu"):
        return "may_say", "choice" if literal.role == "entry" else "question"
    if QUESTION.search(literal.name):
        return "may_say", "question"
    if CONTENT.search(literal.name):
        if is_placeholder(literal.value):
            return "may_say", "placeholder"
        # A text in one of several branches may stay out, unless it names an existing thing.
        named = NAMED.search(literal.name) is not None
        return ("may_say", "in_a_branch") if literal.branched and not named else ("say", "text")
    if facts.type_kind == "enum":
        return "may_say", "option"
    return "may_say", "unknown_meaning"
