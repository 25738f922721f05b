"""Accounts: users, their passwords and tokens."""

import string
from typing import Literal

import msgspec

from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.databases import Databases
from benchloom.worlds.suites.api_bank.part import SUCCESS, Part, refused, user_of
from benchloom.worlds.tool import read_tool, tool

CODE = 970420
"""The code that every user is sent: recorded dialogues know no other."""
_SIGNS = string.digits + string.ascii_lowercase
_TOKEN_SIGNS = 32
_SCHEMA = """
CREATE TABLE accounts (
    username TEXT PRIMARY KEY, password TEXT NOT NULL, token TEXT NOT NULL, email TEXT NOT NULL
) STRICT;
CREATE TABLE codes (username TEXT PRIMARY KEY, code INTEGER NOT NULL, rank INTEGER NOT NULL) STRICT;
"""


class Token(msgspec.Struct, frozen=True):
    """What a user shows to other tools."""

    token: str


class Status(msgspec.Struct, frozen=True):
    """That it was done."""

    status: Literal["success"] = SUCCESS


@read_tool(username="who logs in.", password="the user's password.")
def GetUserToken(state: State, *, username: str, password: str) -> Token:
    """Log in: get the token that other tools ask for."""
    rows = state.rows("SELECT * FROM accounts WHERE username = ?", username)
    if not rows:
        raise refused(state, "not_found", ("GetUserToken", 0), "no user has this name")
    if rows[0]["password"] != password:
        raise refused(state, "permission", ("GetUserToken", 1), "this is not the password")
    return Token(str(rows[0]["token"]))


@tool(
    username="a name that nobody has.",
    password="the password that it gets.",
    email="where its user can be written to.",
)
def RegisterUser(state: State, *, username: str, password: str, email: str) -> Token:
    """Open an account, and log in."""
    if state.rows("SELECT 1 FROM accounts WHERE username = ?", username):
        raise refused(state, "conflict", ("RegisterUser", 0), "somebody has this name")
    token = _token(username, password, email)
    state.add("accounts", username=username, password=password, token=token, email=email)
    return Token(token)


@tool(token="that of its user.")
def DeleteAccount(state: State, *, token: str) -> Status:
    """Close an account for good."""
    state.remove("accounts", username=user_of(state, token))
    return Status()


@tool(
    token="the user's token.",
    old_password="the password as it is.",
    new_password="what it shall be.",
)
def ModifyPassword(state: State, *, token: str, old_password: str, new_password: str) -> Status:
    """Change the password of a user who knows it."""
    username = user_of(state, token)
    if state.row("accounts", username=username)["password"] != old_password:
        raise refused(state, "permission", ("ModifyPassword", 0), "this is not the password")
    state.change("accounts", {"username": username}, password=new_password)
    return Status()


@tool(
    status='"Forgot Password" to be sent a code, "Verification Code" to use it.',
    username="who forgot the password, at first.",
    email="the user's address, at first.",
    verification_code="the code that was sent, then.",
    new_password="the password to set, then.",
)
def ForgotPassword(
    state: State,
    *,
    status: str,
    username: str = "",
    email: str = "",
    verification_code: int = 0,
    new_password: str = "",
) -> int | str:
    """Set a new password without the old one: first a code is sent, then it is used."""
    if status == "Forgot Password":
        return _send_code(state, username, email)
    if status == "Verification Code":
        return _use_code(state, verification_code, new_password)
    raise refused(state, "invalid_argument", ("ForgotPassword", 6), "no such status")


def _send_code(state: State, username: str, email: str) -> int:
    if not username or not email:
        text_key = ("ForgotPassword", 0)
        raise refused(state, "invalid_argument", text_key, "name and address come first")
    rows = state.rows("SELECT * FROM accounts WHERE username = ?", username)
    if not rows:
        raise refused(state, "not_found", ("ForgotPassword", 1), "no user has this name")
    if rows[0]["email"] != email:
        raise refused(state, "permission", ("ForgotPassword", 2), "this is not the address")
    last = state.rows("SELECT coalesce(max(rank), 0) AS last FROM codes")[0]["last"]
    if state.rows("SELECT 1 FROM codes WHERE username = ?", username):
        state.remove("codes", username=username)
    state.add("codes", username=username, code=CODE, rank=int(last or 0) + 1)
    return CODE


def _use_code(state: State, code: int, new_password: str) -> str:
    rows = state.rows("SELECT * FROM codes ORDER BY rank DESC LIMIT 1")
    if not rows:
        raise refused(state, "conflict", ("ForgotPassword", 3), "no code has been sent")
    if not code or not new_password:
        text_key = ("ForgotPassword", 4)
        raise refused(state, "invalid_argument", text_key, "code and new password come next")
    if rows[0]["code"] != code:
        raise refused(state, "permission", ("ForgotPassword", 5), "this is not the code")
    username = str(rows[0]["username"])
    state.remove("codes", username=username)
    state.change("accounts", {"username": username}, password=new_password)
    return SUCCESS


def _token(*parts: str) -> str:
    """Derive a token from what was registered, in the characters of tokens."""
    number = int(hex_of(digest_of_parts("token", parts)), 16)
    signs = []
    for _ in range(_TOKEN_SIGNS):
        number, at = divmod(number, len(_SIGNS))
        signs.append(_SIGNS[at])
    return "".join(signs)


def _fill(state: State, databases: Databases) -> None:
    for username, user_account in databases.account.items():
        values = {
            "password": user_account.password,
            "token": user_account.token,
            "email": user_account.email,
        }
        state.add("accounts", username=username, **values)


PART = Part(
    schema=_SCHEMA,
    fill=_fill,
    tools=globals(),
    drawn_ids={"ForgotPassword": (), "RegisterUser": ("token",)},
    goals={
        "GetUserToken": "log in to my account",
        "ModifyPassword": "change my password",
        "RegisterUser": "open an account",
    },
)
