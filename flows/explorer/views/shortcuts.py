"""Prepare a shortcut for its page, which shows steps as blocks, data flow, and facts."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from benchloom.core.built_in_actions import COMMENT, CONTROL, SYSTEM_APP, VARIABLE_SETTERS
from benchloom.core.plain_words import ABSENT, shortened
from benchloom.core.records import Action, ApiDefinition, Shortcut
from flows.explorer.open_release import typed
from flows.explorer.views.drawings import Drawing, Edge, Node, draw
from flows.explorer.views.values import Piece, output_piece, pieces_of
from parsers.shortcuts.wording import file_of

MAX_STEPS = 1000
"""Maximum number of steps that a page shows."""
COLOURS = 7
"""Number of CSS colour classes for apps, which are called c0, c1 and so on."""
_DEEPEST = 8


class ArgumentView(msgspec.Struct, frozen=True):
    """A supplied parameter, with its key, its display name, and the pieces of its value."""

    name: str
    title: str
    pieces: tuple[Piece, ...]


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """One action, in the form of a block on the page of a shortcut.

    `depth` is its indentation; `used_by` contains the numbers of the steps that use its output.
    """

    number: int
    depth: int
    colour: str
    title: str
    api: str
    app: str
    line: str
    arguments: tuple[ArgumentView, ...]
    before: Piece | None
    used_by: tuple[int, ...]
    is_defined: bool
    output_name: str


class ShortcutView(msgspec.Struct, frozen=True, kw_only=True):
    """A shortcut in the form in which its page shows it; `more` counts the omitted steps."""

    row: Shortcut
    title: str
    facts: tuple[tuple[str, str], ...]
    steps: tuple[StepView, ...]
    more: int
    drawing: Drawing


def read_shortcut(row: Mapping[str, Any]) -> Shortcut:
    """Convert a row to a shortcut record.

    Raises:
        VersionError: the row's columns belong to another version.
    """
    return typed([row], Shortcut, "shortcuts")[0]


def shortcut_view(shortcut: Shortcut, definitions: Mapping[str, ApiDefinition]) -> ShortcutView:
    """Prepare a shortcut for its page; `definitions` maps ids to the definitions of its actions."""
    actions = shortcut.actions
    lines = shortcut.workflow.split("\n")
    if len(lines) != len(actions):
        lines = [""] * len(actions)
    edges = [
        edge
        for action in actions
        for edge in _edges(action, definitions.get(action.definition_id or ""))
    ]
    consumers: dict[int, set[int]] = {}
    for edge in edges:
        consumers.setdefault(edge.source, set()).add(edge.target + 1)
    titles = titles_of(shortcut, definitions)
    steps = tuple(
        StepView(
            number=action.index + 1,
            depth=min(action.depth, _DEEPEST),
            colour=_colour(action),
            title=title,
            api=action.identifier,
            app=action.app,
            line=line.strip(),
            arguments=_arguments(action, definitions.get(action.definition_id or "")),
            before=output_piece(action.implicit_input) if action.implicit_input else None,
            used_by=tuple(sorted(consumers.get(action.index, ()))),
            is_defined=action.definition_id is not None,
            output_name=action.output_name or "",
        )
        for action, line, title in zip(actions[:MAX_STEPS], lines, titles, strict=False)
    )
    return ShortcutView(
        row=shortcut,
        title=title_of(shortcut.name, shortcut.source_uri),
        facts=tuple(_facts(shortcut)),
        steps=steps,
        more=len(actions) - len(steps),
        drawing=draw(_nodes(shortcut, titles), edges),
    )


def titles_of(shortcut: Shortcut, definitions: Mapping[str, ApiDefinition]) -> list[str]:
    """Return the title of each action, in order."""
    return [
        _title(action, definitions.get(action.definition_id or "")) for action in shortcut.actions
    ]


def drawn_values(shortcut: Shortcut, titles: list[str], values: Mapping[int, str]) -> Drawing:
    """Draw the data flow with the value on each arrow; `values` maps actions to outputs."""
    edges = [
        Edge(edge.source, edge.target, f"{edge.source + 1}: {values.get(edge.source, ABSENT)}")
        for action in shortcut.actions
        for edge in _edges(action, None)
    ]
    return draw(_nodes(shortcut, titles), edges)


def _nodes(shortcut: Shortcut, titles: list[str]) -> list[Node]:
    return [
        Node(action.index + 1, title, _colour(action))
        for action, title in zip(shortcut.actions, titles, strict=True)
    ]


def title_of(name: str | None, source_uri: str) -> str:
    """Return the title of a shortcut: its name, or the name of its file."""
    text = " ".join((name or "").split()) or file_of(source_uri)
    return shortened(text, 200)


def _edges(action: Action, definition: ApiDefinition | None) -> Iterator[Edge]:
    """Yield an edge for each output that an action takes, labelled with output and parameter."""
    titles = _parameter_titles(definition)
    uses = [
        (reference, titles.get(argument.name) or argument.name)
        for argument in action.arguments
        for reference in argument.references
    ]
    if action.implicit_input is not None:
        location = action.implicit_input.location
        uses.append((action.implicit_input, titles.get(location) or location or "input"))
    for reference, parameter in uses:
        source = reference.action_index
        if source is not None and source != action.index:
            output = reference.output or "output"
            yield Edge(source, action.index, f"{source + 1} {output} → {parameter}")


def _title(action: Action, definition: ApiDefinition | None) -> str:
    if action.control == "close":
        return "End"
    if definition is not None and definition.title:
        return shortened(definition.title, 120)
    return shortened(action.identifier.rsplit(".", 1)[-1] or "no identifier", 120)


def _colour(action: Action) -> str:
    """Return the CSS class of an action's colour.

    Blocks, comments and variables have fixed colours; other actions have the colour of their app.
    """
    if action.identifier in CONTROL:
        return "k-control"
    if action.identifier == COMMENT:
        return "k-comment"
    if action.identifier in VARIABLE_SETTERS:
        return "k-variable"
    if action.app == SYSTEM_APP:
        return "k-built-in"
    digest = hashlib.sha256(action.app.encode("utf-8", "replace")).digest()
    return f"c{digest[0] % COLOURS}"


def _arguments(action: Action, definition: ApiDefinition | None) -> tuple[ArgumentView, ...]:
    titles = _parameter_titles(definition)
    return tuple(
        ArgumentView(argument.name, titles.get(argument.name, ""), pieces_of(argument))
        for argument in action.arguments
    )


def _parameter_titles(definition: ApiDefinition | None) -> dict[str, str]:
    if definition is None:
        return {}
    return {parameter.name: parameter.title or "" for parameter in definition.parameters}


def _facts(shortcut: Shortcut) -> list[tuple[str, str]]:
    needs = shortcut.needs_input
    facts = [
        ("level", ABSENT if shortcut.level is None else f"{shortcut.level} of 5"),
        ("actions", f"{shortcut.action_count} of {shortcut.unique_api_count} APIs"),
        ("split", shortcut.split or ""),
        ("evaluation", _evaluation(shortcut)),
        ("asks for", ", ".join(needs.kinds)),
        ("asks by", ", ".join(action.rsplit(".", 1)[-1] for action in needs.prompting_actions)),
        ("takes as input", ", ".join(shortcut.input_classes)),
        ("offered in", ", ".join(shortcut.surfaces)),
        (
            "languages",
            ", ".join(f"{language.field} {language.language}" for language in shortcut.languages),
        ),
        (
            "hidden",
            ", ".join(f"{redaction.count} {redaction.kind}" for redaction in shortcut.redactions),
        ),
        ("oddities", ", ".join(shortcut.oddities)),
        ("written by version", shortcut.client_version or ""),
        ("name from", shortcut.name_source or ""),
    ]
    return [fact for fact in facts if fact[1]]


def _evaluation(shortcut: Shortcut) -> str:
    if shortcut.evaluation:
        return "yes"
    return f"no: {', '.join(shortcut.evaluation_reasons)}" if shortcut.evaluation_reasons else "no"
