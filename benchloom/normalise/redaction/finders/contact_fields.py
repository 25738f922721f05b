"""Personal data in structured fields: recipients, contacts and handles in actions."""

import re

from benchloom.normalise.redaction.finder import Field, FieldFinder

_NAME = re.compile(
    r"WFContactFieldValues|SerializedEntry|WFContactData|WFContact|WFContactHandle|"
    r"WF\w*Recipients?|WF(?:Call|FaceTime|Pay|Venmo)\w*Contact|WFPhoneNumber|WFEmailAddress|"
    r"WFContact(?:FirstName|LastName|Company|PhoneNumbers|Emails|Notes|Name)|WFTwitterAccount|"
    r"link\.contentkit\.\w{1,40}|(?:to|cc|bcc)?[Rr]ecipients?|personHandle|emailAddress(?:es)?|"
    r"phoneNumbers?|contactIdentifier"
)


def _judge(field: Field) -> str | None:
    return "contact" if _NAME.fullmatch(field.name) else None


FINDER = FieldFinder(
    kinds=("contact",),
    hint=re.compile(
        r"Contact|SerializedEntry|ecipient|PhoneNumber|phoneNumber|mailAddress|TwitterAccount|"
        r"contentkit|personHandle|contactIdentifier"
    ),
    judge=_judge,
)
