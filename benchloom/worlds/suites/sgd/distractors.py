"""Extend the world of a dialogue by other services, and by rows of other dialogues."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.worlds.suites.sgd.recorded import Methods, Recorded
from benchloom.worlds.suites.sgd.start import Method, Row, canonical

SERVICES = 6
"""Number of added services, which the dialogue does not call."""
ROWS = 4
"""Rows of other dialogues for each query."""
_Pool: TypeAlias = Mapping[tuple[str, str], Sequence[Row]]


class SplitServices:
    """Services and rows of all dialogues by split; a world contains only those of its split."""

    def __init__(
        self,
        dialogues: Iterable[tuple[str | None, Sequence[Recorded]]],
        methods: Methods,
        seed: int,
    ) -> None:
        self._seed = str(seed)
        self._services: dict[str | None, dict[str, tuple[Method, ...]]] = {}
        rows: dict[str | None, dict[tuple[str, str], dict[str, Row]]] = {}
        for split, calls in dialogues:
            services = self._services.setdefault(split, {})
            split_rows = rows.setdefault(split, {})
            for call in calls:
                if call.service not in services:
                    services[call.service] = methods.of_services([call])
                if not methods.called(call).takes_effect:
                    method_rows = split_rows.setdefault((call.service, call.method), {})
                    for values in call.rows:
                        key = canonical(values)
                        method_rows.setdefault(key, Row(call.service, call.method, values))
        self._rows: dict[str | None, _Pool] = {
            split: {
                key: [method_rows[row_key] for row_key in sorted(method_rows)]
                for key, method_rows in pool.items()
            }
            for split, pool in rows.items()
        }

    def services(
        self, split: str | None, dialogue_id: str, own: Iterable[str]
    ) -> tuple[Method, ...]:
        """Return the methods of some services that a dialogue does not call, drawn by its id."""
        split_services = self._services.get(split, {})
        left = sorted(
            split_services.keys() - set(own), key=lambda name: self._draw(dialogue_id, name)
        )
        return tuple(method for name in left[:SERVICES] for method in split_services[name])

    def rows(self, split: str | None, dialogue_id: str, methods: Iterable[Method]) -> Iterator[Row]:
        """Yield rows of other dialogues for each query; they may fit this dialogue's queries."""
        split_rows = self._rows.get(split, {})
        for method in methods:
            method_rows = split_rows.get((method.service, method.name), ())
            if method_rows:
                first = int(self._draw(dialogue_id, method.service, method.name), 16) % len(
                    method_rows
                )
                yield from (*method_rows[first:], *method_rows[:first])[: ROWS * 2]

    def _draw(self, *parts: str) -> str:
        return hex_of(digest_of_parts("draw", [self._seed, *parts]))
