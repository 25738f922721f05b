"""Names of flow runs that say what runs, where Prefect would draw one from a list of animals."""

from collections.abc import Callable, Sequence
from pathlib import Path

from prefect.runtime import flow_run

from benchloom.workspace import KEYED

_SHOWN = 3


def naming(template: str) -> Callable[[], str]:
    """A name such as `parse shortcuts.zip, more` from a template such as `parse {inputs}`.

    The fields are parameters of the flow. Paths are told by their last part, those of stages
    without their digest.
    """

    def name() -> str:
        given = flow_run.parameters
        return template.format_map({key: _told(value) for key, value in given.items()})

    return name


def _told(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        more = f" and {len(value) - _SHOWN} more" if len(value) > _SHOWN else ""
        return ", ".join(_told(one) for one in value[:_SHOWN]) + more
    return KEYED.sub("", Path(str(value)).name)
