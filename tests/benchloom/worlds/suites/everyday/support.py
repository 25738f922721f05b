"""A short way to call tools of the everyday world in tests."""

from typing import Any

from benchloom.core.records.values import Plain
from benchloom.worlds import Session


class Visit:
    """A session of the everyday world whose tools are called with few words."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def call(self, tool: str, **arguments: Plain) -> Any:
        """Return the result of a call that must not be refused."""
        outcome = self.session.call(tool, arguments)
        assert outcome.refused is None, outcome.message
        return outcome.result

    def first(self, tool: str, **arguments: Plain) -> Any:
        """Return the first result of a search."""
        return self.call(tool, **arguments)[0]

    def refusal(self, tool: str, **arguments: Plain) -> str | None:
        """Return the kind of refusal, or None, and check that a refused call changes nothing."""
        before = self.session.digest()
        outcome = self.session.call(tool, arguments)
        assert outcome.refused is None or self.session.digest() == before
        return outcome.refused

    def refuses(self, kind: str, tool: str, /, **arguments: Plain) -> None:
        """Check that a call is refused with a kind of refusal and changes nothing."""
        assert self.refusal(tool, **arguments) == kind

    def cells(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        """Return the values of rows that a query reads directly from the tables."""
        return [tuple(row.values()) for row in self.session._state.rows(query, *values)]

    def balance(self) -> int:
        """Return the balance in cents of the account of the blue card."""
        card = self.first("wallet.search_cards", query="blue")
        account = self.call("bank.get_account", bank_account_id=card["bank_account_id"])
        return int(account["balance_cents"])
