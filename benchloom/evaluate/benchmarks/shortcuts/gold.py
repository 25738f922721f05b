"""Read gold, which is the shortcuts of a release with their requests, or published records.

As in the published run, shortcuts have a length of 1 to 30, and none runs another shortcut. From a
release only the evaluation subset is used, which has stricter rules.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePosixPath

import msgspec
from msgspec.structs import replace

from benchloom.core.built_in_actions import RUN_SHORTCUT
from benchloom.core.errors import NothingReadError, RejectedInputError
from benchloom.core.records.shortcut import Action, level_of, measure
from benchloom.evaluate.benchmark import Report, Sample, unreported
from benchloom.evaluate.benchmarks.shortcuts.positions import LEVELS, calls_of, positions, uuids_of
from benchloom.evaluate.benchmarks.shortcuts.records import (
    INDEX,
    RECORD,
    IndexLine,
    RawRecord,
    actions_of,
)
from benchloom.evaluate.gold import (
    DamagedRecords,
    by_file_name,
    examples_of_release,
    is_release,
)
from benchloom.exchange.examples import Example
from benchloom.exchange.foreign.records import Record, records_of
from benchloom.storage.inputs import SourceObject, list_objects
from benchloom.storage.tables import table_parts
from benchloom.storage.tables.reader import read_rows

Essential = Mapping[int, frozenset[str]]  # names of parameters by the index of their action
_COLUMNS = ["query_id", "target_id", "kind", "kept", "structured"]
_STATED_OR_IMPLIED = frozenset({"stated", "implied"})
_SAY = "say"
_TABLE = "shortcuts"


class _Entry(msgspec.Struct, frozen=True, gc=False):
    action_index: int
    parameter: str
    relation: str = ""
    say: str = ""


_ENTRIES = msgspec.json.Decoder(list[_Entry])


# Essential parameters are those that a request has to state. They are taken from a text of the kind
# `parameters`, in which a judge marked each value as stated, implied or missing; otherwise from the
# list of values that the request was written for. If neither exists, the essential parameters are
# unknown, and every value that is not blank counts.
class Marks:
    """Looks up which parameters a request must state, as marked in the requests of a release."""

    def __init__(self, release: Path) -> None:
        self._of_request: dict[str, Essential] = {}
        self._of_target: dict[str, Essential] = {}
        for part in table_parts(release, "queries"):
            columns = read_rows(part, _COLUMNS).to_pydict()
            for query_id, target, kind, is_kept, structured in zip(*columns.values(), strict=True):
                marks = None if structured is None else _essential_parameters(structured)
                if marks is None:
                    continue
                if kind == "parameters" and is_kept:
                    self._of_target[target] = marks
                elif kind == "query":
                    self._of_request[query_id] = marks

    def of(self, query_id: str, target_id: str) -> Essential | None:
        """Return the essential parameters, which a request must state, by index of their action.

        Returns None if the release does not mark them.
        """
        return self._of_target.get(target_id, self._of_request.get(query_id))


def _essential_parameters(structured: str) -> Essential | None:
    parameter_names: dict[int, set[str]] = {}
    try:
        entries = _ENTRIES.decode(structured)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    for entry in entries:
        if entry.relation in _STATED_OR_IMPLIED or entry.say == _SAY:
            parameter_names.setdefault(entry.action_index, set()).add(entry.parameter)
    return {index: frozenset(names) for index, names in parameter_names.items()}


def read_gold(gold: Path, report: Report = unreported) -> Iterator[Sample]:
    """Yield the samples of a release in table order, or of JSON files in the order of their names.

    Raises RunError if `gold` contains no shortcut, or every record is damaged.
    """
    yield from _of_release(gold, report) if is_release(gold) else _of_files(gold, report)


def _of_release(release: Path, report: Report) -> Iterator[Sample]:
    examples = examples_of_release(release, _TABLE, report)
    marks, categories = Marks(release), _categories(release)
    for example in examples:
        row = example.shortcut
        if row is not None and row.evaluation and row.level in LEVELS:
            yield from positions(
                replace(example, calls=calls_of(row.actions), findings=()),
                uuids_of(row.actions),
                level=LEVELS[row.level],
                category=next((categories[i] for i in row.icloud_ids if i in categories), ""),
                essential=marks.of(example.example_id, example.target_id),
            )


def _categories(release: Path) -> dict[str, str]:
    categories: dict[str, str] = {}
    for part in table_parts(release, "listings"):
        columns = read_rows(part, ["icloud_id", "category"]).to_pydict()
        for icloud_id, category in zip(*columns.values(), strict=True):
            if icloud_id and category:
                categories.setdefault(icloud_id, category)
    return categories


def _of_files(gold: Path, report: Report) -> Iterator[Sample]:
    damage = DamagedRecords(report)
    with ExitStack() as stack:
        objects = list(list_objects([gold], stack))
        files = sorted((source for source in objects if _has(source, ".json")), key=by_file_name)
        lines = _index([source for source in objects if _has(source, ".jsonl")], damage)
        if not files:
            raise NothingReadError(f"{gold} is neither a release nor a JSON file; pass one of them")
        for file in files:
            of_file = lines.get(PurePosixPath(file.source_uri).name)
            if lines and not of_file:
                continue
            for record in _records(file, damage):
                try:
                    raw = record.decoded(RECORD)
                except RejectedInputError as error:
                    damage.add(
                        f"{record.source_uri}#{record.location}", error.reason, error.message
                    )
                    continue
                damage.any_read = True
                yield from _of_record(record, raw, of_file or [])
    damage.require_any()


def _of_record(record: Record, raw: RawRecord, lines: Sequence[IndexLine]) -> Iterator[Sample]:
    location = f"{record.source_uri}#{record.number}"
    actions = actions_of(raw.shortcut.actions)
    level = LEVELS.get(level_of(measure(actions).length) or 0)
    if level is None or any(action.identifier == RUN_SHORTCUT for action in actions):
        return
    requests = [(line.id, line.shortcut_id, line.request) for line in lines]
    for request_id, target, request in requests or [(location, raw.url or location, raw.query)]:
        yield from positions(
            _example(request_id, target, request, record, actions),
            uuids_of(actions),
            level=level,
            category=raw.category or "",
            essential=None,
        )


def _example(
    request_id: str, target: str, request: str | None, record: Record, actions: Sequence[Action]
) -> Example:
    return Example(
        example_id=request_id,
        target_id=target,
        source=_TABLE,
        source_id=target,
        source_uri=record.source_uri,
        request=request,
        calls=calls_of(actions),
    )


def _index(objects: Sequence[SourceObject], damage: DamagedRecords) -> dict[str, list[IndexLine]]:
    lines_by_file: defaultdict[str, list[IndexLine]] = defaultdict(list)
    for source in sorted(objects, key=by_file_name):
        for record in _records(source, damage):
            try:
                line = record.decoded(INDEX)
            except RejectedInputError as error:
                if error.reason != "wrong_shape":
                    damage.add(
                        f"{source.source_uri}#{record.location}", error.reason, error.message
                    )
                continue
            lines_by_file[PurePosixPath(line.file).name].append(line)
    return lines_by_file


def _records(file: SourceObject, damage: DamagedRecords) -> Iterator[Record]:
    try:
        yield from records_of(file.source_uri, file.read())
    except RejectedInputError as error:
        damage.add(file.source_uri, error.reason, error.message)


def _has(source: SourceObject, suffix: str) -> bool:
    return source.source_uri.endswith(suffix)
