"""The app for the user's contacts, who have addresses and telephone numbers, and form groups."""

from typing import Literal, TypeAlias

import msgspec

from benchloom.worlds.everyday.rules import (
    COUNT,
    USER,
    Email,
    Id,
    Limit,
    Name,
    Phone,
    Query,
    changes,
    drawn,
    person_id,
    refuse_if_any,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import Cell, RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

Relation: TypeAlias = Literal[
    "friend", "colleague", "neighbour", "family", "acquaintance", "other", "self"
]
MAX_IN_EMERGENCY = 5
_GROUPS = ("Book circle", "Choir", "Emergency", "Football", "Garden club", "Office", "Street")
_UNKNOWN = 12
"""People whose number is divisible by this are not among the contacts in the initial state."""
_SCHEMA = """
CREATE TABLE contacts (
    contact_id TEXT PRIMARY KEY,
    person_id TEXT UNIQUE REFERENCES people (person_id),
    name TEXT NOT NULL,
    email TEXT UNIQUE,
    phone TEXT UNIQUE,
    relation TEXT NOT NULL,
    city TEXT,
    company TEXT,
    birthday TEXT,
    blocked INTEGER NOT NULL CHECK (blocked IN (0, 1)),
    CHECK (email IS NOT NULL OR phone IS NOT NULL)
) STRICT;
CREATE TABLE contact_groups (group_id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE contact_group_members (
    group_id TEXT NOT NULL REFERENCES contact_groups (group_id),
    contact_id TEXT NOT NULL REFERENCES contacts (contact_id) ON DELETE CASCADE,
    PRIMARY KEY (group_id, contact_id)
) STRICT;
CREATE VIEW group_sizes AS SELECT *, (
    SELECT count(*) FROM contact_group_members AS of WHERE of.group_id = contact_groups.group_id
) AS members FROM contact_groups;
CREATE VIEW relatives AS
    SELECT contact_id, contacts.person_id, name, relations.relation, relations.person_id AS whose
    FROM relations JOIN contacts ON contacts.person_id = other_id;
"""


class Contact(msgspec.Struct, frozen=True):
    """A contact; `person_id` is its id in other apps, if the person is known there."""

    contact_id: str
    person_id: str | None
    name: str
    email: str | None
    phone: str | None
    relation: Relation
    city: str | None
    company: str | None
    birthday: str | None
    blocked: bool


class Group(msgspec.Struct, frozen=True):
    """A group and the number of its members."""

    group_id: str
    name: str
    members: int


class Membership(msgspec.Struct, frozen=True):
    """The membership of a contact in a group."""

    group_id: str
    contact_id: str


class Relative(msgspec.Struct, frozen=True):
    """A person close to a contact."""

    contact_id: str
    person_id: str
    name: str
    relation: str


CONTACTS = Table(
    "contacts",
    Contact,
    id_of=("name", "email", "phone"),
    order="name, contact_id",
    searched=("name", "email", "phone", "company"),
)


GROUPS = Table("group_sizes", Group)
RELATIVES = Table("relatives", Relative)


@read_tool(
    query="a part of the name, email address, number or company.",
    relation="the relation to the user.",
    city="only contacts in this town.",
    group_id="only members of this group.",
)
def search_contacts(
    state: State,
    *,
    query: Query = "",
    relation: Relation | None = None,
    city: Name | None = None,
    group_id: Id | None = None,
    limit: Limit = 20,
) -> list[Contact]:
    """Find contacts, by name."""
    if group_id is not None:
        state.row("contact_groups", group_id=group_id)
    inside = "contact_id IN (SELECT contact_id FROM contact_group_members WHERE group_id = ?)"
    return CONTACTS.search(state, query, limit, {inside: group_id}, relation=relation, city=city)


get_contact = CONTACTS.get_tool("contacts.get_contact", "Look at one contact.")


@read_tool(contact_id="whose.")
def find_relatives(state: State, *, contact_id: Id) -> list[Relative]:
    """Find the people close to a contact: partner, sibling, colleague."""
    person = CONTACTS.get(state, contact_id).person_id or ""
    return RELATIVES.search(state, where={"whose = ?": person, "person_id <> ?": USER})


@tool(
    name="the full name.",
    email="the email address.",
    phone="the telephone number with the country code.",
)
def create_contact(
    state: State,
    *,
    name: Name,
    email: Email | None = None,
    phone: Phone | None = None,
    relation: Relation = "other",
) -> Contact:
    """Create a contact with an unused email address or telephone number, or both."""
    if email is None and phone is None:
        raise RefusedError("invalid_argument", "a contact needs an email or a phone")
    if relation == "self":
        raise RefusedError("conflict", "the user's own contact already exists")
    _unused(state, email, phone)
    people = state.rows("SELECT * FROM people WHERE email = ? OR phone = ?", email, phone)
    if len(people) > 1:
        raise RefusedError("conflict", "the email and the phone belong to two different people")
    person: dict[str, Cell] = people[0] if people else {}
    person_key = person.get("person_id")
    refuse_if_any(state, "the person is already a contact", "contacts", person_id=person_key)
    return CONTACTS.add(
        state,
        person_id=person_key,
        name=name,
        email=email,
        phone=phone,
        relation=relation,
        city=person.get("city"),
        blocked=0,
    )


@tool()
def contact_from_mail(state: State, *, mail_id: Id, relation: Relation = "other") -> Contact:
    """Create a contact from the sender of a mail."""
    row = state.row("mails", mail_id=mail_id)
    if row["person_id"] is None:
        raise RefusedError("unavailable", f"{row['email']} is the address of a firm")
    person = state.row("people", person_id=row["person_id"])
    return create_contact(
        state, name=str(person["name"]), email=str(person["email"]), relation=relation
    )


@tool(
    name="the new name.",
    email="the new email address.",
    phone="the new telephone number.",
    blocked="whether the person is blocked.",
)
def update_contact(
    state: State,
    *,
    contact_id: Id,
    name: Name | None = None,
    email: Email | None = None,
    phone: Phone | None = None,
    relation: Relation | None = None,
    blocked: bool | None = None,
) -> Contact:
    """Change a contact."""
    updates = changes(name=name, email=email, phone=phone, relation=relation, blocked=blocked)
    is_own = CONTACTS.get(state, contact_id).relation == "self"
    if is_own and (blocked or relation is not None):
        raise RefusedError(
            "permission", "the user's own contact cannot be blocked or get another relation"
        )
    if relation == "self":
        raise RefusedError("conflict", "the user's own contact already exists")
    _unused(state, email, phone, contact_id)
    return CONTACTS.change(state, contact_id, **updates)


@tool()
def delete_contact(state: State, *, contact_id: Id) -> Contact:
    """Delete a contact, also from its groups; a member of the group Emergency cannot be deleted."""
    if CONTACTS.get(state, contact_id).relation == "self":
        raise RefusedError("permission", "the user's own contact cannot be deleted")
    if any(group.name == "Emergency" for group in search_groups(state, contact_id=contact_id)):
        raise RefusedError("conflict", "the contact is in the group Emergency")
    return CONTACTS.remove(state, contact_id)


@read_tool(
    query="a part of the name; all groups if it is empty.",
    contact_id="only groups that this contact is in.",
)
def search_groups(state: State, *, query: Query = "", contact_id: Id | None = None) -> list[Group]:
    """Find groups of contacts, by name."""
    inside = "group_id IN (SELECT group_id FROM contact_group_members WHERE contact_id = ?)"
    return GROUPS.search(state, query, where={inside: contact_id})


@tool(contact_id="the contact.")
def add_to_group(state: State, *, group_id: Id, contact_id: Id) -> Membership:
    """Add a contact to a group; the group Emergency has at most five members."""
    name = state.row("contact_groups", group_id=group_id)["name"]
    state.row("contacts", contact_id=contact_id)
    inside = state.rows("SELECT * FROM contact_group_members WHERE group_id = ?", group_id)
    if any(member["contact_id"] == contact_id for member in inside):
        raise RefusedError("conflict", f"the contact is already in {name}")
    if name == "Emergency" and len(inside) >= MAX_IN_EMERGENCY:
        raise RefusedError("unavailable", f"{name} is full: it has {MAX_IN_EMERGENCY} members")
    state.add("contact_group_members", group_id=group_id, contact_id=contact_id)
    return Membership(group_id, contact_id)


@tool(contact_id="the contact.")
def remove_from_group(state: State, *, group_id: Id, contact_id: Id) -> Membership:
    """Remove a contact from a group."""
    state.remove("contact_group_members", group_id=group_id, contact_id=contact_id)
    return Membership(group_id, contact_id)


def _unused(state: State, email: str | None, phone: str | None, but: str = "") -> None:
    message, conditions = "another contact has that email or phone", {"contact_id <> ?": but}
    refuse_if_any(state, message, "contacts", conditions, email=email)
    refuse_if_any(state, message, "contacts", conditions, phone=phone)


def _fill(state: State) -> None:
    groups = {name: state.new_id("contact_groups", name) for name in _GROUPS}
    for name, row_id in groups.items():
        state.add("contact_groups", group_id=row_id, name=name)
    for number in range(1, COUNT + 1):
        if number % _UNKNOWN == 0:
            continue
        person = state.row("people", person_id=person_id(number))
        kinds = "SELECT relation FROM relations WHERE person_id = ? AND other_id = ?"
        relations = state.rows(kinds, USER, person["person_id"])
        reach: dict[str, Cell] = {"email": person["email"], "phone": person["phone"]}
        if number > 1 and drawn(10, "reach", str(number)) == 0:
            reach["phone"] = None
        contact = CONTACTS.add(
            state,
            *(person[name] for name in CONTACTS.id_of),
            person_id=person["person_id"],
            name=person["name"],
            relation=relations[0]["relation"] if relations else "self",
            city=person["city"],
            company=person["company"],
            birthday=person["birthday"],
            blocked=int(number in {29, 61}),
            **reach,
        )
        for name in _groups_of(number):
            state.add("contact_group_members", group_id=groups[name], contact_id=contact.contact_id)


def _groups_of(number: int) -> list[str]:
    if number in {2, 3, 4, 5}:
        return ["Emergency"]
    return [
        name
        for name in _GROUPS
        if name != "Emergency" and number > 1 and drawn(8, name, str(number)) == 0
    ]


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of(
        "contacts",
        globals(),
        descriptions={"relation": "the relation to the user.", "contact_id": "its id."},
    ),
    needs=("people", "mail"),
    goals={
        "add_to_group": "put a contact into a group",
        "contact_from_mail": "save the sender of a mail as a contact",
        "find_relatives": "find out {} of somebody's relative",
    },
)
