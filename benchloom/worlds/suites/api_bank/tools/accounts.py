"""Tools for user accounts, which have names, passwords and tokens."""

import string
from typing import Literal

import msgspec

from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.part import SUCCESS, Part, fill_from, refused, user_of
from benchloom.worlds.tool import read_tool, tool

CODE = 970420
"""The verification code of every user, because recorded dialogues contain no other code."""
_SIGNS = string.digits + string.ascii_lowercase
_TOKEN_SIGNS = 32
_SCHEMA = """
CREATE TABLE accounts (
    username TEXT PRIMARY KEY, password TEXT NOT NULL, token TEXT NOT NULL, email TEXT NOT NULL
) STRICT;
CREATE TABLE codes (username TEXT PRIMARY KEY, code INTEGER NOT NULL, rank INTEGER NOT NULL) STRICT;
"""


class Token(msgspec.Struct, frozen=True):
    """The token of a user, which other tools require."""

    token: str


class Status(msgspec.Struct, frozen=True):
    """The reply of a tool that returns no data."""

    status: Literal["success"] = SUCCESS


@read_tool(username="the user name.", password="the user's password.")
def GetUserToken(state: State, *, username: str, password: str) -> Token:
    """Log in: return the token that other tools require."""
    rows = state.rows("SELECT * FROM accounts WHERE username = ?", username)
    if not rows:
        raise refused(state, "not_found", ("GetUserToken", 0), "no user has this name")
    if rows[0]["password"] != password:
        raise refused(state, "permission", ("GetUserToken", 1), "the password is wrong")
    return Token(str(rows[0]["token"]))


@tool(
    username="an unused user name.",
    password="the password.",
    email="the email address.",
)
def RegisterUser(state: State, *, username: str, password: str, email: str) -> Token:
    """Register a new user account and return its token."""
    if state.rows("SELECT 1 FROM accounts WHERE username = ?", username):
        raise refused(state, "conflict", ("RegisterUser", 0), "the user name is already in use")
    token = _token(username, password, email)
    state.add("accounts", username=username, password=password, token=token, email=email)
    return Token(token)


@tool(token="the user's token.")
def DeleteAccount(state: State, *, token: str) -> Status:
    """Delete the user's account."""
    state.remove("accounts", username=user_of(state, token))
    return Status()


@tool(
    token="the user's token.",
    old_password="the current password.",
    new_password="the new password.",
)
def ModifyPassword(state: State, *, token: str, old_password: str, new_password: str) -> Status:
    """Change the password of a user by the current password."""
    username = user_of(state, token)
    if state.row("accounts", username=username)["password"] != old_password:
        raise refused(state, "permission", ("ModifyPassword", 0), "the current password is wrong")
    state.change("accounts", {"username": username}, password=new_password)
    return Status()


@tool(
    status='"Forgot Password" to request a code, then "Verification Code" to use it.',
    username="the user name, to request a code.",
    email="the user's email address, to request a code.",
    verification_code="the code, to use it.",
    new_password="the new password, to use the code.",
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
    """Set a new password without the old password: first request a code, then use it."""
    if status == "Forgot Password":
        return _send_code(state, username, email)
    if status == "Verification Code":
        return _use_code(state, verification_code, new_password)
    raise refused(state, "invalid_argument", ("ForgotPassword", 6), "unknown status")


def _send_code(state: State, username: str, email: str) -> int:
    if not username or not email:
        text_key = ("ForgotPassword", 0)
        raise refused(state, "invalid_argument", text_key, "username and email are required")
    rows = state.rows("SELECT * FROM accounts WHERE username = ?", username)
    if not rows:
        raise refused(state, "not_found", ("ForgotPassword", 1), "no user has this name")
    if rows[0]["email"] != email:
        raise refused(state, "permission", ("ForgotPassword", 2), "the email address is wrong")
    last = state.rows("SELECT coalesce(max(rank), 0) AS last FROM codes")[0]["last"]
    if state.rows("SELECT 1 FROM codes WHERE username = ?", username):
        state.remove("codes", username=username)
    state.add("codes", username=username, code=CODE, rank=int(last or 0) + 1)
    return CODE


def _use_code(state: State, code: int, new_password: str) -> str:
    rows = state.rows("SELECT * FROM codes ORDER BY rank DESC LIMIT 1")
    if not rows:
        raise refused(state, "conflict", ("ForgotPassword", 3), "no code was sent")
    if not code or not new_password:
        text_key = ("ForgotPassword", 4)
        raise refused(state, "invalid_argument", text_key, "code and new password are required")
    if rows[0]["code"] != code:
        raise refused(state, "permission", ("ForgotPassword", 5), "the code is wrong")
    username = str(rows[0]["username"])
    state.remove("codes", username=username)
    state.change("accounts", {"username": username}, password=new_password)
    return SUCCESS


def _token(*parts: str) -> str:
    number = int(hex_of(digest_of_parts("token", parts)), 16)
    signs = []
    for _ in range(_TOKEN_SIGNS):
        number, at = divmod(number, len(_SIGNS))
        signs.append(_SIGNS[at])
    return "".join(signs)


PART = Part(
    schema=_SCHEMA,
    fill=fill_from("accounts", "username", lambda databases: databases.account),
    tools=globals(),
    drawn_ids={"ForgotPassword": (), "RegisterUser": ("token",)},
    goals={
        "GetUserToken": "log in to my account",
        "ModifyPassword": "change my password",
        "RegisterUser": "open an account",
    },
)
