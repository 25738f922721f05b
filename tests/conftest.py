"""Fixtures that several folders of tests share, and how several processes share the suite."""

# Set before any import of Prefect, so that its home is never the user's.
import flows.engine.prefect_settings  # noqa: F401  # isort: skip  imported for what it sets
import atexit
import fcntl
import gc
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis.internal.conjecture import providers

from tests.support.commands import prepare, server_address, use_server
from tests.support.demo_release import GIVEN, demo_release
from tests.support.described_release import described_release
from tests.support.evaluation import evaluation_gold, left_by_inspect
from tests.support.installed_wheel import installed, wheel
from tests.support.prefect_server import migrated_database, prefect_home, prefect_url
from tests.support.replica_crawls import captures_copy, whole_crawl
from tests.support.shared_failures import pytest_runtest_makereport
from tests.support.shortcut_stages import (
    built_release,
    own_workspace,
    real_shortcuts,
    rebuilt_workspace,
)
from tests.support.small_rebuild import small_rebuild
from tests.support.sources import sources

__all__ = [
    "built_release",
    "captures_copy",
    "demo_release",
    "described_release",
    "evaluation_gold",
    "installed",
    "left_by_inspect",
    "migrated_database",
    "own_workspace",
    "prefect_home",
    "prefect_url",
    "pytest_runtest_makereport",
    "real_shortcuts",
    "rebuilt_workspace",
    "small_rebuild",
    "sources",
    "wheel",
    "whole_crawl",
]

WORLDS = ("rebuilt_workspace", "whole_crawl", "small_rebuild")
"""Fixtures that take long to make: the tests that read one run in the process that has made it."""
DEMO = {"wheel", "installed"} if GIVEN in os.environ else {"wheel", "installed", "demo_release"}
"""Fixtures that take longest; the first process that needs one makes it for all processes."""
LONGEST_ID = 200

prepare()

# The same examples on every run and every machine; HYPOTHESIS_PROFILE=explore looks for new ones.
hypothesis.settings.register_profile("suite", derandomize=True, database=None, deadline=None)
hypothesis.settings.register_profile("explore", deadline=None)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "suite")
hypothesis.settings.load_profile(PROFILE)
if PROFILE == "suite":
    # To draw constants of our code takes a process three seconds of parsing, and the examples would
    # change with the modules that it has imported.
    pytest.MonkeyPatch().setattr(
        providers, "_get_local_constants", lambda: providers._local_constants
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep together what shares a world or a file; what takes long comes first.

    What reads such a world or starts flows counts as slow. The order is the same in every process,
    and a long group that came last would have one process wait for the other. One group has the
    demo made; the others that read it come behind those that would not wait for it.
    """
    # `make real` and `make long` collect the files that name the mark.
    for mark in ("real_data", "long"):
        marked = {item.path for item in items if item.get_closest_marker(mark)}
        if unnamed := [path for path in marked if f"mark.{mark}".encode() not in path.read_bytes()]:
            raise pytest.UsageError(f"tests marked {mark} elsewhere: {unnamed}")
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        used = _fixtures_of(item)
        shared = next((name for name in (*WORLDS, "sources") if name in used), None)
        groups.setdefault(shared or item.nodeid.partition("::")[0], []).append(item)
        if not used.isdisjoint({*WORLDS, *DEMO}) or item.get_closest_marker("prefect"):
            item.add_marker(pytest.mark.slow)
    if config.pluginmanager.hasplugin("xdist"):
        for name, members in groups.items():
            for item in members:
                item.add_marker(pytest.mark.xdist_group(name))
    order = sorted(groups.values(), key=_turn)
    maker = next(filter(_reads_demo, order), None)
    items[:] = chain.from_iterable(sorted(order, key=lambda members: members is not maker))


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name long texts after their argument: ids are variables, and go from process to process."""
    return argname if isinstance(val, str | bytes) and len(val) > LONGEST_ID else None


def pytest_configure(config: pytest.Config) -> None:
    """Take interrupts: tests send some, and a shell has what it starts behind ignore them.

    What is imported and collected stays until the end, and the garbage collector need not look at
    it: that is half of what collecting takes, and a tenth of what tests take.
    """
    gc.disable()
    if hasattr(config, "workerinput"):
        use_server(config.workerinput["fork_server"])
        atexit.register(_end)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Name the fork server that all processes share, which starts with the first of them."""
    node.workerinput["fork_server"] = server_address()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """In a fresh checkout the first process compiles the tests for all that collect after it.

    To compile them takes longer than to collect them, and the processes would all do it together.
    """
    if hasattr(session.config, "workerinput") and os.environ.get("CI"):
        with Path(__file__).open() as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            yield
    else:
        yield


def pytest_collection_finish(session: pytest.Session) -> None:
    """A process of several that does not know the groups would make every world again: say so."""
    gc.collect()
    gc.freeze()
    gc.enable()
    grouped = getattr(session.config.option, "loadgroup", False)
    if grouped and not all("@" in item.nodeid for item in session.items):
        raise pytest.UsageError("pytest-xdist does not apply its groups under this pytest")


def _end() -> None:
    """End a process of several, when all is told, without taking apart all it has imported.

    That takes an interpreter four seconds; the run's own process ends in the ordinary way.
    """
    atexit.unregister(_end)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave all to the end of the interpreter as it would be without us."""
    if not hasattr(config, "workerinput"):
        gc.unfreeze()


def _fixtures_of(item: pytest.Item) -> set[str]:
    """The fixtures of a test, with those that a parameter names and another fixture asks for."""
    call = getattr(item, "callspec", None)
    chosen = {value for value in call.params.values() if isinstance(value, str)} if call else set()
    return {*getattr(item, "fixturenames", ()), *chosen}


def _reads_demo(members: Iterable[pytest.Item]) -> bool:
    return not all(DEMO.isdisjoint(_fixtures_of(item)) for item in members)


def _turn(members: Iterable[pytest.Item]) -> tuple[bool, bool]:
    """Order groups: slow ones first, and of these the ones that wait for the demo last."""
    slow = ("slow", "long", "real_data")
    is_slow = any(item.get_closest_marker(mark) for item in members for mark in slow)
    return not is_slow, _reads_demo(members)
