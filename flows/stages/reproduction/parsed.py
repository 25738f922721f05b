"""This release gate checks that a shortcut, written as a file and parsed again, is the same.

This checks everything that parsing derives from the parameters of actions: references, blocks,
needs for input, oddities of the actions, digests. The digests of a row with redacted actions are
the digests of the original, so they are not compared. A row is skipped if a file cannot hold all of
it.
"""

from collections.abc import Iterator
from functools import partial

import msgspec

from benchloom.core.errors import BenchloomError
from benchloom.core.plain_words import shortened
from benchloom.core.records import Action, Shortcut
from benchloom.exchange.formats._shortcut_file import UnwritableError
from benchloom.exchange.formats.shortcut import written_file
from benchloom.normalise.definitions import DefinitionIndex
from benchloom.normalise.shortcuts.languages import languages_of
from benchloom.release.gates import GateView, Part, Piece
from flows.stages.reproduction.joined import definition_index
from flows.stages.reproduction.redacted import is_redacted
from parsers.shortcuts import parse_shortcut
from parsers.shortcuts.arguments import with_implicit_inputs

_DIGESTS = ("shortcut_id", "canonical_digest")
_COUNTS = ("length", "level", "unique_api_count")
_CHANGED = "changed_actions"


def parts(release: GateView) -> Iterator[Part]:
    """Yield a function for each part of the release, which yields a message per changed column."""
    yield from (partial(_findings, piece) for piece in release.pieces("shortcuts"))


def _findings(piece: Piece, release: GateView) -> Iterator[str]:
    index = definition_index(release)
    for shortcut in release.records(piece, Shortcut):
        location = f"shortcuts: {shortcut.shortcut_id} ({shortcut.source_digest})"
        for name, released, parsed in _differences(shortcut, index):
            yield f"{location}: {name} is {released}, but {parsed} after parsing its actions again"


def _differences(
    shortcut: Shortcut, index: DefinitionIndex | None
) -> Iterator[tuple[str, object, object]]:
    """Yield the name, released value and parsed value of each column whose values differ."""
    try:
        content, losses = written_file(shortcut)
    except UnwritableError:
        return
    is_changed = bool(shortcut.redactions) or is_redacted(shortcut.actions)
    kinds = {loss.kind for loss in losses}
    if _CHANGED in kinds and not is_changed:
        yield "canonical_digest", shortcut.canonical_digest, "another digest"
    if kinds - ({_CHANGED} if is_changed else set()):
        return
    try:
        again = parse_shortcut(content, shortcut.source_uri)
    except BenchloomError as error:
        yield "actions", "no shortcut", str(error)
        return
    for name in _COUNTS if is_changed else (*_DIGESTS, *_COUNTS):
        released, parsed = getattr(shortcut, name), getattr(again, name)
        if released != parsed:
            yield name, released, parsed
    actions = again.actions if index is None else with_implicit_inputs(again, index.find)
    for action, reread in zip(shortcut.actions, actions, strict=True):
        plain = msgspec.structs.replace(action, definition_id=None)
        if plain != reread:
            yield f"action {action.index}", _shorten(plain, reread), _shorten(reread, plain)
    if shortcut.needs_input != again.needs_input:
        yield "needs_input", shortcut.needs_input, again.needs_input
    if shortcut.languages != languages_of(shortcut) and shortcut.split is not None:
        yield "languages", shortcut.languages, languages_of(shortcut)


def _shorten(action: Action, again: Action) -> str:
    names = [n for n in action.__struct_fields__ if getattr(action, n) != getattr(again, n)]
    return shortened(", ".join(f"{n} {getattr(action, n)}" for n in names), 200)
