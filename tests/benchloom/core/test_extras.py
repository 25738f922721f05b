"""Extras: a missing one is told by the command that installs it."""

import pytest

from benchloom.core.errors import RunError, extra
from scrapers.errors import SettingsError


def test_a_missing_package_is_told_by_the_command_that_installs_it() -> None:
    with (
        pytest.raises(RunError, match=r"^horns need the extra 'x': pip install 'benchloom\[x\]'$"),
        extra("x", "horns"),
    ):
        raise ModuleNotFoundError("No module named 'unicorns'", name="unicorns")


def test_the_fault_may_be_one_that_a_caller_waits_for() -> None:
    with pytest.raises(SettingsError), extra("x", "horns", SettingsError):
        raise ModuleNotFoundError("No module named 'unicorns'", name="unicorns")


def test_other_faults_pass() -> None:
    with pytest.raises(ZeroDivisionError), extra("x", "horns"):
        raise ZeroDivisionError
