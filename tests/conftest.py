"""Fixtures that several folders of tests share, and how several processes share the suite."""

# Set before any import of Prefect, so that its home is never the user's.
import flows.engine.prefect_settings  # noqa: F401  # isort: skip  imported for what it sets
import atexit
import gc
import os
import signal
import sys
from collections.abc import Iterable
from itertools import chain
from multiprocessing.forkserver import ensure_running

import hypothesis
import pytest

from tests.support.commands import prepare
from tests.support.demo_release import GIVEN, demo_release
from tests.support.described_release import described_release
from tests.support.evaluation import evaluation_gold, left_by_inspect
from tests.support.installed_wheel import installed, wheel
from tests.support.prefect_server import prefect_home, prefect_url
from tests.support.replica_crawls import captures_copy, whole_crawl
from tests.support.shared_failures import pytest_runtest_makereport
from tests.support.shortcut_stages import built_release, own_workspace, real_shortcuts
from tests.support.small_rebuild import small_rebuild

__all__ = [
    "built_release",
    "captures_copy",
    "demo_release",
    "described_release",
    "evaluation_gold",
    "installed",
    "left_by_inspect",
    "own_workspace",
    "prefect_home",
    "prefect_url",
    "pytest_runtest_makereport",
    "real_shortcuts",
    "small_rebuild",
    "wheel",
    "whole_crawl",
]

WORLDS = {
    "demo_release": "wheel",
    "wheel": "wheel",
    "whole_crawl": "whole_crawl",
    "real_shortcuts": "real_shortcuts",
    "small_rebuild": "small_rebuild",
}
"""Fixtures that take long to make, and the group of the tests that read one: they run in the
process that has made it. The wheel makes the release of the demo."""
if GIVEN in os.environ:
    del WORLDS["demo_release"]

prepare()

# The same examples on every run and every machine; HYPOTHESIS_PROFILE=explore looks for new ones.
hypothesis.settings.register_profile("suite", derandomize=True, database=None, deadline=None)
hypothesis.settings.register_profile("explore", deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep together what shares a world or a file; what takes long comes first.

    What reads such a world or starts flows counts as slow. The order is the same in every process,
    and a long group that came last would have one process wait for the other.
    """
    marked = {item.path for item in items if item.get_closest_marker("real_data")}
    # `make real` collects the files that name the mark.
    if unnamed := [path for path in marked if b"real_data" not in path.read_bytes()]:
        raise pytest.UsageError(f"tests marked real_data elsewhere: {unnamed}")
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        used = _fixtures_of(item)
        world = next((WORLDS[world] for world in WORLDS if world in used), None)
        groups.setdefault(world or item.location[0], []).append(item)
        if world or item.get_closest_marker("prefect"):
            item.add_marker(pytest.mark.slow)
    if config.pluginmanager.hasplugin("xdist"):
        for name, members in groups.items():
            for item in members:
                item.add_marker(pytest.mark.xdist_group(name))
    items[:] = chain.from_iterable(sorted(groups.values(), key=_is_quick))


def pytest_configure(config: pytest.Config) -> None:
    """Take interrupts: tests send some, and a shell has what it starts behind ignore them.

    A process of several starts its fork server now: one that a test started would look for what
    it is to import in that test's folder, with that test's environment.

    What is imported and collected stays until the end, and the garbage collector need not look at
    it: that is half of what collecting takes, and a tenth of what tests take.
    """
    gc.disable()
    if hasattr(config, "workerinput"):
        ensure_running()
        atexit.register(_end)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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


def _is_quick(members: Iterable[pytest.Item]) -> bool:
    return not any(item.get_closest_marker("slow") for item in members)
