"""Checks the table [sources], and that options of dialogue datasets do not exclude each other."""

from collections.abc import Iterator
from pathlib import Path

from flows.configuration.checks import CheckContext
from flows.configuration.faults import Problem
from flows.configuration.model import INPUT_KINDS, Configuration, resolved_path
from parsers.dialogues.sources import DIALOGUE_SOURCES
from scrapers.errors import MirrorError
from scrapers.mirrors import is_remote, local_path, read_address, without_secrets

_EMPTY = ": the folder is empty; put files there, or remove the key"


def problems(context: CheckContext) -> Iterator[Problem]:
    """Yield a problem for each unreadable input; with `online`, also contact servers of URLs."""
    configuration, base, online = context
    for kind in INPUT_KINDS:
        for name in getattr(configuration.sources, kind):
            yield from _missing(f"sources.{kind}", name, base, online=online)
    yield from _captures(configuration, base, online=online)
    for name in DIALOGUE_SOURCES.names():
        options = configuration.plans_of(name)
        for key in ("drop", "variant") if options["mode"] == "name" else ():
            if options.get(key):
                yield Problem(
                    f"{name}.{key}", 'changes the published rules of mode "name": use mode = "flow"'
                )


def _captures(configuration: Configuration, base: Path, *, online: bool) -> Iterator[Problem]:
    key, captures = "sources.captures", configuration.sources.captures
    if captures is None:
        return
    if is_remote(captures):
        missing = list(_missing(key, captures, base, online=online))
        yield from missing
        if configuration.crawl.sites and not missing:
            message = "a crawl cannot write captures to a URL: set a folder, or remove the sites"
            yield Problem(key, f"{without_secrets(captures)}: {message}")
        return
    folder = configuration.captures_folder(base, base)
    if folder.is_file():
        yield Problem(key, f"{folder}: is a file, not a folder")
    elif not configuration.crawl.sites and not folder.is_dir():
        message = f"{folder}: no such folder; check the path, or set [crawl] sites"
        yield Problem(key, message, unless=("crawl",))


def _missing(key: str, name: str, base: Path, *, online: bool) -> Iterator[Problem]:
    if fault := missing_fault(name, base, online=online):
        lacks_package = "install" in fault.replace(without_secrets(name), "").lower()
        is_empty = fault.endswith(_EMPTY)
        yield Problem(key, fault, name, outside=lacks_package, nothing_read=is_empty)


def missing_fault(name: str, base: Path, *, online: bool = False) -> str | None:
    """Return why an input cannot be read, or None if it can."""
    try:
        if is_remote(name):
            return _url_fault(name, online=online)
        path = local_path(name) or resolved_path(name, base)
    except MirrorError as error:
        return str(error)
    try:
        if not path.exists():
            return f"{path}: no such file or folder; check the spelling"
    except OSError as error:  # the name is longer than a file name may be
        return f"{name[:40]}...: {error.strerror}"
    return f"{path}{_EMPTY}" if _is_empty(path) else None


def _is_empty(path: Path) -> bool:
    """Whether a folder has no file at any depth; an unreadable folder counts as not empty."""
    try:
        return path.is_dir() and not any(entry.is_file() for entry in path.rglob("*"))
    except OSError:
        return False


def _url_fault(url: str, *, online: bool) -> str | None:
    from scrapers.mirrors.store import Store, protocol_fault

    address = read_address(url)
    fault = protocol_fault(address)
    if fault is None and online:
        Store(address).try_out()
    return fault
