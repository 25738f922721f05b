"""Inputs that are not there."""

from collections.abc import Iterator
from pathlib import Path

from flows.configuration.faults import Fault
from flows.configuration.file import SoundPart
from flows.configuration.model import NO_SOURCES, place
from parsers.dialogues.sources import DIALOGUE_SOURCES
from scrapers.errors import MirrorError
from scrapers.mirrors.address import is_remote, local_path, read_address, shown

NO_SITES = "and [crawl] names no sites"
FILLED = "a crawl fills a folder, and a URL is only read: name a folder, or no sites"


def input_faults(part: SoundPart, base: Path, *, online: bool = False) -> Iterator[Fault]:
    """Nothing to read, and inputs that nothing lies behind; `online` asks for those behind URLs."""
    sources, sites = part.configuration.sources, part.configuration.crawl.sites
    if not (any(sources.model_dump().values()) or sites):
        yield part.located(Fault(NO_SOURCES, ("sources",)))
    for kind in ("shortcuts", "definitions", *DIALOGUE_SOURCES.names()):
        for name in getattr(sources, kind):
            if missing := missing_fault(name, base, online=online):
                message = f"sources.{kind}: {missing}"
                yield part.located(
                    Fault(message, ("sources", kind), outside=_lacks(missing, name)), name
                )
    if sources.captures is not None and is_remote(sources.captures):
        key = ("sources", "captures")
        if missing := missing_fault(sources.captures, base, online=online):
            outside = _lacks(missing, sources.captures)
            yield part.located(Fault(f"sources.captures: {missing}", key, outside=outside))
        elif sites:
            yield part.located(Fault(f"sources.captures: {shown(sources.captures)}: {FILLED}", key))
    elif sources.captures is not None:
        folder = part.configuration.captures_folder(base, base)
        key = ("sources", "captures")
        if folder.is_file():
            yield part.located(Fault(f"sources.captures: {folder}: is a file, not a folder", key))
        elif not sites and not folder.is_dir():
            message = f"sources.captures: {folder}: no such folder, {NO_SITES}"
            yield part.located(Fault(message, key))
    for name in DIALOGUE_SOURCES.names():
        options = part.configuration.plans_of(name)
        for key_of in ("drop", "variant") if options["mode"] == "name" else ():
            if options.get(key_of):
                message = f'{name}.{key_of}: changes the published rules: use mode = "flow"'
                yield part.located(Fault(message, (name, key_of)))


def missing_fault(name: str, base: Path, *, online: bool = False) -> str | None:
    """Why nothing can be read at a place, None where something can."""
    try:
        if is_remote(name):
            return _url_fault(name, online=online)
        path = local_path(name) or place(name, base)
    except MirrorError as error:
        return str(error)
    try:
        there = path.exists()
    except OSError as error:  # a name of more letters than a file may have
        return f"{name[:40]}...: {error.strerror}"
    if not there:
        return f"{path}: no such file or folder"
    return f"{path}: an empty folder; put files there, or leave it out" if _is_empty(path) else None


def _is_empty(path: Path) -> bool:
    """Whether it is a folder without any file in it or below; one that may not be read is not."""
    if not path.is_dir():
        return False
    try:
        return not any(entry.is_file() for entry in path.rglob("*"))
    except OSError:
        return False


def _url_fault(url: str, *, online: bool) -> str | None:
    """Why a URL cannot be read here; without `online` as far as can be said without asking."""
    address = read_address(url)
    from scrapers.mirrors.store import Store, protocol_fault

    fault = protocol_fault(address)
    if fault is None and online:
        Store(address).try_out()
    return fault


def _lacks(message: str, url: str) -> bool:
    """Whether it is this machine that lacks something, as `init` and `doctor` tell it."""
    return "install" in message.replace(shown(url), "").lower()
