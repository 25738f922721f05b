"""The requests that users can make about contacts, with their wording."""

from benchloom.worlds.requests.draws import a_kind, words, yes
from benchloom.worlds.requests.wants import Question, Want, ask, requests
from benchloom.worlds.suites.everyday.requests._objects import CONTACT, GROUP, NAMED_OBJECTS

_RELATIONS = a_kind("friend", "colleague", "neighbour", "acquaintance")
_PHONES = words("+99955990101", "+99955990202", "+99955990303", "+99955990404", "+99955990505")


REQUESTS = requests(
    usual={**NAMED_OBJECTS, "relation": _RELATIONS},
    wants=(
        Want(
            "contacts.create_contact",
            "add {name} to my contacts as {relation}, telephone {phone}",
            {
                "name": words("Arvid Moss", "Bea Lund", "Cora Finch", "Dov Hart", "Elin Roe"),
                "phone": _PHONES,
            },
            makes=("contact_id", "the new contact"),
        ),
        Want(
            "contacts.contact_from_mail", "add whoever sent {mail_id} to my contacts as {relation}"
        ),
        Want(
            "contacts.update_contact",
            "change the telephone number of {contact_id} to {phone}",
            {"contact_id": CONTACT, "phone": _PHONES},
        ),
        Want("contacts.update_contact", "list {contact_id} as {relation}"),
        Want(
            "contacts.update_contact",
            "{blocked} {contact_id}",
            {"contact_id": CONTACT.among(blocked=False), "blocked": yes("block")},
        ),
        Want("contacts.delete_contact", "delete {contact_id} from my contacts"),
        Want("contacts.add_to_group", "put {contact_id} into {group_id}", {"group_id": GROUP}),
        Want(
            "contacts.add_to_group",
            "put {contact_id} into {group_id}",
            {"group_id": GROUP},
            first={"group_id": GROUP.for_field("group_id")},
            otherwise="if they are in it already, take {group_id}",
        ),
        Want(
            "contacts.remove_from_group", "take {contact_id} out of {group_id}", {"group_id": GROUP}
        ),
    ),
    questions=(
        ask(
            "tell me who is close to {contact_id}",
            "contacts.find_relatives",
            "name",
            {"contact_id": CONTACT},
        ),
        Question("tell me in which town {it} lives", CONTACT.for_field("city")),
        Question("tell me for which firm {it} works", CONTACT.for_field("company")),
        Question("tell me the birthday of {it}", CONTACT.for_field("birthday")),
        Question("tell me the telephone number of {it}", CONTACT.for_field("phone")),
        Question("tell me how many people are in {it}", GROUP.for_field("members")),
    ),
)
