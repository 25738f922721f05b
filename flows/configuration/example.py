"""This module writes configurations as TOML text: the example and the first file of `init`."""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path

from flows.configuration.keys import Key, about_table, all_keys
from flows.configuration.model import resolved_path
from flows.configuration.secrets import BLOCKS
from parsers.dialogues.sources import DIALOGUE_SOURCES

WRITERS = {"none": "template", "local": "local", "endpoint": "llm"}
"""A mapping from names of writers in `benchloom init` to values of the key `generate.writer`."""
_FIRST_CAP = 1.0
"""The maximum cost in US dollars in a first file with a model that needs a key."""
_HINTS = ("crawl.opt_out", "publish.targets", "schedule.cron", "schedule.timezone")
"""Keys that a first file contains as comments if they are not set."""
_HEADER = """\
# Every key of rebuild.toml with its default; a key without default is commented out.
# Written by `benchloom config example`; `benchloom config check` finds faults, `config show` lists
# the values in use and their origin. A variable of the environment overrides any key, such as
# BENCHLOOM_WORKERS=4 or BENCHLOOM_GENERATE__MODEL=...; lists are JSON or separated by commas.
#
# Never write secrets here. Set them in the environment, or store Prefect Secret blocks, which flows
# load from a configured server (PREFECT_API_URL) when the environment has none:
"""
_FIRST_HEADER = """\
# What a rebuild reads and makes. `benchloom config check` finds every fault, `benchloom doctor`
# what this machine lacks, `benchloom config example` shows every key; `benchloom rebuild` makes the
# release. Paths are relative to this file. Set secrets in the environment, never in this file.
"""


def example() -> str:
    """Return the example configuration, which is also the text of `docs/configuration.toml`."""
    header = _HEADER + "".join(f"#   {name:<24} {block}\n" for name, block in BLOCKS.items())
    return _text(header, {key.name: _example_line(key) for key in all_keys()})


def _example_line(key: Key) -> str:
    """Return a line with a key and its default; a key without default is commented out."""
    default, example = key.field.get_default(), toml_value(_example(key))
    if default is None:
        return f"#{key.path[-1]} = {example}"
    hint = f"  # e.g. {example}" if default == () else ""
    return f"{key.path[-1]} = {toml_value(default)}{hint}"


def _example(key: Key) -> object:
    return next(iter(key.field.examples or ()), key.field.get_default())


def first_file(answers: Mapping[str, object], writer: str, folder: Path) -> str:
    """Return the text of a first configuration, to be stored in `folder`.

    `answers` is a mapping from keys to values, with paths relative to the working directory.
    `writer` is a key of `WRITERS`.
    """
    values = {
        name: [_path_from(folder, str(address)) for address in value]
        if isinstance(value, list) and name.startswith(("sources.", "publish."))
        else value
        for name, value in answers.items()
    }
    has_dialogues = any(f"sources.{name}" in values for name in DIALOGUE_SOURCES.names())
    steps = ["query"] if {"sources.shortcuts", "crawl.sites"} & set(values) else []
    steps += ["instruction"] if has_dialogues else []
    if writer == "endpoint":
        # Without a judge most invented details are kept; a small local model cannot judge them.
        steps += ["faithfulness"] if steps else []
        if not {"generate.free", "generate.base_url", "generate.max_usd"} & set(values):
            values["generate.max_usd"] = _FIRST_CAP
    values |= {"generate.steps": steps, "generate.writer": WRITERS[writer]}
    lines = {}
    for key in all_keys():
        if key.name in values:
            lines[key.name] = f"{key.path[-1]} = {toml_value(values[key.name])}"
        elif key.name in _HINTS:
            lines[key.name] = f"#{key.path[-1]} = {toml_value(_example(key))}"
    return _text(_FIRST_HEADER, lines)


def _text(header: str, lines: Mapping[str, str]) -> str:
    text, table = [header.rstrip()], None
    for key in all_keys():
        if key.name not in lines:
            continue
        if key.path[:-1] != table:
            table = key.path[:-1]
            text.append("")
            if table:
                text += ["", f"# {about_table(table)}", f"[{'.'.join(table)}]"]
        text += [f"# {key.description}", lines[key.name]]
    return "\n".join(text) + "\n"


def _path_from(folder: Path, address: str) -> str:
    """Return a path relative to `folder` if it is inside, else an absolute path; keep URLs."""
    if "://" in address:
        return address
    path = Path(os.path.normpath(resolved_path(address, Path.cwd())))
    home = Path(os.path.normpath(folder.absolute()))
    return path.relative_to(home).as_posix() if path.is_relative_to(home) else str(path)


def toml_value(value: object) -> str:
    """Format a string, a number, a boolean or a list of these as TOML."""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(entry) for entry in value) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)  # TOML writes inf and nan, JSON Infinity and NaN
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
