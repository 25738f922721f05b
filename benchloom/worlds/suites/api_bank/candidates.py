"""Convert recorded dialogues of API-Bank to candidate tasks.

A candidate consists of the user's turns, and of the recorded calls as its plan. A candidate becomes
a task if later checks show that the plan fulfils what the user requests.
"""

from collections.abc import Iterator, Sequence

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Rejected
from benchloom.exchange.foreign.catalogue import stem_of
from benchloom.exchange.foreign.records import records_of
from benchloom.exchange.formats.api_bank.declared import RIGHTS
from benchloom.exchange.formats.api_bank.lines import read_talk
from benchloom.exchange.formats.api_bank.talks import Talk, split_of
from benchloom.storage.inputs import SourceObject
from benchloom.worlds.suites.api_bank.databases import Databases, databases_of
from benchloom.worlds.suites.api_bank.replay import EXCLUDED, full_name, repeated, tool_name
from benchloom.worlds.suites.api_bank.tool import ApiBankTool
from benchloom.worlds.suites.api_bank.user_copy import is_dialogue, read_databases
from benchloom.worlds.suites.api_bank.world import NAME, world
from benchloom.worlds.task import Candidate, PlannedCall, RequestedAnswer
from benchloom.worlds.world import World

_LARGE = {
    "history": "QueryHistoryToday",
    "image_captioning": "ImageCaption",
    "question_answering": "DocumentQA",
    "search_engine": "SearchEngine",
    "speech_recognition": "SpeechRecognition",
    "stock": "QueryStock",
    "symptom": "SymptomSearch EmergencyKnowledge",
    "wiki": "Wiki",
}
"""A mapping from each large, read-only database to the names of the tools that read it.

A candidate whose plan calls none of these tools has an empty database in its initial state.
"""
_EMPTY = Databases()


def candidates(files: Sequence[SourceObject], seed: int) -> Iterator[Candidate]:
    """Yield a candidate for each dialogue whose repeated calls return the recorded results.

    The initial state of a candidate contains all databases except the large ones that its plan
    does not read. Calls of tools in `EXCLUDED`, such as the search for tools, are not part of the
    plan. `seed` has no effect.

    Raises:
        RunError: the files contain no database.
    """
    del seed
    start = read_databases(files)
    suite_world, databases = world(start), databases_of(start)
    for source in files:
        talk = _talk(source)
        calls = None if talk is None else _plan(talk, suite_world)
        if talk is not None and calls:
            yield _candidate(source, talk, calls, suite_world, databases)


def _talk(source: SourceObject) -> Talk | None:
    rejected = list[Rejected]()
    try:
        data = source.read()
        if not is_dialogue(source.source_uri, data):
            return None
        talk = read_talk(records_of(source.source_uri, data), rejected)
    except RejectedInputError:
        return None
    has_user = any(turn.role == "user" for turn in talk.turns)
    return talk if has_user and not rejected else None


def _plan(talk: Talk, suite_world: World) -> tuple[PlannedCall, ...] | None:
    planned_calls: list[PlannedCall] = []
    for repetition in repeated(talk.calls, suite_world):
        full = full_name(repetition.name)
        tool = suite_world.tools.get(full)
        if not isinstance(tool, ApiBankTool) or not repetition.is_equal:
            return None
        planned_calls.append(PlannedCall(full, tool.cast(repetition.arguments)))
    has_results = all(call.result or tool_name(call) in EXCLUDED for call in talk.calls)
    return tuple(planned_calls) if has_results else None


def _candidate(
    source: SourceObject,
    talk: Talk,
    calls: tuple[PlannedCall, ...],
    suite_world: World,
    databases: Databases,
) -> Candidate:
    reads = all(suite_world.tools[call.tool].reads for call in calls)
    return Candidate(
        suite=NAME,
        start=start_for(databases, [call.tool for call in calls]),
        turns=tuple(turn.text for turn in talk.turns if turn.role == "user"),
        calls=calls,
        asked=RequestedAnswer(len(calls) - 1) if reads else None,
        source=NAME,
        source_id=stem_of(source.source_uri),
        source_uri=source.source_uri,
        license=RIGHTS.licence,
        split=split_of(source.source_uri),
    )


def start_for(databases: Databases, tools: Sequence[str]) -> str:
    """Return an initial state without the large databases that none of these tools reads.

    `tools` has full names, such as `api_bank.QueryStock`.
    """
    tool_names = {name.rpartition(".")[2] for name in tools}
    unused = {
        field: getattr(_EMPTY, field)
        for field, readers in _LARGE.items()
        if tool_names.isdisjoint(readers.split())
    }
    used_databases = msgspec.structs.replace(databases, **unused)
    return msgspec.json.encode(used_databases, order="sorted").decode()
