"""Determine the id of each action's result: the UUID in the file, or a generated id.

If several actions have the same UUID, the UUID means the last of these actions before the action
that uses the result, as in the app. The results of the earlier of these actions, and of actions
without a UUID, get a generated id that contains the position of the action.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

_LABEL_FORM = "00000000-0000-4000-8000-{:012X}"
_LABEL = re.compile(r"00000000-0000-4000-8000-([0-9A-F]{12})")
UNKNOWN = "00000000-0000-4000-9000-000000000000"  # the id of a result that no action returns


class Labels:
    """Maps the results of a shortcut's actions to their ids, and ids to actions.

    If several actions have the same UUID, the UUID means the last of them before the action that
    uses the result. Therefore both directions depend on the action that uses the result.
    """

    def __init__(self, uuids: Sequence[str]) -> None:
        self._uuids = [uuid.upper() for uuid in uuids]
        self._original = uuids
        self._steps_by_uuid: defaultdict[str, list[int]] = defaultdict(list)
        for step, uuid in enumerate(self._uuids):
            if uuid:
                self._steps_by_uuid[uuid].append(step)

    def step(self, uuid: str, before: int) -> int | None:
        """Return the index of the action whose result the action at index `before` means by an id.

        Returns None if no earlier action has this id.
        """
        uuid_key = uuid.upper()
        actions = self._steps_by_uuid.get(uuid_key)
        if actions:
            earlier = bisect_left(actions, before)
            return actions[earlier - 1] if earlier else None
        generated = _LABEL.fullmatch(uuid_key)
        step = int(generated[1], 16) if generated else before
        return step if step < before else None

    def label(self, step: int, before: int) -> str:
        """Return the id by which the action at index `before` names the result of action `step`."""
        uuid = self._original[step] if step < len(self._original) else ""
        return uuid if uuid and self.step(uuid, before) == step else _LABEL_FORM.format(step)


@lru_cache(maxsize=32)
def labels_of(uuids: tuple[str, ...]) -> Labels:
    """Return the `Labels` of a shortcut from the UUIDs of its actions; they are cached.

    An action without a UUID has an empty text in `uuids`.
    """
    return Labels(uuids)
