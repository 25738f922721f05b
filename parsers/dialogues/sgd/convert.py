"""Schema-Guided Dialogue: a file of dialogues becomes plans, one dialogue at a time.

Format: a list of dialogues with turns, frames and acts, and a `schema.json` beside them.
Source: github.com/google-research-datasets/dstc8-schema-guided-dialogue (CC BY-SA 4.0).
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Literal

import msgspec

from benchloom.plans.assembly import build_path
from benchloom.plans.gate import check_plan
from benchloom.records import Edge, PlanningPath, Step
from benchloom.records.planning_path import Mode
from parsers.dialogues.sgd.model import Dialogue, LeanDialogue
from parsers.dialogues.sgd.reading import DamagedDialogue, DialogueReader
from parsers.dialogues.sgd.schema import Schema
from parsers.dialogues.tracing.calls import Call, lean_calls
from parsers.dialogues.tracing.flow_mode import traced_calls
from parsers.dialogues.tracing.flow_steps import flow_steps
from parsers.dialogues.tracing.name_mode import PublishedApi, name_steps
from parsers.dialogues.tracing.state_calls import rebuild_calls
from parsers.errors import ParseError

SOURCE = "sgd"
Droppable = Literal["failed", "retried", "superseded"]


class Refused(msgspec.Struct, frozen=True):
    """A dialogue that became no plan; `dialogue_id` is empty where none can be read."""

    dialogue_id: str
    reason: str
    message: str


class Converter:
    """Converts the files of one split.

    Args:
        schema: the split's services.
        mode: flow or name.
        split: name of the split, stored in each plan.
        published: name mode's view of the APIs (see `published_apis`), by definition.
        drop: outcomes whose calls flow mode leaves out; none by default.
    """

    def __init__(
        self,
        schema: Schema,
        mode: Mode,
        split: str,
        published: Mapping[str, PublishedApi] | None = None,
        drop: Collection[Droppable] = (),
    ) -> None:
        self._schema = schema
        self._mode = mode
        self._split = split
        self._published = published or {}
        self._drop = frozenset(drop)
        self._lean = DialogueReader(LeanDialogue)
        self._full = DialogueReader(Dialogue)

    def convert(self, data: bytes, source_uri: str) -> Iterator[PlanningPath | Refused]:
        """One plan or refusal for each dialogue of a file, in order.

        Raises:
            ParseError: not_dialogues: the file holds no list of dialogues at all.
        """
        recorded = b'"service_call"' in data
        reader = self._lean if self._mode == "name" and recorded else self._full
        for dialogue in reader.read(data):
            if isinstance(dialogue, DamagedDialogue):
                yield Refused(dialogue.dialogue_id, dialogue.reason, dialogue.message)
                continue
            try:
                if not recorded and isinstance(dialogue, Dialogue):
                    dialogue = rebuild_calls(dialogue, self._schema)  # noqa: PLW2901
                yield self._checked(self._convert_one(dialogue, source_uri))
            except ParseError as error:
                yield Refused(dialogue.dialogue_id, error.reason, error.message)

    def _checked(self, path: PlanningPath) -> PlanningPath | Refused:
        violations = check_plan(path, self._schema.shapes)
        if not violations:
            return path
        message = "; ".join(f"{v.reason}: {v.message}" for v in violations[:5])
        return Refused(path.source_id, violations[0].reason, message)

    def _convert_one(self, dialogue: Dialogue | LeanDialogue, source_uri: str) -> PlanningPath:
        steps: tuple[Step, ...]
        edges: tuple[Edge, ...]
        if isinstance(dialogue, LeanDialogue):
            steps, edges, flags = self._by_name(lean_calls(dialogue, self._schema))
        else:
            traced = traced_calls(dialogue, self._schema)
            if self._mode == "name":
                steps, edges, flags = self._by_name([one.call for one in traced])
            elif traced:
                steps, edges, flags = flow_steps(traced, self._drop)
            else:
                raise _no_calls()
        return build_path(
            source=SOURCE,
            source_id=dialogue.dialogue_id,
            source_uri=source_uri,
            split=self._split,
            reference_mode=self._mode,
            steps=steps,
            edges=edges,
            oddities=flags,
        )

    def _by_name(
        self, calls: list[Call]
    ) -> tuple[tuple[Step, ...], tuple[Edge, ...], tuple[str, ...]]:
        if not calls:
            raise _no_calls()
        return name_steps(calls, self._published)


def _no_calls() -> ParseError:
    return ParseError("no_calls", "the dialogue calls no API")
