"""Read the examples of a release, which join requests with plans or shortcuts and their tools."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from benchloom.core.records import ApiDefinition, Dialogue, Execution, PlanningPath, Shortcut
from benchloom.core.records.texts import REQUEST_KINDS
from benchloom.exchange.examples.dialogues import with_recorded
from benchloom.exchange.examples.example import Example, Result, Text
from benchloom.exchange.examples.plans import answer_of, example_of
from benchloom.exchange.examples.shortcuts.calls import example_of_shortcut
from benchloom.storage.tables import iter_records, table_parts
from benchloom.storage.tables.reader import read_rows

UNREADABLE = "unreadable_value"  # the reason for a plan with a value or result that is not JSON
FROM_FILE = "given"  # the `generator` of texts of people or other tools
Damaged = Callable[[str, str, str], None]
"""A function that is called with the id of an unreadable row, a stable reason and a message."""
_UNREADABLE = (msgspec.DecodeError, RecursionError, ValueError, KeyError, TypeError)
_COLUMNS = ["query_id", "target_id", "kind", "text", "kept", "generator", "structured"]


class Choice(msgspec.Struct, frozen=True):
    """The choice of examples to read: their split (None for all), and which requests to include.

    With `every`, rejected requests and rows without any request are included too. With `templates`,
    requests from templates are included.
    """

    split: str | None = None
    every: bool = False
    templates: bool = False


class Texts(msgspec.Struct, frozen=True):
    """The requests of a release by the id of their plan or shortcut.

    `left_out` maps each reason for excluding requests to the number of excluded requests.
    """

    by_target: dict[str, list[Text]]
    left_out: dict[str, int]


def read_texts(release: Path, choice: Choice) -> Texts:
    """Read the requests that match `choice`, in the order of the table `queries`."""
    texts_by_target: dict[str, list[Text]] = {}
    left_out = {"dropped_text": 0, "template_text": 0}
    for part in table_parts(release, "queries"):
        columns = read_rows(part, _COLUMNS).to_pydict()
        for query_id, target, kind, text, is_kept, generator, more in zip(
            *columns.values(), strict=True
        ):
            if kind not in REQUEST_KINDS:
                continue
            if not is_kept and not choice.every:
                left_out["dropped_text"] += 1
            elif generator == "template" and not choice.templates:
                left_out["template_text"] += 1
            else:
                answer = answer_of(more) if generator == FROM_FILE else msgspec.UNSET
                texts_by_target.setdefault(target, []).append(Text(query_id, text, answer))
    return Texts(texts_by_target, {why: count for why, count in left_out.items() if count})


def read_definitions(release: Path) -> dict[str, ApiDefinition]:
    """Return a mapping from id to API definition for a release."""
    if not table_parts(release, "api_definitions"):
        return {}
    rows = iter_records(release, "api_definitions", ApiDefinition)
    return {row.definition_id: row for row in rows}


def _read_recordings(release: Path) -> dict[tuple[str, str, str], Dialogue]:
    if not table_parts(release, "dialogues"):
        return {}
    return {
        (dialogue.source, dialogue.source_id, dialogue.source_split): dialogue
        for dialogue in iter_records(release, "dialogues", Dialogue)
        if dialogue.results
    }


def _read_runs(release: Path) -> dict[str, Execution]:
    if not table_parts(release, "executions"):
        return {}
    return {row.shortcut_id: row for row in iter_records(release, "executions", Execution)}


def _with_run(example: Example, run: Execution | None) -> Example:
    """Return the example of a shortcut with results from a recorded run of the shortcut.

    The result of a call is the first output of its action in the run.
    """
    outputs: dict[int, str] = {}
    for step in () if run is None else run.trace:
        if not step.shortcut:
            outputs.setdefault(step.step, step.output)
    calls = tuple(
        msgspec.structs.replace(call, result=Result(outputs[index])) if index in outputs else call
        for index, call in enumerate(example.calls)
    )
    return msgspec.structs.replace(example, calls=calls)


def splits_of(release: Path, table: str) -> tuple[str, ...]:
    """Return the sorted splits of a table's rows, except rows without a split."""
    splits: set[str] = set()
    for part in table_parts(release, table):
        splits.update(read_rows(part, ["split"]).column("split").unique().to_pylist())
    return tuple(sorted(split for split in splits if split))


def iter_examples(
    release: Path,
    table: str,
    choice: Choice,
    texts: Texts,
    definitions: Mapping[str, ApiDefinition],
    *,
    skipped: Callable[[str], None],
    damaged: Damaged | None = None,
    observed: bool = False,
) -> Iterator[Example]:
    """Yield the examples in the table `planning_paths` or `shortcuts`, in table order.

    With `observed`, calls of shortcuts get results from the table `executions`. If a row of the
    chosen split gives no example, `skipped` is called with the reason. If the reason is an
    unreadable value, `damaged` is called, too.
    """
    if table == "planning_paths":
        recorded = _read_recordings(release)
        for path in iter_records(release, table, PlanningPath):
            if choice.split in (None, path.split):
                origins = (
                    (path.source, dialogue.source_id, dialogue.split) for dialogue in path.dialogues
                )
                dialogues = [
                    recorded[dialogue_key] for dialogue_key in origins if dialogue_key in recorded
                ]
                for target_text in _chosen_texts(path.path_id, choice, texts, skipped):
                    try:
                        example = example_of(path, definitions, text=target_text)
                        example = with_recorded(example, dialogues)
                    except _UNREADABLE as error:
                        skipped(UNREADABLE)
                        if damaged is not None:
                            damaged(path.path_id, UNREADABLE, f"a value cannot be read: {error}")
                    else:
                        yield example
    else:
        runs = _read_runs(release) if observed else {}
        for row in iter_records(release, table, Shortcut):
            if choice.split in (None, row.split):
                # All empty shortcuts share one id, so a text cannot belong to one of them.
                target = row.shortcut_id if row.actions else ""
                target_texts = _chosen_texts(target, choice, texts, skipped)
                yield from (
                    _with_run(
                        example_of_shortcut(row, definitions, text=target_text), runs.get(target)
                    )
                    for target_text in target_texts
                )


def _chosen_texts(
    target_id: str, choice: Choice, texts: Texts, skipped: Callable[[str], None]
) -> Sequence[Text | None]:
    target_texts = texts.by_target.get(target_id)
    if target_texts:
        return target_texts
    if choice.every:
        return (None,)
    skipped("without_text")
    return ()
