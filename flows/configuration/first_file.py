"""A first configuration: the keys that were asked about, each with its description."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from flows.configuration.example import toml_value
from flows.configuration.keys import all_keys
from flows.configuration.model import ConfigurationFile, place

WRITERS = {"none": "template", "local": "local", "endpoint": "llm"}
"""Who writes the texts, in the words of a beginner, and the value of `generate.writer`."""
_JUDGE = "faithfulness"
"""Asked where an endpoint writes; a small local model gives no usable verdicts."""
_FIRST_CAP = 1.0
"""US dollars, where nobody says how much a model behind a key may cost."""
_HINTS = {
    "crawl": ("crawl.opt_out",),
    "publish": ("publish.targets",),
    "schedule": ("schedule.cron", "schedule.timezone"),
}
"""Keys that are shown commented out where they were not asked about."""
_HEADER = """\
# What a rebuild reads and makes. `benchloom config check` finds every fault, `benchloom doctor`
# what this machine lacks, `benchloom config example` shows every key; `benchloom rebuild` makes the
# release. Paths are relative to this file. Secrets stay in the environment and never stand here.
"""


@dataclass(frozen=True)
class Wishes:
    """What somebody wants to begin with. Paths are as they were given, relative to here."""

    shortcuts: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()
    dialogues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sites: tuple[str, ...] = ()
    contact: str | None = None
    writer: str = "none"
    base_url: str | None = None
    model: str | None = None
    max_usd: float | None = None
    free: bool = False
    targets: tuple[str, ...] = ()
    cron: str | None = None


def beginning(wishes: Wishes, folder: Path) -> str:
    """The text of a configuration that is going to stand in `folder`."""
    values = dict(_values(wishes, folder))
    keys = {key.name: key for key in all_keys()}
    lines, table = [_HEADER.rstrip()], ""
    key_names = [
        *values,
        *(name for names in _HINTS.values() for name in names if name not in values),
    ]
    for name in sorted(key_names, key=list(keys).index):
        above = name.partition(".")[0]
        if above != table:
            table = above
            about = ConfigurationFile.model_fields[table].annotation
            lines += ["", "", f"# {about.__doc__ if about else ''}", f"[{table}]"]
        key = keys[name]
        lines.append(f"# {key.description}")
        example = (key.field.examples or [key.field.get_default()])[0]
        value = values.get(name, example)
        off = "" if name in values else "#"
        lines.append(f"{off}{name.partition('.')[2]} = {toml_value(value)}")
    return "\n".join(lines) + "\n"


def _values(wishes: Wishes, folder: Path) -> Iterator[tuple[str, object]]:
    """The keys that are set, with their values."""
    for name, addresses in (
        ("shortcuts", wishes.shortcuts),
        ("definitions", wishes.definitions),
        *wishes.dialogues.items(),
    ):
        if addresses:
            yield f"sources.{name}", [_named(folder, address) for address in addresses]
    yield from _generate(wishes)
    if wishes.sites:
        yield "crawl.sites", list(wishes.sites)
    if wishes.contact:
        yield "crawl.contact", wishes.contact
    if wishes.targets:
        yield "publish.targets", [_named(folder, target) for target in wishes.targets]
    if wishes.cron:
        yield "schedule.cron", wishes.cron


def _generate(wishes: Wishes) -> Iterator[tuple[str, object]]:
    steps = []
    if wishes.shortcuts or wishes.sites:
        steps.append("query")
    if any(wishes.dialogues.values()):
        steps.append("instruction")
    if steps and wishes.writer == "endpoint":
        steps.append(_JUDGE)  # rules alone keep most of what a model makes up
    yield "generate.steps", steps
    yield "generate.writer", WRITERS[wishes.writer]
    if wishes.writer != "endpoint":
        return
    if wishes.model:
        yield "generate.model", wishes.model
    if wishes.base_url:
        yield "generate.base_url", wishes.base_url
    if wishes.free:
        yield "generate.free", True
    is_uncapped = wishes.free or wishes.base_url or wishes.max_usd is not None
    cap = wishes.max_usd if is_uncapped else _FIRST_CAP
    if cap is not None:
        yield "generate.max_usd", cap


def _named(folder: Path, address: str) -> str:
    """A path or an address as a file in `folder` names it."""
    return address if "://" in address else _from(folder, address)


def _from(folder: Path, path_text: str) -> str:
    """A path as a file in `folder` names it: relative to it where it lies below."""
    path = Path(os.path.normpath(place(path_text, Path.cwd())))
    home = Path(os.path.normpath(folder.absolute()))
    return path.relative_to(home).as_posix() if path.is_relative_to(home) else str(path)
