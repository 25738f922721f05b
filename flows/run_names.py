"""Names of flow runs that say what runs, where Prefect would draw one from a list of animals."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from prefect.runtime import flow_run

_SHOWN = 3
_DIGEST = re.compile(r"-[0-9a-f]{16}$")


def naming(verb: str, *parameters: str) -> Callable[[], str]:
    """A name of a verb and the values of some parameters of the flow: `parse shortcuts.zip, more`.

    Paths are told by their last part, those of stages without their digest.
    """

    def name() -> str:
        given = flow_run.parameters
        return " ".join([verb, *(_told(given.get(parameter)) for parameter in parameters)])

    return name


def _told(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        more = f" and {len(value) - _SHOWN} more" if len(value) > _SHOWN else ""
        return ", ".join(_told(one) for one in value[:_SHOWN]) + more
    return _DIGEST.sub("", Path(str(value)).name)
