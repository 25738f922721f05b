"""Inputs that are not there."""

from collections.abc import Iterator
from pathlib import Path

from flows.configuration.faults import Fault
from flows.configuration.model import NO_SOURCES, place
from flows.configuration.reading import SoundPart
from parsers.dialogues.sources import DIALOGUE_SOURCES

NO_SITES = "and [crawl] names no sites"


def input_faults(part: SoundPart, base: Path) -> Iterator[Fault]:
    """Nothing to read, and inputs that nothing lies behind."""
    sources, sites = part.configuration.sources, part.configuration.crawl.sites
    if not (any(sources.model_dump().values()) or sites):
        yield part.located(Fault(NO_SOURCES, ("sources",)))
    for kind in ("shortcuts", "definitions", *DIALOGUE_SOURCES.names()):
        for name in getattr(sources, kind):
            if missing := missing_fault(name, base):
                yield part.located(Fault(f"sources.{kind}: {missing}", ("sources", kind)), name)
    if sources.captures is not None:
        folder = part.configuration.captures_folder(base, base)
        key = ("sources", "captures")
        if folder.is_file():
            yield part.located(Fault(f"sources.captures: {folder}: is a file, not a folder", key))
        elif not sites and not folder.is_dir():
            told = f"sources.captures: {folder}: no such folder, {NO_SITES}"
            yield part.located(Fault(told, key))
    for name in DIALOGUE_SOURCES.names():
        options = part.configuration.plans_of(name)
        for key_of in ("drop", "variant") if options["mode"] == "name" else ():
            if options.get(key_of):
                told = f'{name}.{key_of}: changes the published rules: use mode = "flow"'
                yield part.located(Fault(told, (name, key_of)))


def missing_fault(name: str, base: Path) -> str | None:
    """Why nothing can be read at a place, None where something can."""
    path = place(name, base)
    try:
        there = path.exists()
    except OSError as error:  # a name of more letters than a file may have
        return f"{name[:40]}...: {error.strerror}"
    return None if there else f"{path}: no such file or folder"
