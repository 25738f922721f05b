"""Calls of a dialogue that fail if each is run alone on the initial state of the database.

The published scorer makes every recorded call alone, without the changes and random values from
earlier calls of the same dialogue. Passwords, accounts and random ids are tracked here; any
other data that a recorded dialogue adds and later changes is in the initial state as well.
"""

from collections.abc import Mapping

from benchloom.core.records.values import Plain, rendered
from benchloom.exchange.examples import Result

_SHORTEST = 4  # characters of a drawn id at least: shorter ones occur by chance
_SETTERS = {"RegisterUser": "password", "ForgotPassword": "new_password"}
_SETTERS["ModifyPassword"] = "new_password"
_DRAWERS = frozenset({"RegisterUser", "AppointmentRegistration"})


class FreshDatabase:
    """The changes made by the earlier calls of one dialogue."""

    def __init__(self) -> None:
        self._passwords: set[str] = set()
        self._drawn: set[str] = set()
        self._users: set[str] = set()
        self._sent_code = self._deleted = False

    def fault(self, api: str, arguments: Mapping[str, Plain], result: Result | None) -> str:
        """Return why the call fails on the initial state, else empty; remember the call."""
        why = self._fault(api, arguments, result)
        self._take(api, arguments, result)
        return why

    def _fault(self, api: str, arguments: Mapping[str, Plain], result: Result | None) -> str:
        values = {value for value in arguments.values() if isinstance(value, str)}
        if api == "ForgotPassword" and self._sent_code and "verification_code" in arguments:
            return "the code was sent by an earlier call"
        if api == "GetUserToken" and arguments.get("password") in self._passwords:
            return "the password was set by an earlier call"
        if api == "RegisterUser" and self._deleted and arguments.get("username") in self._users:
            return "the account was deleted by an earlier call"
        if (values | _texts(result, names=True)) & self._drawn:
            return "an earlier call drew this id"
        return ""

    def _take(self, api: str, arguments: Mapping[str, Plain], result: Result | None) -> None:
        if result is not None and result.exception is not None:
            return
        if isinstance(user := arguments.get("username"), str):
            self._users.add(user)
        if isinstance(password := arguments.get(_SETTERS.get(api, "")), str):
            self._passwords.add(password)
        if api in _DRAWERS:
            drawn = _texts(result, names=False)
            self._drawn |= {text for text in drawn if len(text) >= _SHORTEST}
        self._sent_code |= api == "ForgotPassword"
        self._deleted |= api == "DeleteAccount"


def _texts(result: Result | None, *, names: bool) -> set[str]:
    """Return the texts in a result; with `names` also the member names of its objects."""
    texts: set[str] = set()
    waiting = [] if result is None else [rendered(result.output, str)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            texts.add(value)
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            texts.update(value if names else ())
            waiting += value.values()
    return texts
