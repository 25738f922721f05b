"""The id of an action's result: the UUID in the file, or a generated one.

A UUID that several actions have means the last of them before the reader, as in the app; the
others, and actions without a UUID, get an id that contains their position.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

_MADE_UP = "00000000-0000-4000-8000-{:012X}"
_IS_MADE_UP = re.compile(r"00000000-0000-4000-8000-([0-9A-F]{12})")
UNKNOWN = "00000000-0000-4000-9000-000000000000"
"""The id of a result that no action gives."""


class Labels:
    """The ids of one shortcut's actions; `before` is the index of the action that reads."""

    def __init__(self, uuids: Sequence[str]) -> None:
        self._uuids = [uuid.upper() for uuid in uuids]
        self._shown = uuids
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for step, uuid in enumerate(self._uuids):
            if uuid:
                self._places[uuid].append(step)

    def step(self, uuid: str, before: int) -> int | None:
        """The action that an id means, None where it is none of those before."""
        uuid_key = uuid.upper()
        places = self._places.get(uuid_key)
        if places:
            earlier = bisect_left(places, before)
            return places[earlier - 1] if earlier else None
        made_up = _IS_MADE_UP.fullmatch(uuid_key)
        step = int(made_up[1], 16) if made_up else before
        return step if step < before else None

    def label(self, step: int, before: int) -> str:
        """Return the id that a later action uses for an action."""
        uuid = self._shown[step] if step < len(self._shown) else ""
        return uuid if uuid and self.step(uuid, before) == step else _MADE_UP.format(step)


@lru_cache(maxsize=32)
def labels_of(uuids: tuple[str, ...]) -> Labels:
    """Return the ids of a shortcut; an empty text marks an action without one."""
    return Labels(uuids)
