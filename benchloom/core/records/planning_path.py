"""Records of plans (sequences of API calls in which later calls use results) and of dialogues."""

from typing import Literal

import msgspec

Category = Literal["SS", "SM", "MS", "MM", "none"]
Mode = Literal["flow", "name"]
Droppable = Literal["failed", "retried", "superseded"]
"""A plan may leave out calls with these outcomes."""


class StepArgument(msgspec.Struct, frozen=True, gc=False):
    """An argument that a step of a plan supplies.

    `kind` is literal, reference or composed. A reference takes `output` of step `from_step` (the
    whole result if `output` is None), and `value` is still the value that the source supplied. A
    composed value contains results in a text, a list or an object. `is_json` says that `value` is
    not text but JSON, as `benchloom.core.records.values.to_json` writes it.

    `provenance` says where the value was first introduced: user (the user gave it for this
    argument), carried (the user gave it for another argument), result (an earlier step returned
    it), default (the definition states it as the default), system (the system proposed it, and no
    result contains it), unknown, or name (the plan was built in name mode, in which equal names are
    references and the provenance is not determined). `turn` is the index of the turn that
    introduced the value, None if no turn did.
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
    """One API call of a plan.

    `definition_id` refers to its ApiDefinition; `app` and `api` are the names the plan shows.
    `returns` are the names of its outputs. `outcome` is ok, failed (the call returned nothing, or
    only alternatives that the system offers), retried (failed, and the API is called again later)
    or superseded (its result is unused and the very next call is to the same API).
    """

    index: int
    app: str
    api: str
    arguments: tuple[StepArgument, ...]
    returns: tuple[str, ...]
    outcome: Literal["ok", "failed", "retried", "superseded"]
    definition_id: str


class Edge(msgspec.Struct, frozen=True, gc=False):
    """A flow of data in a plan: `argument` of step `to_step` receives `output` of step `from_step`.

    `output` is empty for the whole result. `evidence` is name (equal names, values not compared),
    declared (the source states the reference), or two words with a slash, as in offered/same_slot.
    The first word says how the value came into the dialogue: offered, informed, confirmed,
    requested (the system act that first named the value) or returned (no act named it). The second
    word says how the names relate: same_slot, equivalent_slot or other_slot.
    """

    from_step: int
    output: str
    to_step: int
    argument: str
    evidence: str


class PlanSource(msgspec.Struct, frozen=True, gc=False):
    """A dialogue from which a plan was made: its id, its file, and its split in its dataset."""

    source_id: str
    source_uri: str
    split: str


class PlanningPath(msgspec.Struct, frozen=True, gc=False):
    """A plan, which is a sequence of API calls: a row of the table `planning_paths`.

    `path_id` is the digest of its steps and references, so equal plans share it. A converter makes
    one plan per dialogue. A release contains equal plans once, with all their `dialogues`; the plan
    shows the turns and provenance of the first. `split` is train, validation or test, and None if
    no dataset assigns one of these. `parallel_scale` counts the weakly connected components of the
    call graph, `sequential_scales` are their sizes, largest first. `oddities` are sorted words for
    irregularities that were tolerated.

    `tools` are the sorted ids of definitions that were offered and that no step calls. A plan
    without steps means that the right answer is to call none of its `tools`, or, with the oddity
    `no_tools`, to call nothing because no tool was offered; its id is the digest of its tools, and
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
        """The id of the first dialogue that has this plan."""
        return self.dialogues[0].source_id

    @property
    def source_uri(self) -> str:
        """The file of the first dialogue that has this plan."""
        return self.dialogues[0].source_uri

    @property
    def source_split(self) -> str:
        """The split, in its dataset, of the first dialogue that has this plan."""
        return self.dialogues[0].split


class Utterance(msgspec.Struct, frozen=True, gc=False):
    """A turn of a dialogue. `turn` is its index among all turns, from 0.

    The turn precedes call number `before` of the plan (calls count from 0); `before` is None if the
    source is read only for the words of users.
    """

    turn: int
    text: str
    role: Literal["system", "user", "assistant"] = "user"
    before: int | None = None


class RecordedResult(msgspec.Struct, frozen=True, gc=False):
    """The result of call number `call` of a plan, as the dataset recorded it.

    `output` and `input`, the arguments as the tool understood them, are JSON as
    `benchloom.core.records.values.to_json` writes it; `exception` says why the call failed.
    """

    call: int
    output: str
    input: str | None = None
    exception: str | None = None


class Dialogue(msgspec.Struct, frozen=True, gc=False):
    """A row of the table `dialogues`: the turns and results of one dialogue, with its licence.

    `dialogue_id` is the digest of `source`, `source_split` (both as the dataset has them) and
    `source_id`. The dialogue is among the `dialogues` of the plan `path_id` and has the plan's
    `split`. A dialogue without calls has no plan; its `split` is then the dataset's split, if that
    is train, validation or test, else None. `licence` and `attribution` state the dataset's
    conditions for redistributing its text. `is_whole` is false if a turn was too long, was not
    text, or came after too many other turns. Sources that are read only for the words of users have
    no other turns and no results.
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
