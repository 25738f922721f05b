"""Actions on contacts and their telephone numbers, and on messages, mails and calls."""

from collections.abc import Callable, Iterable

from benchloom.device.call import Call, Function, action, property_of_each, read_each
from benchloom.device.items import Content, Item, MadeAnswer
from benchloom.device.items.coercion import content_text, text_of
from benchloom.device.items.item_types import contacts_of, emails_in, phones_in


def _choice(name: str, choices_of: Callable[[Item], Iterable[Item]]) -> Function:
    def choose(call: Call) -> Content:
        people = call.device.everyday.items("contact")
        items = tuple(item for person in people for item in choices_of(person))
        answer, _ = call.run.ask("Contact", tuple(map(text_of, items)))
        chosen_items = tuple(items[position] for position in answer if isinstance(position, int))
        return chosen_items if call.flag("WFSelectMultiple") else chosen_items[:1]

    choose.__doc__ = "Let the user choose from the contacts, one choice unless several are allowed."
    return action(name)(choose)


select_contact = _choice("selectcontacts", contacts_of)
select_phone = _choice("selectphone", phones_in)
select_email = _choice("selectemail", emails_in)
contact_property = property_of_each(
    ["properties.contacts"],
    lambda item: [item] if isinstance(item, MadeAnswer) else contacts_of(item),
)
contacts_in = read_each(["detect.contacts"], contacts_of)
phone_numbers = read_each(["detect.phonenumber"], phones_in)
email_addresses = read_each(["detect.emailaddress"], emails_in)


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
    return select_contact(call)


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
    strangers = [name for name, person_id in people.items() if person_id is None]
    if strangers or not people:
        call.run.effect("message", {"to": strangers, "text": text})
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
    recipients = [person for name in names for person in _recipients(call, name)]
    people = recipients or [text_of(item) for item in call.previous]
    return call.pass_on("call", to=people, type=call.text("WFFaceTimeType", "Phone"))
