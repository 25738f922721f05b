"""Find personal data by field name: ids, contacts, places and logins of remote servers."""

import re

from benchloom.normalise.redaction.finders import Field, FieldFinder
from benchloom.normalise.redaction.placeholders import is_login_stand_in, is_stand_in

_KINDS = (
    (
        "device_id",
        re.compile(
            r"crossDeviceItemID|accountIdentifier|accountID|deviceIdentifier|deviceUUID|"
            r"WFAccountIdentifier|homeIdentifier|fileProviderItemIdentifier|[Tt]eamIdentifier|teamID"
        ),
    ),
    (
        "contact",
        re.compile(
            r"WFContactFieldValues|SerializedEntry|WFContactData|WFContact|WFContactHandle|"
            r"WF\w*Recipients?|WF(?:Call|FaceTime|Pay|Venmo)\w*Contact|WFPhoneNumber|WFEmailAddress|"
            r"WFContact(?:FirstName|LastName|Company|PhoneNumbers|Emails|Notes|Name)|WFTwitterAccount|"
            r"link\.contentkit\.\w{1,40}|(?:to|cc|bcc)?[Rr]ecipients?|personHandle|emailAddress(?:es)?|"
            r"phoneNumbers?|contactIdentifier"
        ),
    ),
    (
        "location",
        re.compile(
            r"WF\w*CustomLocation|WFLocation|placemark|WFAddressLine\d|WFCity|WFPostalCode|"
            r"[Ss]treet|streetAddress|street_address|postalAddress|(?:subT|t)horoughfare|postalCode|"
            r"formattedAddress(?:Lines)?|addressLines?|addressDictionary|homeAddress|home_address|"
            r"workAddress|work_address|[Hh]ome [Aa]ddress|[Ww]ork [Aa]ddress"
        ),
    ),
    ("server_login", re.compile("WFSSHHost|WFSSHUser")),
)
"""Pairs of a kind of value, and a pattern for names of fields that contain such values."""
_TEAM_OF_THE_SYSTEM = "0000000000"
"""The developer team of apps that belong to the system. It identifies no person."""
_COORDINATE = re.compile(r"(?i)latitude|longitude|lat|lng|lon")
_ZERO = re.compile(r"[-+]?0*(?:\.0*)?")
_DECIMAL = re.compile(r"\s*[-+]?\d{1,3}\.\d{2,}\s*")


def _judge(field: Field) -> str | None:
    for kind, names in _KINDS:
        if names.fullmatch(field.name):
            return kind
    return "location" if _COORDINATE.fullmatch(field.name) and _is_position(field.value) else None


def _is_position(value: object) -> bool:
    if isinstance(value, float) or (isinstance(value, str) and _DECIMAL.fullmatch(value)):
        return bool(float(value))
    return isinstance(value, dict)


FINDER = FieldFinder(
    kinds=tuple(kind for kind, _ in _KINDS),
    hint=re.compile(
        r"crossDeviceItemID|ccountI|eviceI|eviceU|eamI|homeIdentifier|fileProviderItem|"
        r"Contact|SerializedEntry|ecipient|PhoneNumber|phoneNumber|mailAddress|TwitterAccount|"
        r"contentkit|personHandle|contactIdentifier|Location|placemark|ddress|City|Postal|treet|"
        r"horoughfare|l(?i:at|ng|on)|L(?i:at|ng|on)|WFSSH"
    ),
    judge=_judge,
    values={
        "device_id": lambda value: not is_stand_in(value) and value != _TEAM_OF_THE_SYSTEM,
        "location": lambda value: not is_stand_in(value) and _ZERO.fullmatch(value) is None,
        "server_login": lambda login: not (is_stand_in(login) or is_login_stand_in(login)),
    },
)
