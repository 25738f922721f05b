"""Contacts, telephone numbers and email addresses; messages, mails and calls."""

from collections.abc import Callable, Iterable

from benchloom.device.call import Call, action
from benchloom.device.items import Content, Item, MadeAnswer, spread
from benchloom.device.items.coercion import content_text, text_of
from benchloom.device.items.item_types import contacts_of, emails_in, phones_in
from benchloom.device.items.properties import property_of


@action("selectcontacts")
def select_contact(call: Call) -> Content:
    """Let the user choose contacts, one unless several are allowed."""
    return _chosen(call, contacts_of)


@action("selectphone")
def select_phone(call: Call) -> Content:
    """Let the user choose a telephone number of a contact."""
    return _chosen(call, phones_in)


@action("selectemail")
def select_email(call: Call) -> Content:
    """Let the user choose an email address of a contact."""
    return _chosen(call, emails_in)


def _chosen(call: Call, choices_of: Callable[[Item], Iterable[Item]]) -> Content:
    """Let the user choose from all values of a property of the contacts."""
    people = call.device.everyday.items("contact")
    items = tuple(item for person in people for item in choices_of(person))
    answer, _ = call.run.ask("Contact", tuple(map(text_of, items)))
    chosen = tuple(items[position] for position in answer if isinstance(position, int))
    return chosen if call.flag("WFSelectMultiple") else chosen[:1]


@action("properties.contacts")
def contact_property(call: Call) -> Content:
    """Return a property of each contact, by default its name."""
    name = call.text("WFContentItemPropertyName", "Name")
    results: list[Item] = []
    for item in call.input():
        people: list[Item] = [item] if isinstance(item, MadeAnswer) else [*contacts_of(item)]
        for person in people:
            results += spread(property_of(person, name))
    return tuple(results)


@action("detect.contacts")
def contacts_in(call: Call) -> Content:
    """Return the contacts of the input."""
    return tuple(person for item in call.input() for person in contacts_of(item))


@action("detect.phonenumber")
def phone_numbers(call: Call) -> Content:
    """Return the telephone numbers of the input."""
    return tuple(phone for item in call.input() for phone in phones_in(item))


@action("detect.emailaddress")
def email_addresses(call: Call) -> Content:
    """Return the email addresses in the input."""
    return tuple(email for item in call.input() for email in emails_in(item))


def _picked(content: Content) -> Content:
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


@action("contacts")
def contacts(call: Call) -> Content:
    """Return the contacts picked in the editor; if the argument is missing, the user chooses."""
    if call.has("WFContact"):
        return _picked(call.content("WFContact"))
    return _chosen(call, contacts_of)


def _recipients(call: Call, name: str) -> list[str]:
    return [text_of(item) for item in _picked(call.content(name))]


@action("sendmessage")
def send_message(call: Call) -> Content:
    """Log that a message is sent; return its content.

    The message is also sent in the everyday world if a recipient is a contact there.
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


@action("sendemail")
def send_mail(call: Call) -> Content:
    """Send a mail in the everyday world if the first recipient is a person there, else log it."""
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


@action("com.apple.mobilephone.call")
@action("com.apple.facetime.facetime")
def call_person(call: Call) -> Content:
    """Log a call to a person; return the input."""
    names = ("WFCallContact", "WFFaceTimeContact")
    chosen = [person for name in names for person in _recipients(call, name)]
    people = chosen or [text_of(item) for item in call.previous]
    return call.pass_on("call", to=people, type=call.text("WFFaceTimeType", "Phone"))
