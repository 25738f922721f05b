"""Links between the results and parameters of APIs, counted in shortcuts and recorded plans."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from prompts.reading import has_table, iter_columns

Link = tuple[str, str]
"""An API and a later one that takes its result."""
LEAST_USES = 2
"""Shortcuts and plans that must have a link: one alone may be a mistake."""


class _ReferenceRow(msgspec.Struct, frozen=True, gc=False):
    action_index: int | None


class _ActionArgumentRow(msgspec.Struct, frozen=True, gc=False):
    references: tuple[_ReferenceRow, ...]


class _ActionRow(msgspec.Struct, frozen=True, gc=False):
    index: int
    identifier: str
    arguments: tuple[_ActionArgumentRow, ...]
    implicit_input: _ReferenceRow | None


class _ShortcutRow(msgspec.Struct, frozen=True):
    actions: tuple[_ActionRow, ...]


class _ArgumentRow(msgspec.Struct, frozen=True, gc=False):
    from_step: int | None


class _StepRow(msgspec.Struct, frozen=True, gc=False):
    app: str
    api: str
    arguments: tuple[_ArgumentRow, ...]


class _PathRow(msgspec.Struct, frozen=True):
    steps: tuple[_StepRow, ...]


def observed_links(folder: Path) -> frozenset[Link]:
    """Return the links that occur in several shortcuts or plans of a folder."""
    uses = Counter(link for links in (*_in_shortcuts(folder), *_in_plans(folder)) for link in links)
    return frozenset(link for link, count in uses.items() if count >= LEAST_USES)


def _in_shortcuts(folder: Path) -> Iterator[set[Link]]:
    if not has_table(folder, "shortcuts"):
        return
    for row in iter_columns(folder, "shortcuts", _ShortcutRow):
        apis = {action.index: action.identifier for action in row.actions}
        links: set[Link] = set()
        for action in row.actions:
            references = [entry for part in action.arguments for entry in part.references]
            if action.implicit_input is not None:
                references.append(action.implicit_input)
            links |= {
                (apis[reference.action_index], action.identifier)
                for reference in references
                if reference.action_index in apis
            }
        yield links


def _in_plans(folder: Path) -> Iterator[set[Link]]:
    if not has_table(folder, "planning_paths"):
        return
    for row in iter_columns(folder, "planning_paths", _PathRow):
        names = [f"{step.app}.{step.api}" for step in row.steps]
        yield {
            (names[argument.from_step], name)
            for name, step in zip(names, row.steps, strict=True)
            for argument in step.arguments
            if argument.from_step is not None
        }
