"""This module finds a flow by its name, and converts parameters that users write as text."""

import inspect
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.kinds import LIKE_ITS_MODULE, Kind
from flows.engine.api import Flow
from scrapers.mirrors import holds_secret, is_url, without_secrets

FLOWS: Kind[Flow[..., Any]] = Kind(
    "flow",
    "flows",
    Flow,
    attribute=LIKE_ITS_MODULE,
    beside=(
        "cli",
        "commands",
        "configuration",
        "console",
        "doctor",
        "engine",
        "errors",
        "explorer",
        "library",
        "run",
        "stages",
    ),
)


def bind(
    name: str, params: Sequence[str], workspace: Path
) -> Callable[[], Coroutine[object, object, object]]:
    """Return a callable that runs the flow `name` with parameters.

    `params` are texts `NAME=VALUE`, whose values are converted to the types of the parameters.

    Raises:
        RunError: a flow or parameter is unknown, or a value is missing or of the wrong type.
    """
    flow: Any = FLOWS.find(name)  # its parameters are only known by its signature
    signature = inspect.signature(flow.fn)
    hints = get_type_hints(flow.fn)
    values_by_key: dict[str, list[str]] = {}
    for param in params:
        key, equals, value = param.partition("=")
        if not equals or key not in signature.parameters:
            parameter_names = ", ".join(signature.parameters)
            raise RunError(
                f"--param {param}: expected NAME=VALUE with one of the names {parameter_names}"
            )
        values_by_key.setdefault(key, []).append(value)
    arguments = {key: _value(key, values, hints[key]) for key, values in values_by_key.items()}
    if "workspace" in signature.parameters:
        arguments.setdefault("workspace", workspace)
    for key, parameter in signature.parameters.items():
        if parameter.default is inspect.Parameter.empty and key not in arguments:
            raise RunError(f"flow {name} needs --param {key}=VALUE")
    return partial(flow, **arguments)


def _value(key: str, values: list[str], hint: object) -> object:
    """Convert the texts given for a parameter to the type `hint`.

    If the type is a sequence, return a list of all texts; otherwise use only the last text.
    """
    text = str(hint)
    if "Path" in text:
        inputs = [
            _path_or_url(value) if "str" in text else Path(value).expanduser() for value in values
        ]
        return inputs if "Sequence" in text else inputs[-1]
    if "Sequence" in text:
        return values
    try:
        return msgspec.convert(values[-1], hint, strict=False)
    except msgspec.ValidationError as error:
        raise RunError(f"--param {key}={values[-1]}: {error}") from error


def _path_or_url(value: str) -> Path | str:
    """Return the text unchanged if it is a URL, otherwise as a path.

    Raises:
        RunError: the URL may contain a secret, and Prefect stores the parameters of a flow.
    """
    if not is_url(value):
        return Path(value).expanduser()
    if holds_secret(value):
        message = (
            "the URL may contain a secret, and Prefect stores parameters; use `benchloom parse` "
            "or `convert` instead"
        )
        raise RunError(f"{without_secrets(value)}: {message}")
    return value
