"""Report the failure of a shared fixture once.

pytest raises what the fixture raised for every test that reads it, with all its frames and output.
The first report stays as it is; the others say which fixture failed, and for which test first.
"""

from collections.abc import Generator

import pytest

_first: dict[int, tuple[BaseException, str]] = {}
"""Faults of fixtures by identity, which holds while they are kept, and the test that met each."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Shorten the report of a test whose fixture has failed before."""
    report = yield
    if call.when != "setup" or call.excinfo is None or not report.failed:
        return report
    fault = call.excinfo.value
    _, first = _first.setdefault(id(fault), (fault, item.nodeid))
    if first != item.nodeid:
        report.longrepr = f"fixture '{_failed_fixture(item, fault)}' failed: see {first}"
    return report


def _failed_fixture(item: pytest.Item, fault: BaseException) -> str:
    """Return the name of the fixture that raised a fault, not of those that read it."""
    info = getattr(item, "_fixtureinfo", None)
    definitions = {} if info is None else info.name2fixturedefs
    failed = {
        name: fixture_definitions[-1].argnames
        for name, fixture_definitions in definitions.items()
        if (result := fixture_definitions[-1].cached_result) and result[2] and result[2][0] is fault
    }
    return next((name for name, reads in failed.items() if failed.keys().isdisjoint(reads)), "?")
