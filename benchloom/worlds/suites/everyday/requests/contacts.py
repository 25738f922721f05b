"""Contacts."""

from benchloom.worlds.suites.everyday.asking.draws import a_kind, words, yes
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import CONTACT, GROUP, MAIL

_RELATIONS = a_kind("friend", "colleague", "neighbour", "acquaintance")
_PHONES = words("+99955990101", "+99955990202", "+99955990303", "+99955990404", "+99955990505")


def _about(field: str) -> Named:
    return Named(
        tool="contacts.search_contacts",
        query="query",
        name="name",
        field=field,
        text="{name}",
        listing={"limit": 50},
    )


REQUESTS = Requests(
    wants=(
        Want(
            tool="contacts.create_contact",
            text="add {name} to my contacts as {relation}, telephone {phone}",
            take={
                "name": words("Arvid Moss", "Bea Lund", "Cora Finch", "Dov Hart", "Elin Roe"),
                "phone": _PHONES,
                "relation": _RELATIONS,
            },
            makes=("contact_id", "the new contact"),
        ),
        Want(
            tool="contacts.contact_from_mail",
            text="add whoever sent {mail_id} to my contacts as {relation}",
            take={"mail_id": MAIL, "relation": _RELATIONS},
        ),
        Want(
            tool="contacts.update_contact",
            text="change the telephone number of {contact_id} to {phone}",
            take={"contact_id": CONTACT, "phone": _PHONES},
        ),
        Want(
            tool="contacts.update_contact",
            text="list {contact_id} as {relation}",
            take={"contact_id": CONTACT, "relation": _RELATIONS},
        ),
        Want(
            tool="contacts.update_contact",
            text="{blocked} {contact_id}",
            take={"contact_id": CONTACT, "blocked": yes("block")},
        ),
        Want(
            tool="contacts.delete_contact",
            text="delete {contact_id} from my contacts",
            take={"contact_id": CONTACT},
        ),
        Want(
            tool="contacts.add_to_group",
            text="put {contact_id} into {group_id}",
            take={"group_id": GROUP, "contact_id": CONTACT},
        ),
        Want(
            tool="contacts.add_to_group",
            text="put {contact_id} into {group_id}",
            take={"group_id": GROUP, "contact_id": CONTACT},
            first={
                "group_id": Named(
                    tool="contacts.search_groups",
                    query="query",
                    name="name",
                    field="group_id",
                    text="the group {name}",
                )
            },
            otherwise="if that is not possible, take {group_id}",
        ),
        Want(
            tool="contacts.remove_from_group",
            text="take {contact_id} out of {group_id}",
            take={"group_id": GROUP, "contact_id": CONTACT},
        ),
    ),
    questions=(
        Question(
            text="tell me who is close to {it}",
            about=Named(
                tool="contacts.find_relatives",
                by={"contact_id": CONTACT},
                field="name",
                text="{contact_id}",
            ),
        ),
        Question(text="tell me in which town {it} lives", about=_about("city")),
        Question(text="tell me for which firm {it} works", about=_about("company")),
        Question(text="tell me the birthday of {it}", about=_about("birthday")),
        Question(text="tell me the telephone number of {it}", about=_about("phone")),
        Question(
            text="tell me how many people are in {it}",
            about=Named(
                tool="contacts.search_groups",
                query="query",
                name="name",
                field="members",
                text="the group {name}",
            ),
        ),
    ),
)
