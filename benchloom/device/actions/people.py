"""People: contacts, telephone numbers, addresses of mail, messages and calls."""

from benchloom.device.call import GUESS, Call, Example, action
from benchloom.device.coercion import contacts_of, content_text, emails_in, phones_in, text_of
from benchloom.device.content import Contact, Content, Item, Made, spread
from benchloom.device.properties import property_of

_ANN = Contact("Ann Lee", ("555 0100",), ("ann@a.example",), "Tea")
_ANSWER: Content = (Made(("answer 0",)),)
_PICKED = {
    "WFContactFieldValues": [{"SerializedEntry": {"link.contentkit.phonenumber": "555 0100"}}]
}
_CARD = "BEGIN:VCARD\nFN:Ann Lee\nTEL:555 0100\nEMAIL:ann@a.example\nORG:Tea\nEND:VCARD"


@action(
    "selectcontacts",
    GUESS,
    Example({}, _ANSWER),
    Example({}, _ANSWER, ("x",)),
    Example({"WFSelectMultiple": True}, _ANSWER),
)
@action(
    "selectphone",
    GUESS,
    Example({}, _ANSWER),
    Example({}, _ANSWER, ("x",)),
    Example({"x": 1}, _ANSWER),
)
@action(
    "selectemail",
    GUESS,
    Example({}, _ANSWER),
    Example({}, _ANSWER, ("x",)),
    Example({"x": 1}, _ANSWER),
)
def select_contact(call: Call) -> Content:
    """Let the person choose contacts, numbers or addresses; only the first unless several may."""
    chosen = call.run.ask("Contact")[0]
    return chosen if call.flag("WFSelectMultiple") else chosen[:1]


@action(
    "properties.contacts",
    GUESS,
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
        people: list[Item] = [item] if isinstance(item, Made) else [*contacts_of(item)]
        for person in people:
            results += spread(property_of(person, name))
    return tuple(results)


@action(
    "detect.contacts",
    GUESS,
    Example({"WFInput": (_ANN,)}, (_ANN,)),
    Example({"WFInput": (_CARD, _CARD)}, (_ANN, _ANN)),
    Example({}, (), ("Ann Lee",)),
)
def contacts_in(call: Call) -> Content:
    """Return the contacts of the input."""
    return tuple(person for item in call.input() for person in contacts_of(item))


@action(
    "detect.phonenumber",
    GUESS,
    Example({"WFInput": ("call 555 0100 or 555 0101",)}, ("555 0100", "555 0101")),
    Example({"WFInput": (_ANN,)}, ("555 0100",)),
    Example({}, (), ("12",)),
)
def phone_numbers(call: Call) -> Content:
    """Return the telephone numbers of the input."""
    return tuple(phone for item in call.input() for phone in phones_in(item))


@action(
    "detect.emailaddress",
    GUESS,
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
    GUESS,
    Example({"WFContact": _PICKED}, ("555 0100",)),
    Example({"WFContact": {"WFContactFieldValues": []}}, (), ("x",)),
    Example({"WFContact": (_ANN, "Bo")}, (_ANN, "Bo")),
    Example({}, _ANSWER),
)
def contacts(call: Call) -> Content:
    """Return the people picked in the editor; the person chooses if the argument is missing."""
    if call.has("WFContact"):
        return _picked(call.content("WFContact"))
    return call.run.ask("Contacts")[0]


def _recipients(call: Call, name: str) -> list[str]:
    return [text_of(item) for item in _picked(call.content(name))]


@action(
    "sendmessage",
    GUESS,
    Example({"WFSendMessageContent": "hi"}, ("hi",)),
    Example({"WFSendMessageContent": "hi", "WFSendMessageActionRecipients": (_ANN, "Bo")}, ("hi",)),
    Example({}, ("x", 1), ("x", 1)),
    Example({}, ()),
)
def send_message(call: Call) -> Content:
    """Send a message, which is an effect; its content is passed on."""
    content = call.input("WFSendMessageContent")
    recipients = _recipients(call, "WFSendMessageActionRecipients")
    call.run.effect("message", {"to": recipients, "text": content_text(content)})
    return content


@action(
    "com.apple.mobilephone.call",
    GUESS,
    Example({"WFCallContact": (_ANN,)}, ()),
    Example({}, ("555 0100",), ("555 0100",)),
    Example({}, ()),
)
@action(
    "com.apple.facetime.facetime",
    GUESS,
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
