"""Descriptive names of runs, instead of Prefect's random animal names."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from prefect.runtime import flow_run

from benchloom.storage.workspace import KEYED

_MAX_NAMES = 3


class RunName:
    """Names the runs of a flow by a template: `parse {inputs}` gives `parse shop.zip, more`.

    The fields of the template are parameters of the flow. Paths are shortened to their last
    part, and paths of stages lose their digest.
    """

    def __init__(self, template: str) -> None:
        self._template = template

    def __call__(self) -> str:
        """Return the name of the current flow run."""
        return self.run_name(flow_run.parameters)

    def run_name(self, parameters: Mapping[str, object]) -> str:
        """Return the name of a run with these parameters."""
        return self._template.format_map(
            {key: _short_value(value) for key, value in parameters.items()}
        )


def _short_value(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        more = f" and {len(value) - _MAX_NAMES} more" if len(value) > _MAX_NAMES else ""
        return ", ".join(_short_value(entry) for entry in value[:_MAX_NAMES]) + more
    return KEYED.sub("", Path(str(value)).name)
