"""The app for the user's accounts at firms, which have passwords and sign-in codes."""

import hashlib
from typing import Annotated, TypeAlias

import msgspec

from benchloom.worlds.everyday.apps import mail
from benchloom.worlds.everyday.rules import (
    Email,
    Id,
    Query,
    changes,
    choice,
    drawn,
    email_of,
    refuse_if_any,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

Username: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]{2,29}$(?!\n)")]
Password: TypeAlias = Annotated[
    str, msgspec.Meta(min_length=8, max_length=64, pattern=r"^[!-~]*$(?!\n)")
]
Code: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{6}$(?!\n)")]
_SERVICES = (
    ("Alder Grocers", "alder-grocers", 0),
    ("Brisk Library", "brisk-library", 0),
    ("Garden Exchange", "garden-exchange", 0),
    ("Gull Tax Office", "gull-tax-office", 1),
    ("Lantern Cinema", "lantern-cinema", 0),
    ("Lomm Water", "lomm-water", 0),
    ("Night Trains", "night-trains", 0),
    ("Osterby Insurance", "osterby-insurance", 1),
    ("Piano Forum", "piano-forum", 0),
    ("Saltmarsh School", "saltmarsh-school-portal", 1),
    ("Skerry Ferries", "skerry-ferries", 0),
    ("Tern Telephone", "tern-telephone", 0),
    ("Kiln Club", "kiln-club", 0),
    ("Quay Bicycles", "quay-bicycles", 0),
    ("Walking Maps", "walking-maps", 0),
)
_JOINED = 12
"""The number of firms at which the user has an account, which are the first in the list."""
_SCHEMA = """
CREATE TABLE services (
    service_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL,
    official INTEGER NOT NULL CHECK (official IN (0, 1))
) STRICT;
CREATE TABLE logins (
    login_id TEXT PRIMARY KEY,
    service_id TEXT NOT NULL UNIQUE REFERENCES services (service_id),
    username TEXT NOT NULL,
    email TEXT NOT NULL,
    two_step INTEGER NOT NULL CHECK (two_step IN (0, 1)),
    locked INTEGER NOT NULL CHECK (locked IN (0, 1)),
    password TEXT NOT NULL
) STRICT;
CREATE TABLE login_codes (
    login_id TEXT PRIMARY KEY REFERENCES logins (login_id) ON DELETE CASCADE,
    code TEXT NOT NULL,
    mail_id TEXT REFERENCES mails (mail_id) ON DELETE SET NULL
) STRICT;
CREATE INDEX login_codes_by_mail ON login_codes (mail_id);
CREATE VIEW accounts AS
    SELECT logins.*, services.name AS service FROM logins JOIN services USING (service_id);
"""


class Service(msgspec.Struct, frozen=True):
    """A firm that offers accounts; accounts at an `official` firm cannot be closed."""

    service_id: str
    name: str
    email: str
    official: bool


class Account(msgspec.Struct, frozen=True):
    """An account of the user; a `locked` account needs a new password."""

    login_id: str
    service_id: str
    service: str
    username: str
    email: str
    two_step: bool
    locked: bool


class CodeSent(msgspec.Struct, frozen=True):
    """The mail in the inbox that contains the code."""

    login_id: str
    mail_id: str


SERVICES = Table("services", Service)
ACCOUNTS = Table("accounts", Account, order="service", searched=("service", "username"))


@read_tool(query="a part of the name; all firms if it is empty.")
def search_services(state: State, *, query: Query = "") -> list[Service]:
    """Find firms that offer accounts, by name."""
    return SERVICES.search(state, query)


@read_tool(
    query="a part of the name of the firm, or of the user name.",
    two_step="only accounts with (true) or without (false) a sign-in code.",
    locked="only accounts that are locked (true) or not (false).",
)
def search_accounts(
    state: State, *, query: Query = "", two_step: bool | None = None, locked: bool | None = None
) -> list[Account]:
    """Find the user's accounts, by firm."""
    return ACCOUNTS.search(state, query, two_step=two_step, locked=locked)


get_account = ACCOUNTS.get_tool("accounts.get_account", "Look at one account.")


@tool(
    service_id="the firm.",
    username="the user name.",
    password="the password, of at least 8 characters.",
)
def create_account(
    state: State, *, service_id: Id, username: Username, password: Password
) -> Account:
    """Open an account at a firm where the user has none."""
    service = state.row("services", service_id=service_id)
    message = f"the user already has an account at {service['name']}"
    refuse_if_any(state, message, "logins", service_id=service_id)
    new_login_id = state.new_id("logins", service_id, username)
    state.add(
        "logins",
        login_id=new_login_id,
        service_id=service_id,
        username=username,
        email=email_of(state),
        two_step=0,
        locked=0,
        password=_password_digest(new_login_id, password),
    )
    return ACCOUNTS.get(state, new_login_id)


@tool(
    username="the new user name.",
    email="the new email address of the account.",
    two_step="whether signing in requires a code.",
)
def update_account(
    state: State,
    *,
    login_id: Id,
    username: Username | None = None,
    email: Email | None = None,
    two_step: bool | None = None,
) -> Account:
    """Change an account that is not locked."""
    updates = changes(username=username, email=email, two_step=two_step)
    before = ACCOUNTS.get(state, login_id)
    if before.locked:
        raise RefusedError(
            "permission", f"the account at {before.service} is locked; change its password first"
        )
    if two_step is False and SERVICES.get(state, before.service_id).official:
        raise RefusedError("permission", f"{before.service} always requires a sign-in code")
    state.change("logins", {"login_id": login_id}, **updates)
    return ACCOUNTS.get(state, login_id)


@tool()
def delete_account(state: State, *, login_id: Id) -> Account:
    """Close an account; accounts at official firms or with a sign-in code cannot be closed."""
    account = ACCOUNTS.get(state, login_id)
    if SERVICES.get(state, account.service_id).official:
        raise RefusedError("permission", f"accounts at {account.service} cannot be closed")
    if account.two_step:
        raise RefusedError("conflict", "the account has a sign-in code; switch it off first")
    state.remove("logins", login_id=login_id)
    return account


@tool(login_id="the account.")
def request_code(state: State, *, login_id: Id) -> CodeSent:
    """Request a code by mail to the user's inbox; the code allows a change of the password."""
    account = ACCOUNTS.get(state, login_id)
    if account.email != email_of(state):
        raise RefusedError("unavailable", f"codes go to {account.email}, not to the user")
    refuse_if_any(state, "a code was sent and is still valid", "login_codes", login_id=login_id)
    old = str(state.row("logins", login_id=login_id)["password"])
    code = f"{drawn(1_000_000, 'code', login_id, old):06d}"
    mail_id = mail.receive(
        state,
        SERVICES.get(state, account.service_id).email,
        f"Your code for {account.service}",
        f"The code is {code}. Tell it nobody.",
        code,
    )
    state.add("login_codes", login_id=login_id, code=code, mail_id=mail_id)
    return CodeSent(login_id, mail_id)


@tool(
    login_id="the account.",
    code="the six-digit code that the firm sent.",
    password="the new password, of at least 8 characters.",
)
def change_password(state: State, *, login_id: Id, code: Code, password: Password) -> Account:
    """Set a new password, which also unlocks a locked account; a code can be used once."""
    code_rows = state.rows("SELECT code FROM login_codes WHERE login_id = ?", login_id)
    before = state.row("logins", login_id=login_id)
    if not code_rows:
        raise RefusedError("unavailable", "no code was sent; request a code first")
    if code_rows[0]["code"] != code:
        raise RefusedError("permission", "the code is wrong")
    stored_password = _password_digest(login_id, password)
    if stored_password == before["password"]:
        raise RefusedError("conflict", "the new password equals the old password")
    state.change("logins", {"login_id": login_id}, password=stored_password, locked=0)
    state.remove("login_codes", login_id=login_id)
    return ACCOUNTS.get(state, login_id)


def _password_digest(login_id: str, password: str) -> str:
    return hashlib.sha256(f"{login_id}/{password}".encode()).hexdigest()


def _fill(state: State) -> None:
    user_email = email_of(state)
    for position, (name, domain, official) in enumerate(_SERVICES):
        email = f"accounts@{domain}.example"
        state.add("services", service_id=domain, name=name, email=email, official=official)
        if position >= _JOINED:
            continue
        new_login_id = state.new_id("logins", domain)
        state.add(
            "logins",
            login_id=new_login_id,
            service_id=domain,
            username=choice(("ada_brandt", "abrandt", "brandt27"), "username", domain),
            email="ada.old@lantern-works.example" if position % 6 == 4 else user_email,
            two_step=int(official or drawn(3, "two step", domain) == 0),
            locked=int(position % 5 == 2),
            password=_password_digest(new_login_id, f"start-{domain}"),
        )


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of("accounts", globals(), descriptions={"login_id": "its id."}),
    needs=("people", "mail"),
    frozen=("services",),
    goals={
        "change_password": "change a password",
        "update_account state": "{} the sign-in code of an account",
        "request_code": "get a sign-in code sent",
    },
)
