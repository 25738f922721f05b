"""Gate: a shortcut that is written as a file and parsed again is the row it was.

So everything that parsing derives from the parameters of actions is held against them: references,
blocks, needs for input, oddities of the actions, digests. A row with redacted values, or one whose
file would not hold all of it, is passed over.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec

from benchloom.errors import BenchloomError
from benchloom.formats.shortcut import UnwritableError, written_file
from benchloom.normalise.shortcuts.languages import languages_of
from benchloom.records import Action, Shortcut
from benchloom.release.gates import GateView, Part, Piece, all_of
from flows.stages.reproduction.code import is_reproducible
from flows.stages.reproduction.joined import definition_index
from flows.stages.reproduction.redacted import is_redacted
from parsers.shortcuts import parse_shortcut
from parsers.shortcuts.implicit_inputs import with_implicit_inputs

_COLUMNS = ("shortcut_id", "canonical_digest", "length", "level", "unique_api_count")
Join = Callable[[Shortcut], Sequence[Action]]


class ParsedGate(msgspec.Struct, frozen=True):
    """The gate as `check_release` takes it."""

    def findings(self, release: GateView) -> Iterator[str]:
        """One line per column of a shortcut that parsing its actions would write differently."""
        return all_of(self.parts(release), release)

    def parts(self, release: GateView) -> Iterator[Part]:
        """The same by pieces of the shortcuts."""
        if is_reproducible(release.manifest):
            yield from (partial(_findings, piece) for piece in release.pieces("shortcuts"))


def _findings(piece: Piece, release: GateView) -> Iterator[str]:
    index = definition_index(release)
    for shortcut in release.records(piece, Shortcut):
        if shortcut.redactions or is_redacted(shortcut):
            continue
        for name, said, parsed in parsed_differences(
            shortcut,
            (lambda row: row.actions)
            if index is None
            else (lambda row, find=index.find: with_implicit_inputs(row, find)),
        ):
            place = f"shortcuts: {shortcut.shortcut_id} ({shortcut.source_digest})"
            yield f"{place}: {name} is {said}, parsing its actions gives {parsed}"


def parsed_differences(
    shortcut: Shortcut, join: Join
) -> Iterator[tuple[str, object, object]]:
    """Column, value and parsed value wherever they differ."""
    try:
        content, losses = written_file(shortcut)
    except UnwritableError:
        return
    if losses:
        if any(loss.kind == "changed_actions" for loss in losses):
            yield "canonical_digest", shortcut.canonical_digest, "another digest"
        return
    try:
        again = parse_shortcut(content, shortcut.source_uri)
    except BenchloomError as error:
        yield "actions", "no shortcut", str(error)
        return
    for name in _COLUMNS:
        said, parsed = getattr(shortcut, name), getattr(again, name)
        if said != parsed:
            yield name, said, parsed
    for action, parsed in zip(shortcut.actions, join(again), strict=True):
        plain = msgspec.structs.replace(action, definition_id=None)
        if plain != parsed:
            yield f"action {action.index}", _shown(plain, parsed), _shown(parsed, plain)
    if shortcut.needs_input != again.needs_input:
        yield "needs_input", shortcut.needs_input, again.needs_input
    if shortcut.languages != languages_of(shortcut) and shortcut.split is not None:
        yield "languages", shortcut.languages, languages_of(shortcut)


def _shown(action: Action, other: Action) -> str:
    names = [n for n in action.__struct_fields__ if getattr(action, n) != getattr(other, n)]
    text = ", ".join(f"{n} {getattr(action, n)}" for n in names)
    return text if len(text) <= 200 else f"{text[:199]}…"
