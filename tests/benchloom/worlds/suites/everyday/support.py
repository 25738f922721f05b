"""Calling the everyday world in tests."""

from typing import Any

from benchloom.core.records.values import Plain
from benchloom.worlds import Session


class Visit:
    """A session whose calls are short to write."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def call(self, tool: str, **arguments: Plain) -> Any:
        """Return the result of a call that must not be refused."""
        outcome = self.session.call(tool, arguments)
        assert outcome.refused is None, outcome.message
        return outcome.result

    def first(self, tool: str, **arguments: Plain) -> Any:
        """The first of what a search finds."""
        return self.call(tool, **arguments)[0]

    def refused(self, tool: str, **arguments: Plain) -> str | None:
        """Why a call is refused, which must change nothing."""
        before = self.session.digest()
        outcome = self.session.call(tool, arguments)
        assert outcome.refused is None or self.session.digest() == before
        return outcome.refused

    def refuses(self, kind: str, tool: str, /, **arguments: Plain) -> None:
        """Assert that a call is refused for a reason, and changes nothing."""
        assert self.refused(tool, **arguments) == kind

    def cells(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        """Rows of the tables, read past the tools."""
        return [tuple(row.values()) for row in self.session._state.rows(query, *values)]

    def balance(self) -> int:
        """The balance of the account of the blue card, in cents."""
        card = self.first("wallet.search_cards", query="blue")
        account = self.call("bank.get_account", bank_account_id=card["bank_account_id"])
        return int(account["balance_cents"])
