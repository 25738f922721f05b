"""Report the failure of a shared fixture once.

pytest repeats the error of a failed fixture, with all its frames and output, for every test that
uses the fixture. Here only the first report is full; the others name the fixture and that test.
"""

from collections.abc import Generator

import pytest

_first: dict[int, tuple[BaseException, str]] = {}
"""Errors of fixtures by identity, each kept so that its id stays unique, and their first tests."""


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
    """Return the name of the fixture that raised an error, not of fixtures that use it."""
    info = getattr(item, "_fixtureinfo", None)
    definitions = {} if info is None else info.name2fixturedefs
    argnames_of_failed = {
        name: fixture_definitions[-1].argnames
        for name, fixture_definitions in definitions.items()
        if (result := fixture_definitions[-1].cached_result) and result[2] and result[2][0] is fault
    }
    return next(
        (
            name
            for name, reads in argnames_of_failed.items()
            if argnames_of_failed.keys().isdisjoint(reads)
        ),
        "?",
    )
