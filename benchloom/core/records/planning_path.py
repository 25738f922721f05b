"""A plan over one or more apps: steps, and the references that carry values between them."""

from typing import Literal

import msgspec

Category = Literal["SS", "SM", "MS", "MM", "none"]
Mode = Literal["flow", "name"]


class StepArgument(msgspec.Struct, frozen=True, gc=False):
    """One supplied parameter of a step.

    `kind` is literal, reference or composed. A reference takes `output` of step `from_step` (all of
    its result where `output` is None), and `value` is still the value the source supplied. What is
    composed has results inside a text, a list or an object. `is_json` says that `value` is no text
    but JSON, as `benchloom.core.records.values.to_json` writes it. `provenance` says where the
    value was first introduced: user (the user gave it for this argument), carried (the user gave
    it for another argument), result (an earlier step returned it), default (of the definition),
    system (put forward by the system, and by no result), unknown, or name (name mode does not
    look). `turn` is the index of the turn that introduced it, where a turn did.
    """

    name: str
    kind: Literal["literal", "reference", "composed"]
    value: str
    from_step: int | None = None
    output: str | None = None
    provenance: str = "name"
    turn: int | None = None
    is_json: bool = False


class Step(msgspec.Struct, frozen=True, gc=False):
    """One call.

    `definition_id` leads to its ApiDefinition; `app` and `api` are the names the plan shows.
    `returns` are the names of its outputs. `outcome` is ok, failed (it brought nothing, or only
    what the system offers instead), retried (failed, and the API is called again later) or
    superseded (its result is unused and the very next call asks the same API again).
    """

    index: int
    app: str
    api: str
    arguments: tuple[StepArgument, ...]
    returns: tuple[str, ...]
    outcome: Literal["ok", "failed", "retried", "superseded"]
    definition_id: str


class Edge(msgspec.Struct, frozen=True, gc=False):
    """`argument` of `to_step` takes `output` of `from_step`.

    `output` is empty for the whole result. `evidence` is name (equal names, values not compared),
    declared (the source writes references down), or how the value came into the dialogue and how
    the names relate, as in offered/same_slot: offered, informed, confirmed, requested (the system
    act that first named the value) or returned (no act named it); then same_slot, equivalent_slot
    or other_slot.
    """

    from_step: int
    output: str
    to_step: int
    argument: str
    evidence: str


class PlanSource(msgspec.Struct, frozen=True, gc=False):
    """A dialogue a plan was made from: its id, its file, and the split its dataset has it in."""

    source_id: str
    source_uri: str
    split: str


class PlanningPath(msgspec.Struct, frozen=True, gc=False):
    """One plan.

    `path_id` is the digest of its steps and references, so equal plans share it. A converter makes
    a plan of each dialogue; a release holds equal plans once, with all their `dialogues`, the one
    whose turns and provenance the plan shows first. `split` is train, validation or test, and None
    where no dataset tells one of them.
    `parallel_scale` counts the weakly connected components of the call graph, `sequential_scales`
    are their sizes, largest first. `oddities` are sorted words for what was tolerated.
    `tools` are the sorted ids of definitions that were offered and that no step calls. A plan
    without steps says that calling none of its `tools` is right, or, with the oddity `no_tools`,
    that calling nothing is right where no tool was offered; its id is the digest of its tools, and
    its category is none.
    """

    path_id: str
    source: str
    dialogues: tuple[PlanSource, ...]
    split: str | None
    category: Category
    reference_mode: Mode
    steps: tuple[Step, ...]
    edges: tuple[Edge, ...]
    parallel_scale: int
    sequential_scales: tuple[int, ...]
    oddities: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()

    @property
    def source_id(self) -> str:
        """Id of the first dialogue."""
        return self.dialogues[0].source_id

    @property
    def source_uri(self) -> str:
        """File of the first dialogue."""
        return self.dialogues[0].source_uri

    @property
    def source_split(self) -> str:
        """The split that the source has the first dialogue in."""
        return self.dialogues[0].split


class Utterance(msgspec.Struct, frozen=True, gc=False):
    """One turn; `turn` is its place among all turns of the dialogue, from 0.

    It was said before call number `before` of the plan, which counts from 0; None where the source
    is read for what was said alone.
    """

    turn: int
    text: str
    role: Literal["system", "user", "assistant"] = "user"
    before: int | None = None


class RecordedResult(msgspec.Struct, frozen=True, gc=False):
    """What call number `call` of the plan gave back when the dialogue was recorded.

    `output` and `input`, the arguments as the tool understood them, are JSON as
    `benchloom.core.records.values.to_json` writes it; `exception` tells why the call failed.
    """

    call: int
    output: str
    input: str | None = None
    exception: str | None = None


class Dialogue(msgspec.Struct, frozen=True, gc=False):
    """What was said and found in one dialogue, with the rights in it.

    `dialogue_id` is the digest of `source`, `source_split` (both as the dataset has them) and
    `source_id`; the dialogue stands among the `dialogues` of the plan `path_id`, and in its
    `split`. Where nothing was called there is no plan, and the split is the dataset's under our
    name, or None. `licence` and `attribution` are what the dataset asks of those who pass its
    words on. `is_whole` is false where a turn was too long, was no text, or stood behind too many
    others. Sources that are read for the words of users alone bring no other turn and no
    result.
    """

    dialogue_id: str
    source: str
    source_id: str
    source_uri: str
    source_split: str
    split: str | None
    path_id: str | None
    licence: str
    attribution: str
    utterances: tuple[Utterance, ...]
    results: tuple[RecordedResult, ...] = ()
    is_whole: bool = True
