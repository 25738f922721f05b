"""What stands beside a dialogue in its world: other services, rows of other dialogues."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from benchloom.identity import digest_of_parts, hex_of
from benchloom.worlds.suites.sgd.recorded import Methods, Recorded
from benchloom.worlds.suites.sgd.start import Method, Row, canonical

SERVICES = 6
"""Services that a dialogue does not call."""
ROWS = 4
"""Rows of other dialogues for each query."""
_Pool: TypeAlias = Mapping[tuple[str, str], Sequence[Row]]


class Others:
    """The services and rows of the dialogues of each split; a world holds none of another split."""

    def __init__(
        self,
        told: Iterable[tuple[str | None, Sequence[Recorded]]],
        methods: Methods,
        seed: int,
    ) -> None:
        self._seed = str(seed)
        self._services: dict[str | None, dict[str, tuple[Method, ...]]] = {}
        rows: dict[str | None, dict[tuple[str, str], dict[str, Row]]] = {}
        for split, calls in told:
            services = self._services.setdefault(split, {})
            known = rows.setdefault(split, {})
            for call in calls:
                if call.service not in services:
                    services[call.service] = methods.of_services([call])
                if not methods.called(call).takes_effect:
                    found = known.setdefault((call.service, call.method), {})
                    for values in call.rows:
                        key = canonical(values)
                        found.setdefault(key, Row(call.service, call.method, values))
        self._rows: dict[str | None, _Pool] = {
            split: {key: [found[one] for one in sorted(found)] for key, found in known.items()}
            for split, known in rows.items()
        }

    def services(self, split: str | None, ident: str, own: Iterable[str]) -> tuple[Method, ...]:
        """The methods of some services that are not a dialogue's own, drawn by its id."""
        known = self._services.get(split, {})
        left = sorted(known.keys() - set(own), key=lambda name: self._draw(ident, name))
        return tuple(method for name in left[:SERVICES] for method in known[name])

    def rows(self, split: str | None, ident: str, methods: Iterable[Method]) -> Iterator[Row]:
        """Some rows of other dialogues for each query; they may answer a query of this one too."""
        known = self._rows.get(split, {})
        for method in methods:
            found = known.get((method.service, method.name), ())
            if found:
                first = int(self._draw(ident, method.service, method.name), 16) % len(found)
                yield from (*found[first:], *found[:first])[: ROWS * 2]

    def _draw(self, *parts: str) -> str:
        return hex_of(digest_of_parts("draw", [self._seed, *parts]))
