"""Shared fixtures, and the distribution of the tests over several processes."""

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

from tests.support.commands import configure_fork_server, server_address, use_server
from tests.support.demo_release import RELEASE_VARIABLE, demo_release
from tests.support.described_release import described_release
from tests.support.evaluation import collect_inspect_connections, evaluation_gold
from tests.support.installed_wheel import installed, wheel
from tests.support.prefect_server import migrated_database, prefect_home, prefect_url
from tests.support.replica_crawls import captures_copy, whole_crawl
from tests.support.shared_failures import pytest_runtest_makereport
from tests.support.shortcut_stages import (
    built_release,
    real_shortcuts,
    rebuilt_workspace,
    workspace_copy,
)
from tests.support.small_rebuild import small_rebuild
from tests.support.sources import sources

__all__ = [
    "built_release",
    "captures_copy",
    "collect_inspect_connections",
    "demo_release",
    "described_release",
    "evaluation_gold",
    "installed",
    "migrated_database",
    "prefect_home",
    "prefect_url",
    "pytest_runtest_makereport",
    "real_shortcuts",
    "rebuilt_workspace",
    "small_rebuild",
    "sources",
    "wheel",
    "whole_crawl",
    "workspace_copy",
]

SLOW_FIXTURES = ("rebuilt_workspace", "whole_crawl", "small_rebuild")
"""Slow fixtures; all tests that use the same fixture run in the same process."""
DEMO_FIXTURES = (
    {"wheel", "installed"}
    if RELEASE_VARIABLE in os.environ
    else {"wheel", "installed", "demo_release"}
)
"""The slowest fixtures; the first process that needs a fixture creates it for all processes."""
LONGEST_ID = 200

configure_fork_server()

# The same examples on every run and every machine; HYPOTHESIS_PROFILE=explore looks for new ones.
hypothesis.settings.register_profile("suite", derandomize=True, database=None, deadline=None)
hypothesis.settings.register_profile("explore", deadline=None)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "suite")
hypothesis.settings.load_profile(PROFILE)
if PROFILE == "suite":
    # Constants from our code would take each process three seconds of parsing, and the examples
    # would depend on the imported modules.
    pytest.MonkeyPatch().setattr(
        providers, "_get_local_constants", lambda: providers._local_constants
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Group the tests that share a slow fixture or a file, and put slow groups first.

    A test is slow if it uses a slow fixture or starts flows. A slow group at the end would run
    alone in one process. The first group that uses the demo creates it; the other groups that use
    it follow those that need not wait for it.
    """
    # `make real` and `make long` collect only the files that contain the mark.
    for mark in ("real_data", "long"):
        marked = {item.path for item in items if item.get_closest_marker(mark)}
        if unnamed := [path for path in marked if f"mark.{mark}".encode() not in path.read_bytes()]:
            raise pytest.UsageError(f"tests marked {mark} elsewhere: {unnamed}")
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        fixture_names = _fixtures_of(item)
        shared = next((name for name in (*SLOW_FIXTURES, "sources") if name in fixture_names), None)
        groups.setdefault(shared or item.nodeid.partition("::")[0], []).append(item)
        if not fixture_names.isdisjoint(
            {*SLOW_FIXTURES, *DEMO_FIXTURES}
        ) or item.get_closest_marker("prefect"):
            item.add_marker(pytest.mark.slow)
    if config.pluginmanager.hasplugin("xdist"):
        for name, members in groups.items():
            for item in members:
                item.add_marker(pytest.mark.xdist_group(name))
    order = sorted(groups.values(), key=_sort_key)
    creator = next(filter(_uses_demo, order), None)
    items[:] = chain.from_iterable(sorted(order, key=lambda members: members is not creator))


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Use the argument's name as the id of a long text, since ids become environment variables."""
    return argname if isinstance(val, str | bytes) and len(val) > LONGEST_ID else None


def pytest_configure(config: pytest.Config) -> None:
    """Restore the handler of interrupts, which shells disable for background processes.

    The garbage collector is off until all tests are collected and then ignores what exists, which
    saves half the time of the collection and a tenth of that of the tests.
    """
    gc.disable()
    if hasattr(config, "workerinput"):
        use_server(config.workerinput["fork_server"])
        atexit.register(_exit)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Pass on the address of the fork server that all processes share."""
    node.workerinput["fork_server"] = server_address()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Collect in one process after the other in CI, so that only the first compiles the tests.

    Compilation takes longer than the rest of the collection.
    """
    if hasattr(session.config, "workerinput") and os.environ.get("CI"):
        with Path(__file__).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
    else:
        yield


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse to run if pytest-xdist ignores the groups: each process would create all fixtures."""
    gc.collect()
    gc.freeze()
    gc.enable()
    grouped = getattr(session.config.option, "loadgroup", False)
    if grouped and not all("@" in item.nodeid for item in session.items):
        raise pytest.UsageError("pytest-xdist does not apply its groups under this pytest")


def _exit() -> None:
    """Exit a pytest-xdist worker without freeing its modules, which takes four seconds."""
    atexit.unregister(_exit)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Restore the garbage collector for the exit of the interpreter."""
    if not hasattr(config, "workerinput"):
        gc.unfreeze()


def _fixtures_of(item: pytest.Item) -> set[str]:
    """Return the fixtures of a test, and those requested by name through its parameters."""
    call = getattr(item, "callspec", None)
    parameter_values = (
        {value for value in call.params.values() if isinstance(value, str)} if call else set()
    )
    return {*getattr(item, "fixturenames", ()), *parameter_values}


def _uses_demo(members: Iterable[pytest.Item]) -> bool:
    return not all(DEMO_FIXTURES.isdisjoint(_fixtures_of(item)) for item in members)


def _sort_key(members: Iterable[pytest.Item]) -> tuple[bool, bool]:
    """Return the sort key of a group: slow ones first, those that use the demo after others."""
    slow = ("slow", "long", "real_data")
    is_slow = any(item.get_closest_marker(mark) for item in members for mark in slow)
    return not is_slow, _uses_demo(members)
