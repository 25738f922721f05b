"""The result of one recorded call to a service."""

from typing import Literal, TypeAlias

import msgspec

ServiceOutcome: TypeAlias = Literal["ok", "empty", "failed"]


class ResultRow(msgspec.Struct, frozen=True, gc=False):
    """One row of a result: its place from 0, and its values by slot as JSON.

    `requested` are the slots whose values in this row the user asked for and was given, sorted.
    """

    rank: int
    values: str
    requested: tuple[str, ...] = ()


class Wording(msgspec.Struct, frozen=True, gc=False):
    """The user's words for the value of an argument, where they differ from the value."""

    argument: str
    words: str


class ServiceResult(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One recorded call of a dialogue, and the result its service returned.

    `dialogue_id`, `source`, `source_id`, `source_uri`, `split`, `path_id`, `licence` and
    `attribution` are those of the dialogue, as in its row of `dialogues`. `call` is the index
    of the call from 0, `turn` the index of its turn. `service` and `method` are the source's
    names; `definition_id` refers to the definition of the method. `arguments` are JSON with
    canonical values, sorted by name. `outcome` is ok, empty (a query without matches) or failed
    (a transaction that the service did not do; `rows` then contain the alternatives that the
    service offers). `wordings` are the user's words for values of arguments.
    """

    dialogue_id: str
    source: str
    source_id: str
    source_uri: str
    split: str | None
    path_id: str
    call: int
    turn: int
    service: str
    method: str
    definition_id: str
    arguments: str
    outcome: ServiceOutcome
    rows: tuple[ResultRow, ...]
    licence: str
    attribution: str
    wordings: tuple[Wording, ...] = ()
