"""Turn a checked task into a dialogue, and check that its user states each fact when asked."""

import re

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.worlds.proofs.open_worlds import OpenWorlds
from benchloom.worlds.proofs.parameters import parameters_of
from benchloom.worlds.proofs.prove import prove
from benchloom.worlds.proofs.stated_values import Turns
from benchloom.worlds.task import Candidate, PlannedCall, RequestedAnswer, Task
from benchloom.worlds.user.facts import (
    facts_of,
    has_unrelated_read,
    spoken_values,
    takes_result_fields,
    values_of,
)
from benchloom.worlds.user.first_turn import opening
from benchloom.worlds.user.questions import Fact
from benchloom.worlds.user.user import User
from benchloom.worlds.user.words import words_of
from benchloom.worlds.world import World

_UNSAID = frozenset({"earliest_date", "direction"})
"""The arguments of searches that people do not mention."""
_CODE = re.compile(
    r"\b(?!https?:)[a-z][a-z0-9+.-]*:/?/?[^\s/\"]\S*=\S*|https?://\S*[?=&%{]\S*"
    r"|(?<![/.\w])(?:com|org|net)\.[a-z][\w-]*\.\S+|\n|,\S[^,\n]*,\S"
)
"""Matches values that nobody says aloud: URLs with parameters, app ids, several lines, CSV rows."""


def dialogue_of(task: Task, open_worlds: OpenWorlds) -> Task:
    """Return a task of kind `dialogue` with the same calls, whose user states facts when asked.

    Raises:
        RejectedInputError: the task cannot become a dialogue. The reason is a reason of `prove` or
            one of the following:

            - no_facts: there is no value that the user could state.
            - unclear_question: two facts, or two changes, have the same name.
            - unspeakable: no person would say one of the values.
            - known_answer: the request contains its answer.
            - plan_relates: only the plan shows which result supplies an argument.
            - other_result: the answer is not in the first entry of a list of results.
            - told_unasked: the user states a fact without being asked for it.
            - not_obtainable: the user does not state a fact when asked for it.
    """
    world = open_worlds.of(task.suite, task.start).world
    count = len(task.distractors)
    if any(call.redundant for call in task.calls):
        task = prove(_without_redundant_calls(task), open_worlds, distractors=0)
    row_number = next(iter(task.asked.path), 0) if task.asked else 0
    if isinstance(row_number, int) and row_number > 0:
        raise RejectedInputError("other_result", "the answer is not in the first result")
    unrelated = task.asked is None and has_unrelated_read(
        task.calls, lambda tool: world.tools[tool].reads
    )
    if unrelated or (not task.source_uri and takes_result_fields(task.calls)):
        raise RejectedInputError(
            "plan_relates", "only the plan shows which result an argument takes"
        )
    if task.asked is not None and _is_known(task, task.asked, world):
        raise RejectedInputError("known_answer", "the request already contains the answer")
    facts = facts_of(task.calls, world.goals)
    seed = hex_of(digest_of_parts("dialogue", [task.task_id]))
    first = opening(task.calls, task.asked, world, int(seed[:8], 16))
    if facts is None or first is None:
        raise RejectedInputError(
            "unclear_question",
            "two values of the request, or two of its changes, have the same name, so that an "
            "answer of the user could mean either",
        )
    if not facts:
        raise RejectedInputError("no_facts", "the request has no value that the user could state")
    if any(fact.slot in _UNSAID for fact in facts.values()):
        raise RejectedInputError("unspeakable", "a search has a bound that no person would state")
    if code := next(filter(None, (_CODE.search(fact.statement) for fact in facts.values())), None):
        raise RejectedInputError("unspeakable", f"'{code[0]}' is a code that no person would say")
    candidate = task.candidate()
    calls = tuple(
        PlannedCall(call.tool, call.arguments, wordings)
        for call, wordings in zip(task.calls, spoken_values(task.calls, world.goals), strict=True)
    )
    turns = (first, *(fact.statement for fact in facts.values()))
    dialogue = prove(
        msgspec.structs.replace(candidate, kind="dialogue", turns=turns, calls=calls),
        open_worlds,
        distractors=count,
    )
    _check_user(dialogue, world)
    return dialogue


def _without_redundant_calls(task: Task) -> Candidate:
    """Return the task's candidate without redundant calls, which no user would request."""
    numbers = [number for number, call in enumerate(task.calls) if not call.redundant]
    candidate = task.candidate()
    question = task.asked
    if question is not None:
        question = msgspec.structs.replace(question, call=numbers.index(question.call))
    calls = tuple(candidate.calls[number] for number in numbers)
    return msgspec.structs.replace(candidate, calls=calls, asked=question)


def _is_known(task: Task, question: RequestedAnswer, world: World) -> bool:
    call = task.calls[question.call]
    last = question.path[-1] if question.path else ""
    answer = msgspec.json.decode(task.answer or "null")
    fields = answer if isinstance(last, tuple) else {last: answer}
    arguments = {
        name: parameter.default for name, parameter in parameters_of(world.tools[call.tool]).items()
    }
    arguments |= call.arguments
    return any(name in arguments and str(arguments[name]) == str(fields[name]) for name in fields)


def _check_user(task: Task, world: World) -> None:
    """Check that the user of a dialogue states each fact when asked for it, and no other fact.

    The order of the questions does not matter, because a user gives equal messages equal answers.

    Raises:
        RejectedInputError: the user states a fact without being asked for it (told_unasked), or
            does not state a fact when asked for it (not_obtainable).
    """
    user = User(task, world)
    if {fact.statement for fact in user.facts} != set(task.turns[1:]):
        raise RejectedInputError(
            "not_obtainable", "the user does not know every value of the request"
        )
    for fact in user.facts:
        answer = user.answer(_question_of(fact))
        if answer is None or fact.statement not in answer:
            message = f"{_question_of(fact)} is answered by {answer!r}"
            raise RejectedInputError("not_obtainable", message)
        if answer != fact.statement:
            raise RejectedInputError(
                "told_unasked",
                f"{_question_of(fact)} is answered with more than the fact: {answer!r}",
            )
    first = Turns(task.turns[:1], user.now)
    for label, pairs in values_of(task.calls, world.goals).items():
        scalars = [(name, value) for name, value in pairs if isinstance(value, str | int | float)]
        if any(first.says(value, name) is not None for name, value in scalars):
            raise RejectedInputError(
                "told_unasked", f"the user's first turn already states the {label}"
            )


def _question_of(fact: Fact) -> str:
    words = f"{words_of(fact.slot)} {fact.scope}".strip()
    return f"Please tell me the {words}." if fact.is_truth else f"What is the {words}?"
