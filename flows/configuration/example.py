"""The commented example of a configuration, written from the model so that it cannot drift."""

import json
import math

from flows.configuration.keys import Key, all_keys
from flows.configuration.model import ConfigurationFile
from flows.configuration.secrets import BLOCKS

_HEADER = """\
# Every key of rebuild.toml with its default; one that has none is commented out.
# Written by `benchloom config example`; `benchloom config check` finds faults, `config show` says
# what is in force and why. A variable of the environment overrides any key: BENCHLOOM_WORKERS=4,
# BENCHLOOM_GENERATE__MODEL=..., lists as JSON or separated by commas.
#
# Secrets never stand here. Set them in the environment, or store Prefect Secret blocks, which flows
# load from a configured server (PREFECT_API_URL) when the environment has none:
"""


def example() -> str:
    """The text of `docs/configuration.toml`."""
    lines = [_HEADER.rstrip()]
    lines += [f"#   {name:<24} {block}" for name, block in BLOCKS.items()]
    table = ""
    for key in all_keys():
        if len(key.path) > 1 and key.path[0] != table:
            table = key.path[0]
            about = ConfigurationFile.model_fields[table].annotation
            lines += ["", "", f"# {about.__doc__ if about else ''}", f"[{table}]"]
        elif not table and lines[-1].startswith("#   "):
            lines.append("")
        lines += _lines(key)
    return "\n".join(lines) + "\n"


def _lines(key: Key) -> list[str]:
    """A key with its description above; one without a default is commented out."""
    default, name = key.field.get_default(), key.path[-1]
    lines = [f"# {key.description}"]
    if default is None:
        return [*lines, f"#{name} = {toml_value(_example(key))}"]
    such = f"  # e.g. {toml_value(_example(key))}" if default == () else ""
    return [*lines, f"{name} = {toml_value(default)}{such}"]


def _example(key: Key) -> object:
    return (key.field.examples or [""])[0]


def toml_value(value: object) -> str:
    """A value as TOML writes it: texts, numbers, truth values and lists of them."""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(entry) for entry in value) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)  # TOML has inf and nan, JSON other words for them
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
