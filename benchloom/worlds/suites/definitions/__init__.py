"""The suite of worlds that are built from the API definitions of real apps.

The definitions come from the table `api_definitions` of a workspace or release, or from files.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from benchloom.core.errors import NothingReadError, RunError
from benchloom.core.records import ApiDefinition
from benchloom.storage.inputs import SourceObject
from benchloom.worlds.suite import Loaded, Suite, records_of
from benchloom.worlds.suites.definitions.requests.candidates import candidates_of
from benchloom.worlds.suites.definitions.world import starts_of, world
from benchloom.worlds.task import Candidate

_NAME = "definitions"
_KINDS = frozenset({"appintents", "sirikit", "toolkit", "wfactions"})
"""The kinds of sources that define APIs of apps; dialogue datasets have other suites."""


def load(files: Sequence[SourceObject]) -> Loaded:
    """Return an initial state for each app that has definitions in the files.

    Raises:
        RunError: a file of the table is damaged.
    """
    return Loaded(starts_of(_definitions(files)))


def candidates(files: Sequence[SourceObject], seed: int) -> Iterator[Candidate]:
    """Draw candidate tasks, which are requests to the apps that have definitions in the files.

    Raises:
        RunError: there are no definitions, or no requests fit them, or a file of definitions is
            damaged.
    """
    starts = starts_of(_definitions(files))
    if not starts:
        raise NothingReadError(
            f"suite '{_NAME}' needs definitions of apps; pass definition files or a release"
        )
    drawn_candidates = candidates_of(starts, _NAME, seed)
    first = next(drawn_candidates, None)
    if first is None:
        raise RunError(
            f"no requests fit the definitions of {len(starts)} apps, because their APIs have no "
            "clear effect, need values that no user says, or have no plain English titles; "
            "`world load` can still make worlds of these apps"
        )
    return chain([first], drawn_candidates)


def _definitions(files: Sequence[SourceObject]) -> Iterator[ApiDefinition]:
    for definition in records_of(files, "api_definitions", ApiDefinition):
        if definition.source_kind in _KINDS:
            yield definition


SUITE = Suite(
    about="Apps built from the definitions of their APIs; APIs are tools, and entities are tables.",
    world=world,
    load=load,
    candidates=candidates,
    table="api_definitions",
    source="definitions",
)
