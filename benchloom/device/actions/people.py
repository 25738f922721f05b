"""People: contacts, telephone numbers, addresses of mail, messages and calls."""

from benchloom.device.call import GUIDE, Call, Example, action
from benchloom.device.items import Contact, Content, Item, MadeAnswer, spread
from benchloom.device.items.coercion import content_text, text_of
from benchloom.device.items.item_types import contacts_of, emails_in, phones_in
from benchloom.device.items.properties import property_of

_ANN = Contact("Ann Lee", ("555 0100",), ("ann@a.example",), "Tea")
_FIRST = Contact(
    "Ada Brandt",
    ("+99955306001",),
    ("ada.brandt@harrow-mill.example",),
    "Harrow Mill",
    birthday="2002-09-15",
)
_PICKED = {
    "WFContactFieldValues": [{"SerializedEntry": {"link.contentkit.phonenumber": "555 0100"}}]
}
_CARD = "BEGIN:VCARD\nFN:Ann Lee\nTEL:555 0100\nEMAIL:ann@a.example\nORG:Tea\nEND:VCARD"


@action(
    "selectcontacts",
    Example({}, (_FIRST,)),
    Example({}, (_FIRST,), ("x",)),
    Example({"WFSelectMultiple": True}, (_FIRST,)),
)
def select_contact(call: Call) -> Content:
    """Let the person choose a contact, or several."""
    return _chosen(call, call.device.everyday.items("contact"))


@action(
    "selectphone",
    Example({}, _FIRST.phones),
    Example({}, _FIRST.phones, ("x",)),
    Example({"x": 1}, _FIRST.phones),
)
def select_phone(call: Call) -> Content:
    """Let the person choose a telephone number of a contact."""
    people = call.device.everyday.items("contact")
    return _chosen(call, tuple(phone for person in people for phone in phones_in(person)))


@action(
    "selectemail",
    Example({}, _FIRST.emails),
    Example({}, _FIRST.emails, ("x",)),
    Example({"x": 1}, _FIRST.emails),
)
def select_email(call: Call) -> Content:
    """Let the person choose an address of mail of a contact."""
    people = call.device.everyday.items("contact")
    return _chosen(call, tuple(email for person in people for email in emails_in(person)))


def _chosen(call: Call, items: Content) -> Content:
    answer, _ = call.run.ask("Contact", tuple(map(text_of, items)))
    chosen = tuple(items[position] for position in answer if isinstance(position, int))
    return chosen if call.flag("WFSelectMultiple") else chosen[:1]


@action(
    "properties.contacts",
    Example({"WFInput": (_ANN,), "WFContentItemPropertyName": "First Name"}, ("Ann",)),
    Example({"WFInput": (_ANN,), "WFContentItemPropertyName": "Phone Number"}, ("555 0100",)),
    Example({"WFInput": (_CARD,)}, ("Ann Lee",)),
    Example({"WFInput": (1, "Ann")}, ()),
    Example({}, ()),
)
def contact_property(call: Call) -> Content:
    """Return a property of each contact: its name if none is chosen."""
    name = call.text("WFContentItemPropertyName", "Name")
    results: list[Item] = []
    for item in call.input():
        people: list[Item] = [item] if isinstance(item, MadeAnswer) else [*contacts_of(item)]
        for person in people:
            results += spread(property_of(person, name))
    return tuple(results)


@action(
    "detect.contacts",
    Example({"WFInput": (_ANN,)}, (_ANN,)),
    Example({"WFInput": (_CARD, _CARD)}, (_ANN, _ANN)),
    Example({}, (), ("Ann Lee",)),
)
def contacts_in(call: Call) -> Content:
    """Return the contacts of the input."""
    return tuple(person for item in call.input() for person in contacts_of(item))


@action(
    "detect.phonenumber",
    Example({"WFInput": ("call 555 0100 or 555 0101",)}, ("555 0100", "555 0101")),
    Example({"WFInput": (_ANN,)}, ("555 0100",)),
    Example({}, (), ("12",)),
)
def phone_numbers(call: Call) -> Content:
    """Return the telephone numbers of the input."""
    return tuple(phone for item in call.input() for phone in phones_in(item))


@action(
    "detect.emailaddress",
    Example({"WFInput": ("ann@a.example, bo@a.example",)}, ("ann@a.example", "bo@a.example")),
    Example({"WFInput": (_ANN,)}, ("ann@a.example",)),
    Example({}, (), ("ann@",)),
)
def email_addresses(call: Call) -> Content:
    """Return the addresses of mail in the input."""
    return tuple(email for item in call.input() for email in emails_in(item))


def _picked(content: Content) -> Content:
    """Return the people that were picked in the editor: cards, numbers and addresses."""
    results: list[Item] = []
    for item in content:
        values = item.get("WFContactFieldValues") if isinstance(item, dict) else None
        if not isinstance(values, list):
            results.append(item)
            continue
        for value in values:
            entry = value.get("SerializedEntry") if isinstance(value, dict) else None
            if isinstance(entry, dict):
                results += (part for part in entry.values() if isinstance(part, str))
    return tuple(results)


@action(
    "contacts",
    Example({"WFContact": _PICKED}, ("555 0100",)),
    Example({"WFContact": {"WFContactFieldValues": []}}, (), ("x",)),
    Example({"WFContact": (_ANN, "Bo")}, (_ANN, "Bo")),
    Example({}, (_FIRST,)),
)
def contacts(call: Call) -> Content:
    """Return the people picked in the editor; the person chooses if the argument is missing."""
    if call.has("WFContact"):
        return _picked(call.content("WFContact"))
    return _chosen(call, call.device.everyday.items("contact"))


def _recipients(call: Call, name: str) -> list[str]:
    return [text_of(item) for item in _picked(call.content(name))]


@action(
    "sendmessage",
    Example({"WFSendMessageContent": "hi"}, ("hi",)),
    Example({"WFSendMessageContent": "hi", "WFSendMessageActionRecipients": (_ANN, "Bo")}, ("hi",)),
    Example({}, ("x", 1), ("x", 1)),
    Example({}, ()),
)
def send_message(call: Call) -> Content:
    """Send a message, which is an effect; its content is passed on.

    A contact of the everyday world gets it there, too.
    """
    content = call.input("WFSendMessageContent")
    text, recipients = content_text(content), _recipients(call, "WFSendMessageActionRecipients")
    people = {name: call.device.everyday.person_id(name) for name in recipients}
    for name, person_id in people.items():
        if person_id is not None:
            arguments = {"person_id": person_id, "text": text}
            call.change("message", "messages.message_person", arguments, to=[name])
    others = [name for name, person_id in people.items() if person_id is None]
    if others or not people:
        call.run.effect("message", {"to": others, "text": text})
    return content


@action(
    "sendemail",
    Example({"WFSendEmailActionInputAttachments": "hi"}, ("hi",)),
    Example({"WFSendEmailActionToRecipients": (_ANN,)}, ("x",), ("x",)),
    Example({}, ()),
)
def send_mail(call: Call) -> Content:
    """Send a mail, which is an effect, and a row of Mail if a person of the world gets it."""
    content = call.input("WFSendEmailActionInputAttachments")
    to, copies = (
        [email for item in _picked(call.content(name)) for email in emails_in(item)]
        for name in ("WFSendEmailActionToRecipients", "WFSendEmailActionCcRecipients")
    )
    subject, text = call.text("WFSendEmailActionSubject"), content_text(content)
    if to and call.device.everyday.person_id(to[0]) is not None:
        arguments = {"email": to[0], "subject": subject, "text": text}
        call.change("mail", "mail.send_mail", {**arguments, "cc": [*to[1:], *copies] or None})
    else:
        details = {"to": to, "cc": copies, "subject": subject, "text": text}
        call.run.effect("mail", {**details})
    return content


@action(
    "com.apple.mobilephone.call",
    Example({"WFCallContact": (_ANN,)}, ()),
    Example({}, ("555 0100",), ("555 0100",)),
    Example({}, ()),
    source=f"{GUIDE}/apdd882cf653/ios",
)
@action(
    "com.apple.facetime.facetime",
    Example({"WFFaceTimeContact": (_ANN,)}, ()),
    Example({"WFFaceTimeType": "Audio"}, ("x",), ("x",)),
    Example({}, ()),
)
def call_person(call: Call) -> Content:
    """Call a person, which is an effect; the input is passed on."""
    names = ("WFCallContact", "WFFaceTimeContact")
    chosen = [person for name in names for person in _recipients(call, name)]
    people = chosen or [text_of(item) for item in call.previous]
    call.run.effect("call", {"to": people, "type": call.text("WFFaceTimeType", "Phone")})
    return call.previous
