"""Every fault of a configuration at once: of the file, of the environment, of the machine.

`config check`, `rebuild`, `run rebuild` and `schedule` all ask here, so that what passes the one
is not refused by the others.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from flows.configuration.checks.crawl import crawl_faults
from flows.configuration.checks.generate import (
    CAPS_NOTHING,
    NO_ENDPOINT,
    endpoint_faults,
    price_faults,
    weight_faults,
)
from flows.configuration.checks.inputs import NO_SITES, input_faults
from flows.configuration.checks.opt_outs import opt_out_doubts
from flows.configuration.checks.review import review_faults
from flows.configuration.checks.schedule import faults_of, schedule_faults
from flows.configuration.checks.steps import NO_SOURCE_MAKES, NO_STEP_WRITES, step_faults
from flows.configuration.checks.targets import target_faults
from flows.configuration.faults import ENVIRONMENT, ConfigurationError, Fault, Place
from flows.configuration.file import SoundPart, folder_of, read_sound_part
from flows.configuration.keys import unknown_variables
from flows.configuration.model import NO_SOURCES, Configuration
from flows.configuration.sections import ScheduleOptions
from flows.run.engines import ENGINES
from scrapers.settings import NO_CONTACT

_FOLLOWS: tuple[tuple[set[Place], str], ...] = (
    ({("sources",), ("crawl",), ("crawl", "sites")}, NO_SOURCES),
    ({("sources",), ("crawl",), ("crawl", "sites")}, NO_SOURCE_MAKES),
    ({("crawl",), ("crawl", "sites")}, NO_SITES),
    ({("generate", "steps")}, NO_STEP_WRITES),
    ({("crawl", "contact")}, NO_CONTACT),
    ({("generate", "model"), ("generate", "prices")}, CAPS_NOTHING),
    ({("generate", "base_url")}, NO_ENDPOINT),
    ({("engine", "kind")}, "engine.address"),
)
"""Keys, and what a fault says that follows where one of them is left out."""


def check_configuration(
    path: Path | None, *, online: bool = False, text: str | None = None
) -> tuple[Fault, ...]:
    """Every fault of a configuration.

    `online` also asks for inputs behind URLs, and the targets whether they can be written; `text`
    stands for what is in the file.

    Raises:
        RunError: the file cannot be read at all.
    """
    return _faults(read_sound_part(path, text), folder_of(path), online=online)


def sound_configuration(path: Path | None) -> Configuration:
    """A configuration that a rebuild can start with.

    Raises:
        ConfigurationError: something is wrong with it; a line per fault.
        RunError: the file cannot be read at all.
    """
    part = read_sound_part(path)
    if faults := _faults(part, folder_of(path), online=False):
        raise ConfigurationError(faults)
    return part.configuration


def doubts(path: Path | None, workspace: Path) -> tuple[Fault, ...]:
    """What is no fault and yet looks mistyped, where a workspace tells more than the file."""
    return tuple(opt_out_doubts(read_sound_part(path), folder_of(path), workspace))


def schedule_fault(schedule: ScheduleOptions) -> str | None:
    """Why a schedule cannot be kept, None when it can or when there is none."""
    if schedule.cron is None:
        return None
    return next((message for _, message in faults_of(schedule)), None)


def _faults(part: SoundPart, base: Path, *, online: bool) -> tuple[Fault, ...]:
    # What only follows from a key that is left out for its fault is not told as well.
    faulty = {fault.key[:depth] for fault in part.faults for depth in (1, 2)}
    if any(len(fault.key) == 1 and "unknown key" in fault.told for fault in part.faults):
        faulty.add(("sources",))  # which is perhaps what was misspelt
    follows = [message for keys, message in _FOLLOWS if faulty & keys]
    machine_faults = [
        fault
        for fault in _of_the_machine(part, base, online=online)
        if not any(message in fault.told for message in follows)
    ]
    variables = (Fault(line) for line in unknown_variables())
    return tuple(sorted((*part.faults, *machine_faults, *variables), key=_in_the_file))


def _in_the_file(fault: Fault) -> tuple[bool, int]:
    """Where people meet a fault: line by line, then what has no line, the environment last."""
    return fault.source == ENVIRONMENT, fault.line or sys.maxsize


def _of_the_machine(part: SoundPart, base: Path, *, online: bool) -> Iterator[Fault]:
    engine = part.configuration.engine
    yield from input_faults(part, base, online=online)
    yield from review_faults(part, base)
    yield from crawl_faults(part)
    if fault := ENGINES.find(engine.kind).fault(engine.address):
        yield part.located(Fault(fault, ("engine", "address" if engine.address else "kind")))
    yield from step_faults(part)
    yield from endpoint_faults(part)
    yield from price_faults(part, base)
    yield from weight_faults(part, base)
    yield from target_faults(part, base, online=online)
    yield from schedule_faults(part)
