"""Read one of the datasets that are compared: a release, or a folder of tables from a stage.

Missing columns are read as null, so that tables in earlier formats can be compared.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec

from benchloom.core.errors import RunError
from benchloom.normalise.plans.assembly import release_split
from benchloom.release.manifest import MANIFEST, read_manifest
from benchloom.storage.inputs import nothing_in
from benchloom.storage.tables import UNSPLIT, open_parquet, table_parts

TABLES: Final = ("queries", "dialogues", "planning_paths", "shortcuts", "api_definitions")
"""The tables that are compared. A dataset must have at least one of them."""
_NO_REQUESTS: Final = frozenset({"category", "parameters"})  # Kinds of texts that are not requests.
_BATCH_ROWS: Final = 512
_SERVICE: Final = re.compile(r"_\d+$")


class Row(NamedTuple):
    """A row to compare: its split, its id and its text."""

    split: str
    row_id: str
    content: str


class Entity(NamedTuple):
    """An app, an API or a definition that is used or defined by rows of a split."""

    kind: str
    split: str
    name: str

    @property
    def key(self) -> str:
        """The name for comparison, which is equal for all spellings of an app or an API."""
        return self.name if self.kind == "definition" else folded(self.name)


class _Argument(msgspec.Struct, frozen=True):
    name: str
    from_step: int | None = None
    output: str | None = None


class _Step(msgspec.Struct, frozen=True):
    app: str
    api: str
    arguments: tuple[_Argument, ...] = ()


class _Turn(msgspec.Struct, frozen=True):
    text: str
    role: str = "user"


class _Action(msgspec.Struct, frozen=True):
    identifier: str
    app: str | None = None


T = TypeVar("T")


class Side(NamedTuple):
    """One of the datasets that are compared: a folder with tables, and its name in the report."""

    folder: Path
    name: str

    def texts(self) -> Iterator[Row]:
        """Yield the texts of all requests, and one text per dialogue with all the user's turns."""
        columns = ["query_id", "kind", "split", "target_id", "text"]
        plans = {} if (self.folder / MANIFEST).is_file() else self._splits()
        for row_id, kind, split, target, text in self._values("queries", columns):
            if kind not in _NO_REQUESTS and text:
                # In a release, texts have a split; in an import, only their plans have one.
                yield Row(_split(split or plans.get(target)), str(row_id), str(text))
        columns = ["dialogue_id", "split", "utterances"]
        for row_id, split, utterances in self._values("dialogues", columns):
            turns = _read("dialogues", utterances or (), tuple[_Turn, ...])
            words = [turn.text for turn in turns if turn.role == "user"]
            if words:
                yield Row(_split(split), str(row_id), "\n".join(words))

    def _splits(self) -> dict[object, object]:
        return {
            path_id: split
            for path_id, split in self._values("planning_paths", ["path_id", "split"])
            if split is not None
        }

    def plans(self) -> Iterator[Row]:
        """Yield a row per plan.

        Its text is the plan's structure: the calls with argument names, no values.
        """
        for path_id, split, steps in self._values("planning_paths", ["path_id", "split", "steps"]):
            plan_steps = _read("planning_paths", steps or (), tuple[_Step, ...])
            yield Row(_split(split), str(path_id), _structure(plan_steps))

    def shortcuts(self) -> Iterator[Row]:
        """Yield a row per shortcut.

        Its text is the shortcut's name, or empty if the name is missing.
        """
        for shortcut_id, split, name in self._values("shortcuts", ["shortcut_id", "split", "name"]):
            yield Row(_split(split), str(shortcut_id), str(name or ""))

    def entities(self) -> Iterator[Entity]:
        """Yield the apps and APIs that plans and shortcuts use, and all API definitions."""
        for split, steps in self._values("planning_paths", ["split", "steps"]):
            for step in _read("planning_paths", steps or (), tuple[_Step, ...]):
                if step.app:
                    yield Entity("app", _split(split), step.app)
                yield Entity("api", _split(split), step.api)
        for split, actions in self._values("shortcuts", ["split", "actions"]):
            for action in _read("shortcuts", actions or (), tuple[_Action, ...]):
                yield Entity("api", _split(split), action.identifier)
                if action.app:
                    yield Entity("app", _split(split), action.app)
        for (definition_id,) in self._values("api_definitions", ["definition_id"]):
            yield Entity("definition", UNSPLIT, str(definition_id))

    def _values(self, table: str, columns: Sequence[str]) -> Iterator[tuple[object, ...]]:
        for part in table_parts(self.folder, table):
            with open_parquet(part) as file:
                existing = [name for name in columns if name in file.schema_arrow.names]
                for batch in file.iter_batches(_BATCH_ROWS, columns=existing, use_threads=False):
                    nothing = [None] * batch.num_rows
                    yield from zip(
                        *(
                            batch.column(n).to_pylist() if n in existing else nothing
                            for n in columns
                        ),
                        strict=True,
                    )


def open_side(folder: Path) -> Side:
    """Open a folder with tables to compare.

    The name of a release includes its version and digest.
    """
    if not any(table_parts(folder, table) for table in TABLES):
        message = f"{folder} has none of the tables {', '.join(TABLES)}; pass a release or stage"
        raise nothing_in(folder, message)
    if (folder / MANIFEST).is_file():
        return Side(folder, f"{folder.name or folder} {read_manifest(folder).content_digest[-8:]}")
    return Side(folder, folder.name or str(folder))


def folded(name: str) -> str:
    """Normalise a name: `Find_Trains` -> `findtrains`, `Hotels_2` -> `hotels`."""
    plain = _SERVICE.sub("", name).casefold()
    return "".join(letter for letter in plain if letter.isalnum()) or name


def _split(split: object) -> str:
    return release_split([str(split)]) or UNSPLIT


def _read(table: str, value: object, kind: type[T]) -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise RunError(f"{table} is not a table of benchloom: {error}") from error


def _structure(steps: Sequence[_Step]) -> str:
    # Sets made from one source spell names differently, so names are normalised and apps left out.
    parts = []
    for step in steps:
        names = sorted(
            folded(argument.name)
            if argument.from_step is None
            else f"{folded(argument.name)}<{argument.from_step}.{folded(argument.output or '')}"
            for argument in step.arguments
        )
        parts.append(f"{folded(step.api)}({', '.join(names)})")
    return "; ".join(parts)
