"""Level 3: accounts of users, whom they belong to, what they post, watch and earn."""

from typing import Any, Literal

import msgspec

from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.part import LEVEL_3, SUCCESS, Part, need, refused
from benchloom.worlds.suites.api_bank.tools import accounts
from benchloom.worlds.suites.api_bank.tools._drawing import number, some
from benchloom.worlds.tool import read_tool, tool

_SCHEMA = "CREATE TABLE addresses (username TEXT PRIMARY KEY, address TEXT NOT NULL) STRICT;"
_PEOPLE = ("Ada Birch", "Bo Calder", "Cleo Dunn", "Dev Ellery", "Esi Frost", "Finn Garrow")
_MOVIES = {
    "comedy": ("The Wrong Umbrella", "Two Left Boots"),
    "drama": ("A House by the Weir", "What the Baker Knew"),
    "science fiction": ("Orbit of Ash", "The Ninth Lantern"),
    "thriller": ("Quiet Platform", "The Blue Ledger"),
}
_SALARIES = {"baker": 31_000, "engineer": 78_000, "nurse": 52_000, "teacher": 49_000}
_BANDS = ((10_000, 0.0), (40_000, 0.2), (100_000, 0.3), (float("inf"), 0.4))
"""Tax bands of a salary, lowest first: upper bound, and tax rate within the band."""


class Account(msgspec.Struct, frozen=True):
    """What is known of a user."""

    account_info: dict[str, str]
    status: Literal["success"] = SUCCESS


@read_tool(username="who asks.")
def AccountInfo(state: State, *, username: str, password: str) -> Account:
    """Tell what is known of a user."""
    accounts.GetUserToken(state, username=username, password=password)
    account = {"username": username}
    account["email"] = str(state.row("accounts", username=username)["email"])
    for row in state.rows("SELECT address FROM addresses WHERE username = ?", username):
        account["address"] = str(row["address"])
    return Account(account)


@tool(username="who moves.", address="where to.")
def PersonalInfoUpdate(state: State, *, username: str, password: str, address: str) -> str:
    """Change where a user lives."""
    accounts.GetUserToken(state, username=username, password=password)
    if state.rows("SELECT 1 FROM addresses WHERE username = ?", username):
        state.change("addresses", {"username": username}, address=address)
    else:
        state.add("addresses", username=username, address=address)
    return SUCCESS


@read_tool(organization="what it is called.")
def OrganizationMembers(state: State, *, organization: str) -> list[str]:
    """Tell who belongs to an organization."""
    need(state, organization, ("OrganizationMembers", 0), "no organization is named")
    return some(_PEOPLE, 4, "members", organization)


@read_tool(user_id="the user's id.")
def UserPosts(_state: State, *, user_id: int) -> list[int]:
    """Tell the ids of what a user has posted."""
    first = 1 + number(9000, "posts", str(user_id))
    return [first + at for at in range(1 + number(4, "count", str(user_id)))]


@read_tool(post_id="the id of the post.")
def LikeCount(_state: State, *, post_id: int) -> int:
    """Tell how many people like a post."""
    return number(500, "likes", str(post_id))


@read_tool()
def UserMoviePreferences(state: State, *, user_name: str) -> list[str]:
    """Tell what kinds of films somebody likes."""
    need(state, user_name, ("UserMoviePreferences", 0), "nobody is named")
    return some(tuple(_MOVIES), 2, "likes", user_name)


@read_tool()
def UserWatchedMovies(state: State, *, user_name: str) -> list[str]:
    """Tell which films somebody has seen."""
    need(state, user_name, ("UserWatchedMovies", 0), "nobody is named")
    return some([film for films in _MOVIES.values() for film in films], 3, "seen", user_name)


@read_tool(preferences="the kinds.")
def MovieRecommendations(state: State, *, preferences: list[Any]) -> list[str]:
    """Tell which films are of some kinds."""
    kinds = {
        preference.strip().casefold() for preference in preferences if isinstance(preference, str)
    }
    matching_films = [film for kind, films in _MOVIES.items() if kind in kinds for film in films]
    if not matching_films:
        text_key = ("MovieRecommendations", 0)
        ours = f"no films of these kinds; there are {', '.join(_MOVIES)}"
        raise refused(state, "not_found", text_key, ours)
    return matching_films


@read_tool(occupation="the occupation.")
def GetOccupationSalary(state: State, *, occupation: str) -> float:
    """Tell what people of an occupation earn in a year."""
    salary = _SALARIES.get(occupation.strip().casefold())
    if salary is None:
        text_key = ("GetOccupationSalary", 0)
        ours = f"no salary is known; there are {', '.join(_SALARIES)}"
        raise refused(state, "not_found", text_key, ours)
    return float(salary)


@read_tool(salary="what is earned in a year.")
def TaxCalculator(state: State, *, salary: float) -> float:
    """Tell what is left of a salary after tax."""
    if salary < 0:
        exception_key = ("TaxCalculator", 0)
        raise refused(state, "invalid_argument", exception_key, "nobody earns less than nothing")
    net_salary, below = 0.0, 0.0
    for bound, share in _BANDS:
        net_salary += max(0.0, min(salary, bound) - below) * (1 - share)
        below = bound
    return round(net_salary, 2)


PART = Part(
    schema=_SCHEMA,
    tools=globals(),
    descriptions={"password": "the user's password.", "user_name": "who."},
    app=LEVEL_3,
)
