"""Convert the dialogues of one folder to plans, one at a time.

Format: a list of dialogues with turns, frames and acts, and a `schema.json` beside them.
Source: github.com/google-research-datasets/dstc8-schema-guided-dialogue (CC BY-SA 4.0).
"""

from collections.abc import Collection, Iterator, Mapping

from benchloom.core.records import PlanningPath
from benchloom.core.records.planning_path import Mode
from benchloom.normalise.plans.assembly import build_path
from benchloom.normalise.plans.gate import check_plan
from parsers.dialogues.conversion.readers import Folder, Reader, recorded_or_rebuilt
from parsers.dialogues.material import Droppable, Refused
from parsers.dialogues.sgd.model import Dialogue, LeanDialogue, RebuiltDialogue
from parsers.dialogues.sgd.schema import Schema
from parsers.dialogues.tracing.calls import lean_calls
from parsers.dialogues.tracing.flow_mode import traced_calls
from parsers.dialogues.tracing.flow_steps import Plan, flow_steps
from parsers.dialogues.tracing.name_mode import PublishedApi, name_steps
from parsers.errors import ParseError


class Converter:
    """Converts the files of one folder.

    `published` has the APIs as name mode shows them, by definition. Flow mode leaves out calls
    whose outcome is in `drop`. Plans store `split` and `source`. `read` reads a file into dialogues
    with calls; by default it reads calls recorded as in SGD.
    """

    def __init__(
        self,
        schema: Schema,
        mode: Mode,
        split: str,
        published: Mapping[str, PublishedApi] | None = None,
        drop: Collection[Droppable] = (),
        *,
        source: str = "sgd",
        read: Reader | None = None,
    ) -> None:
        self._schema = schema
        self._mode = mode
        self._split = split
        self._published = published or {}
        self._drop = frozenset(drop)
        self._source = source
        self._read = read or recorded_or_rebuilt(Folder(schema, mode))

    def convert(self, data: bytes, source_uri: str) -> Iterator[PlanningPath | Refused]:
        """Yield one plan or refusal for each dialogue of a file, in order."""
        for row in self.plans(data, source_uri):
            yield row if isinstance(row, Refused) else row[0]

    def plans(
        self, data: bytes, source_uri: str
    ) -> Iterator[tuple[PlanningPath, Dialogue | LeanDialogue] | Refused]:
        """Yield as `convert` does, each plan with its dialogue."""
        for dialogue in self._read(data):
            if isinstance(dialogue, Refused):
                yield dialogue
                continue
            try:
                path = self._convert_dialogue(dialogue, source_uri)
            except ParseError as error:
                yield Refused(dialogue.dialogue_id, error.reason, error.message)
                continue
            violations = check_plan(path, self._schema.shapes)
            if violations:
                message = "; ".join(f"{v.reason}: {v.message}" for v in violations[:5])
                yield Refused(path.source_id, violations[0].reason, message)
            else:
                yield path, dialogue

    def _convert_dialogue(self, dialogue: Dialogue | LeanDialogue, source_uri: str) -> PlanningPath:
        steps, edges, oddities = self._plan(dialogue)
        if isinstance(dialogue, RebuiltDialogue):
            oddities = tuple(sorted({*oddities, *dialogue.oddities}))
        return build_path(
            source=self._source,
            source_id=dialogue.dialogue_id,
            source_uri=source_uri,
            split=self._split,
            reference_mode=self._mode,
            steps=steps,
            edges=edges,
            oddities=oddities,
        )

    def _plan(self, dialogue: Dialogue | LeanDialogue) -> Plan:
        if isinstance(dialogue, LeanDialogue):
            traced = []
            calls = lean_calls(dialogue, self._schema)
        else:
            traced = traced_calls(dialogue, self._schema)
            calls = [traced_call.call for traced_call in traced]
        if not calls:
            raise ParseError("no_calls", "the dialogue calls no API")
        if self._mode == "name":
            return name_steps(calls, self._published)
        return flow_steps(traced, self._drop)
