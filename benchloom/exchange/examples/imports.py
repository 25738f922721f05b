"""Collect the rows of an import: plans, requests and dialogues, or rejected rows."""

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from benchloom.core.identity import digest_of_parts
from benchloom.core.records import (
    Dialogue,
    PlanningPath,
    Query,
    RecordedResult,
    Rejected,
    Utterance,
)
from benchloom.exchange.examples.dialogues import Rights, dialogue_of
from benchloom.exchange.examples.example import Example, Finding
from benchloom.exchange.examples.plans import answer_text, plan_of
from benchloom.normalise.plans.assembly import PlanSources
from benchloom.normalise.plans.gate import UNDEFINED

STAGE = "import"  # the `stage` of rows that an import rejects
UNSTATED = Rights("", "")  # the rights of a data set without a stated licence
NEVER_IMPORTED = frozenset({"duplicate", "no_calls"})
"""The kinds of faults that exclude an example even if the user keeps examples with faults."""
MAX_LISTED = 10  # examples of each kind of finding that a report shows


_Content: TypeAlias = tuple[tuple[Utterance, ...], tuple[RecordedResult, ...]]


class ImportedSample(msgspec.Struct, frozen=True):
    """An example that illustrates a kind of fault in the report of an import."""

    source_uri: str
    source_id: str
    request: str
    messages: tuple[str, ...]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Statistics of an import: the number of examples with each kind of fault, also by file."""

    examples: int
    invalid: int  # examples with at least one finding
    kept: int
    findings: dict[str, int]
    by_file: dict[str, dict[str, int]]  # counts by the file's location
    shown: dict[str, tuple[ImportedSample, ...]]


class ImportedRows:
    """Collects the rows into which an import converts examples.

    With `keep_invalid`, examples with faults become rows too. `damaged` contains a rejected row for
    each record or file that could not be read.
    """

    def __init__(self, *, keep_invalid: bool = False, rights: Rights = UNSTATED) -> None:
        self._keep_invalid = keep_invalid
        self._rights = rights
        self.dialogues: list[Dialogue] = []
        self._contents: dict[tuple[str, str, str], _Content] = {}
        self._paths: dict[str, list[PlanningPath]] = {}
        self._sources = PlanSources()
        self.queries: dict[str, Query] = {}
        self.damaged: list[Rejected] = []
        self._refused: list[Rejected] = []
        self._counts: Counter[str] = Counter()
        self._by_file: dict[str, Counter[str]] = {}
        self._samples: dict[str, list[ImportedSample]] = {}
        self._examples = self._invalid = self._kept = 0

    def add(self, example: Example, findings: Sequence[Finding]) -> None:
        """Convert an example to rows, or to a rejected row if it has faults (`findings`)."""
        self._examples += 1
        dialogue = self._dialogue(example)
        if dialogue is not None and self._first(dialogue) != _content(dialogue):
            findings = (*findings, Finding("repeated_id", f"{example.source_id} has other content"))
        if findings:
            self._note(example, findings)
        kinds = {finding.kind for finding in findings}
        if findings and (not self._keep_invalid or kinds & NEVER_IMPORTED):
            self._refused.append(_rejection(example, findings))
            return
        self._kept += 1
        path_id = self._plan(example, kinds) if example.is_plan else None
        if dialogue is not None and _dialogue_key(dialogue) not in self._contents:
            self._contents[_dialogue_key(dialogue)] = _content(dialogue)
            self.dialogues.append(replace(dialogue, path_id=path_id))

    def _dialogue(self, example: Example) -> Dialogue | None:
        if example.turns or any(call.result is not None for call in example.calls):
            return dialogue_of(example, None, self._rights)
        return None

    def _first(self, dialogue: Dialogue) -> _Content:
        """Return the content of the first row of a dialogue, which may be the given row.

        The caller compares it with the given row, because all rows of a dialogue must be equal.
        """
        return self._contents.get(_dialogue_key(dialogue), _content(dialogue))

    def _plan(self, example: Example, kinds: AbstractSet[str]) -> str:
        path = plan_of(example)
        if kinds:
            path = replace(path, oddities=tuple(sorted({*kinds, *path.oddities})))
        self._paths.setdefault(path.path_id, []).append(path)
        self._sources.add(path.path_id, path.dialogues)
        if example.request is not None:
            row = _query_of(path.path_id, example.request, answer_text(example))
            self.queries[row.query_id] = row
        return path.path_id

    def rejected(self) -> list[Rejected]:
        """Return the rejected rows, for unreadable or faulty examples, sorted by their location."""
        return sorted([*self.damaged, *self._refused], key=_order)

    def paths(self, *, undefined: bool = False) -> Iterator[PlanningPath]:
        """Yield one row for each plan, with all dialogues that contain the plan.

        The row has the oddities (words for tolerated faults) of all these dialogues. Its other
        fields are from the first dialogue. With `undefined`, a further oddity says that the import
        had no API definitions.
        """
        for path_id, equal in self._paths.items():
            merged = self._sources.of(path_id)
            chosen = next(path for path in equal if path.dialogues[0] == merged[0])
            odd = {word for path in equal for word in path.oddities}
            odd |= {UNDEFINED} if undefined else set()
            yield replace(chosen, dialogues=merged, oddities=tuple(sorted(odd)))

    def report(self) -> Report:
        """Return the report of the import up to now."""
        order = sorted(self._counts, key=lambda kind: (-self._counts[kind], kind))
        return Report(
            examples=self._examples,
            invalid=self._invalid,
            kept=self._kept,
            findings={kind: self._counts[kind] for kind in order},
            by_file={uri: dict(sorted(counts.items())) for uri, counts in self._by_file.items()},
            shown={kind: tuple(self._samples[kind]) for kind in order},
        )

    def _note(self, example: Example, findings: Sequence[Finding]) -> None:
        self._invalid += 1
        messages: dict[str, list[str]] = {}
        for finding in findings:
            messages.setdefault(finding.kind, []).append(finding.message)
        self._counts.update(messages.keys())
        self._by_file.setdefault(example.source_uri, Counter()).update(messages.keys())
        for kind, kind_messages in messages.items():
            samples = self._samples.setdefault(kind, [])
            if len(samples) < MAX_LISTED:
                text = example.request or ""
                samples.append(
                    ImportedSample(
                        example.source_uri, example.source_id, text, tuple(kind_messages)
                    )
                )


def _query_of(path_id: str, request: str, answer: str | None = None) -> Query:
    return Query(
        query_id=query_id(path_id, request),
        target_id=path_id,
        kind="query",
        text=request,
        structured=answer,
        prompt_digest=None,
        completion_digest=None,
        model=None,
        generator="given",
        tokens_in=0,
        tokens_out=0,
        usd=0.0,
    )


def query_id(target_id: str, text: str) -> str:
    """Return the id of an imported request: a digest of its text and of its plan's id."""
    return digest_of_parts("query", [target_id, "query", "given", text, ""])


def _dialogue_key(dialogue: Dialogue) -> tuple[str, str, str]:
    return (dialogue.source, dialogue.source_uri, dialogue.source_id)


def _content(dialogue: Dialogue) -> _Content:
    return (dialogue.utterances, dialogue.results)


def _order(row: Rejected) -> tuple[str, str, str, str]:
    return (row.source_uri, row.reason, row.digest or "", row.message)


def _rejection(example: Example, findings: Sequence[Finding]) -> Rejected:
    finding_text = "; ".join(f"{finding.kind}: {finding.message}" for finding in findings)
    return Rejected(
        STAGE,
        f"{example.source_uri}#{example.source_id}",
        findings[0].kind,
        f"{example.source_id}: {finding_text}",
        example.target_id or None,
    )
