"""Find out which shortcut uses which API, with an index that a background thread builds.

The index is built after the first page of rows was shown.

The actions of a release are nested in rows; reading them all takes seconds in a large release.
Therefore the pairs of API and shortcut are read only once, one column at a time, and stored by
digest.
"""

import threading
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.errors import RunError
from benchloom.release.descriptions.tables import parquet_path
from benchloom.storage.tables import open_parquet
from flows.explorer.open_release import OpenRelease

_BATCH = 2048
_MAX_GROUPS = 8
"""Maximum number of row groups of `shortcuts` that are read for the values of an API."""
_MAX_VALUES = 8
_LONGEST = 200
_WAIT = 8.0
"""Seconds that a page waits for the index."""
USED = "hash(shortcut_id) IN (SELECT key FROM uses WHERE api = ?)"
"""SQL condition for the shortcuts that use an API. The number of the API in the index is bound to
`?`."""


class Values(msgspec.Struct, frozen=True):
    """The most frequent values of an argument, with their counts.

    A literal value is shown as the start of its JSON, any other value as its kind in brackets.
    """

    argument: str
    values: tuple[tuple[str, int], ...]
    distinct: int


class Uses:
    """The index of the APIs that the shortcuts of one release use.

    `start` builds the index in a background thread.
    """

    def __init__(self, release: OpenRelease) -> None:
        self._release = release
        self._numbers: dict[str, int] = {}
        self._apps: dict[str, str] = {}
        self._places: list[tuple[Path, int]] = []
        self._ready = threading.Event()
        self._lock = threading.Lock()
        self._is_started = False
        self.fault = ""

    def start(self) -> None:
        """Start building the index, unless that has already started."""
        with self._lock:
            if not self._is_started:
                self._is_started = True
                threading.Thread(target=self._make, name="uses", daemon=True).start()

    def is_ready(self) -> bool:
        """Whether the index is ready, after waiting for it for a limited time."""
        self.start()
        return self._ready.wait(_WAIT)

    def number(self, api: str) -> int:
        """Return the number of an API in the index; it is negative if no shortcut uses the API."""
        return self._numbers.get(api, -1)

    def count(self, api: str) -> int:
        """Return how many shortcuts use an API."""
        rows = self._release.ask(
            "SELECT count(DISTINCT key) AS n FROM uses WHERE api = ?", [self.number(api)]
        )
        return int(rows[0]["n"])

    def apis_of(self, app: str) -> list[tuple[str, int]]:
        """Return the used APIs of an app with their numbers of shortcuts, the most used first."""
        names = {number: api for api, number in self._numbers.items() if self._apps[api] == app}
        rows = self._release.ask("SELECT api, count(DISTINCT key) AS n FROM uses GROUP BY api")
        counts = [(names[row["api"]], row["n"]) for row in rows if row["api"] in names]
        return sorted(counts, key=lambda pair: (-pair[1], pair[0]))

    def values(self, api: str) -> tuple[tuple[Values, ...], int]:
        """Return an API's frequent argument values, and how many of its invocations were read.

        At most a fixed number of row groups are read.
        """
        groups = self._release.ask(
            "SELECT DISTINCT row_group FROM uses WHERE api = ? ORDER BY row_group LIMIT ?",
            [self.number(api), _MAX_GROUPS],
        )
        value_counts: dict[str, Counter[str]] = {}
        total = 0
        for row in groups:
            path, group = self._places[row["row_group"]]
            count, pairs = _arguments(path, group, api)
            total += count
            for name, value in pairs:
                value_counts.setdefault(name, Counter())[value] += 1
        return (
            tuple(
                Values(name, tuple(counts.most_common(_MAX_VALUES)), len(counts))
                for name, counts in sorted(
                    value_counts.items(), key=lambda entry: (-entry[1].total(), entry[0])
                )
            ),
            total,
        )

    def _make(self) -> None:
        try:
            self._release.add_uses(self._batches())
        except (RunError, OSError, pa.ArrowException) as error:
            self.fault = " ".join(str(error).split())[:300]
        finally:
            self._ready.set()

    def _batches(self) -> Any:
        """For each batch of shortcuts, yield a table with pairs of an API and a shortcut.

        Its columns are api, shortcut_id and row_group.
        """
        if "shortcuts" not in self._release.tables:
            return
        for file in self._release.table("shortcuts").files:
            path = Path(file)
            with open_parquet(path) as opened:
                columns = [
                    parquet_path(opened.schema_arrow, column)
                    for column in ("shortcut_id", "actions.identifier", "actions.app")
                ]
                if None in columns:
                    continue
                for group in range(opened.metadata.num_row_groups):
                    group_index = len(self._places)
                    self._places.append((path, group))
                    for batch in opened.iter_batches(
                        batch_size=_BATCH, row_groups=[group], columns=columns, use_threads=False
                    ):
                        yield self._pairs(batch, group_index)

    def _pairs(self, batch: pa.RecordBatch, group_index: int) -> pa.Table:
        actions = batch.column("actions")
        flat = actions.flatten()
        apis = flat.field("identifier").dictionary_encode()
        for api, app in _first_apps(apis, flat.field("app")):
            self._numbers.setdefault(api, len(self._numbers))
            self._apps.setdefault(api, app)
        numbers = np.array([self._numbers[api] for api in apis.dictionary.to_pylist()], np.int32)
        codes = numbers[apis.indices.to_numpy(zero_copy_only=False)] if len(apis) else numbers
        rows = pc.list_parent_indices(actions).to_numpy(zero_copy_only=False)
        pairs = np.unique(np.stack([codes.astype(np.int64), rows.astype(np.int64)]), axis=1)
        return pa.table(
            {
                "api": pa.array(pairs[0], pa.int32()),
                "shortcut_id": batch.column("shortcut_id").take(pa.array(pairs[1])),
                "row_group": pa.array(np.full(pairs.shape[1], group_index), pa.int32()),
            }
        )


def _first_apps(apis: pa.DictionaryArray, apps: pa.Array) -> list[tuple[str, str]]:
    """Return every API of a batch with the app of its first invocation."""
    codes = apis.indices.to_numpy(zero_copy_only=False)
    distinct_codes, first = np.unique(codes, return_index=True)
    names = apis.dictionary.to_pylist()
    app_names = apps.take(pa.array(first)).to_pylist()
    return [
        (names[code], str(app))
        for code, app in zip(distinct_codes.tolist(), app_names, strict=True)
    ]


def _arguments(path: Path, group: int, api: str) -> tuple[int, list[tuple[str, str]]]:
    """Return how often a row group invokes an API, with all argument names and values."""
    with open_parquet(path) as opened:
        columns = [
            parquet_path(opened.schema_arrow, f"actions.{field_path}")
            for field_path in ("identifier", "arguments.name", "arguments.kind", "arguments.value")
        ]
        rows = opened.read_row_group(group, columns=columns, use_threads=False)
    flat = pc.list_flatten(rows.column("actions").combine_chunks())
    invocations = flat.filter(pc.equal(flat.field("identifier"), api))
    arguments = invocations.field("arguments").flatten()
    # Outputs of other steps are counted by kind, because their ids differ in every shortcut.
    values = pc.if_else(
        pc.equal(arguments.field("kind"), "literal"),
        pc.utf8_slice_codeunits(arguments.field("value"), 0, _LONGEST),
        pc.binary_join_element_wise("(", arguments.field("kind"), ")", ""),
    )
    return len(invocations), list(
        zip(arguments.field("name").to_pylist(), values.to_pylist(), strict=True)
    )
