"""Prepare the run of a shortcut on the simulated device for its page."""

import json
from collections.abc import Mapping

import msgspec

from benchloom.core.plain_words import shortened
from benchloom.core.records import ApiDefinition, Shortcut
from benchloom.device.runs import Execution, run
from flows.explorer.views.drawings import Drawing
from flows.explorer.views.shortcuts import drawn_values, title_of, titles_of

MAX_ROWS = 200
"""Maximum number of executed steps, of questions and of effects that a page shows."""
_LABEL = 40


class TraceView(msgspec.Struct, frozen=True):
    """An executed step; `anchor` is its number when it first runs, and 0 when it runs again."""

    number: int
    title: str
    output: str
    shortcut: str
    anchor: int


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """A run in the form in which its page shows it; `more` counts the omitted steps."""

    title: str
    facts: tuple[tuple[str, str], ...]
    drawing: Drawing
    steps: tuple[TraceView, ...]
    more: int
    questions: tuple[tuple[int, str, str], ...]
    effects: tuple[tuple[int, str, str], ...]


def run_view(shortcut: Shortcut, definitions: Mapping[str, ApiDefinition]) -> RunView:
    """Run a shortcut with generated user answers, and prepare the run for its page."""
    execution = run(shortcut)
    titles = titles_of(shortcut, definitions)
    values: dict[int, str] = {}
    steps: list[TraceView] = []
    for trace in execution.trace:
        is_outer = not trace.shortcut
        if len(steps) < MAX_ROWS:
            title = titles[trace.step] if is_outer else trace.identifier
            anchor = trace.step + 1 if is_outer and trace.step not in values else 0
            steps.append(TraceView(trace.step + 1, title, trace.output, trace.shortcut, anchor))
        if is_outer:
            values[trace.step] = shortened(" ".join(trace.output.split()), _LABEL) or "nothing"
    return RunView(
        title=title_of(shortcut.name, shortcut.source_uri),
        facts=tuple(_facts(execution)),
        drawing=drawn_values(shortcut, titles, values),
        steps=tuple(steps),
        more=execution.steps - len(steps),
        questions=tuple(
            (question.step + 1, question.prompt, question.answer)
            for question in execution.questions[:MAX_ROWS]
        ),
        effects=tuple(
            (effect.step + 1, effect.kind, json.dumps(effect.details, ensure_ascii=False))
            for effect in execution.effects[:MAX_ROWS]
        ),
    )


def _facts(execution: Execution) -> list[tuple[str, str]]:
    output = "" if not execution.output else json.dumps(execution.output, ensure_ascii=False)
    facts = [
        ("ends", f"{execution.outcome} {execution.message}".strip()),
        ("executed steps", str(execution.steps)),
        ("returns", shortened(output, 400)),
        ("everyday world after it", str(execution.state["everyday"])),
        ("digest", execution.digest),
    ]
    return [fact for fact in facts if fact[1]]
