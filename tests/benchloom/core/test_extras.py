"""Check that the error about a missing extra shows the command that installs it."""

import pytest

from benchloom.core.errors import RunError, extra
from scrapers.errors import SettingsError


def test_missing_extra_error_shows_the_install_command() -> None:
    with (
        pytest.raises(RunError, match=r"^horns need the extra 'x': pip install 'benchloom\[x\]'$"),
        extra("x", "horns"),
    ):
        raise ModuleNotFoundError("No module named 'unicorns'", name="unicorns")


def test_missing_extra_raises_the_requested_error_class() -> None:
    with pytest.raises(SettingsError), extra("x", "horns", SettingsError):
        raise ModuleNotFoundError("No module named 'unicorns'", name="unicorns")


def test_unrelated_error_is_raised_unchanged() -> None:
    with pytest.raises(ZeroDivisionError), extra("x", "horns"):
        raise ZeroDivisionError
