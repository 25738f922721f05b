"""The app for mail, with folders, received mails and sent mails."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from benchloom.worlds.everyday.rules import (
    COUNT,
    USER,
    Date,
    Email,
    Id,
    Limit,
    Name,
    Query,
    Text,
    Title,
    ago,
    changes,
    choice,
    drawn,
    email_of,
    exists,
    in_days,
    now,
    person_id,
    record,
    refuse_if_any,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import Cell, RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

_FIRST_MAILS = 180
_FOLDER_NAMES = (
    ("inbox", "Inbox", 1),
    ("sent", "Sent", 1),
    ("archive", "Archive", 1),
    ("trash", "Trash", 1),
    ("garden", "Garden club", 0),
    ("house", "House papers", 0),
)
NO_REPLY = (
    ("no-reply@skerry-ferries.example", "Your crossing", "Boarding closes ten minutes early."),
    ("offers@alder-grocers.example", "This week's crates", "Leeks and quinces are cheap."),
    ("post@brisk-library.example", "Books are due", "Please bring back the books in time."),
    ("bills@tern-telephone.example", "Your bill", "We take the amount from your account."),
)
_MATTERS = (
    "boat shed",
    "choir evening",
    "hedge",
    "key for the attic",
    "kiln",
    "lamp posts",
    "minutes of the meeting",
    "old maps",
    "quarterly figures",
    "roof",
    "school fair",
    "spare bicycle",
    "train tickets",
    "walking group",
    "window frames",
)
_OPENINGS = ("About the {}", "Question: {}", "News of the {}", "{}: what next?", "Thanks, {}")
_BODIES = (
    "Hello, can we talk about the {} before the week is over? Thursday would suit me.",
    "I looked into the {} again. It costs more than we thought, but it can wait until May.",
    "Everything with the {} is settled. Nothing left for you to do.",
    "Could you send me what you have on the {}? I cannot find my copy.",
    "The {} has to wait until another day. Tell me which one is good for you.",
)
_PLACES = ("inbox", "inbox", "inbox", "archive", "archive", "sent", "garden", "house", "trash")


Copies = Annotated[list[Email], msgspec.Meta(max_length=10)]
_SCHEMA = """
CREATE TABLE mail_folders (
    folder_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    fixed INTEGER NOT NULL CHECK (fixed IN (0, 1))
) STRICT;
CREATE TABLE closed_addresses (email TEXT PRIMARY KEY, reason TEXT NOT NULL) STRICT;
CREATE TABLE mails (
    mail_id TEXT PRIMARY KEY,
    folder_id TEXT NOT NULL REFERENCES mail_folders (folder_id),
    person_id TEXT REFERENCES people (person_id),
    email TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    sent_at TEXT NOT NULL,
    unread INTEGER NOT NULL CHECK (unread IN (0, 1)),
    starred INTEGER NOT NULL CHECK (starred IN (0, 1)),
    code TEXT
) STRICT;
CREATE INDEX mails_by_folder ON mails (folder_id, sent_at);
CREATE TABLE mail_recipients (
    mail_id TEXT NOT NULL REFERENCES mails (mail_id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('to', 'cc')),
    PRIMARY KEY (mail_id, email)
) STRICT;
"""


class Folder(msgspec.Struct, frozen=True):
    """A folder; `fixed` folders cannot be deleted."""

    folder_id: str
    name: str
    fixed: bool


class MailHead(msgspec.Struct, frozen=True):
    """A mail without its text; `person_id` and `email` are the sender's."""

    mail_id: str
    folder_id: str
    person_id: str | None
    email: str
    subject: str
    sent_at: str
    unread: bool
    starred: bool


class Mail(MailHead, frozen=True):
    """A mail; `code` is the verification code in its text, if any."""

    text: str
    recipients: list[str]
    code: str | None


FOLDERS = Table("mail_folders", Folder)
MAILS = Table("mails", MailHead, order="sent_at DESC, mail_id", searched=("subject", "text"))


@read_tool(query="a part of the name; all folders if it is empty.")
def search_folders(state: State, *, query: Query = "") -> list[Folder]:
    """Find folders of mails, by name."""
    return FOLDERS.search(state, query)


@tool(name="a name that no other folder has.")
def create_folder(state: State, *, name: Name) -> Folder:
    """Create a folder."""
    return FOLDERS.add(state, name=name, fixed=0)


@tool(folder_id="its id.")
def delete_folder(state: State, *, folder_id: Id) -> Folder:
    """Delete an empty folder of the user."""
    folder = FOLDERS.get(state, folder_id)
    if folder.fixed:
        raise RefusedError("permission", f"the folder {folder.name} cannot be deleted")
    message = f"the folder {folder.name} contains mails; move or delete them first"
    refuse_if_any(state, message, "mails", folder_id=folder_id)
    return FOLDERS.remove(state, folder_id)


@read_tool(
    query="a part of the subject or the text.",
    folder_id="the folder; the default is the inbox.",
    email="only mails from this address.",
    unread="only mails that are unread (true) or read (false).",
    since="only mails of this day or later.",
)
def search_mails(
    state: State,
    *,
    query: Query = "",
    folder_id: Id = "inbox",
    email: Email | None = None,
    unread: bool | None = None,
    since: Date | None = None,
    limit: Limit = 20,
) -> list[MailHead]:
    """Find the mails of a folder, latest first."""
    state.row("mail_folders", folder_id=folder_id)
    where = in_days("sent_at", since)
    return MAILS.search(state, query, limit, where, folder_id=folder_id, email=email, unread=unread)


@read_tool()
def get_mail(state: State, *, mail_id: Id) -> Mail:
    """Return a mail with its text; it stays unread."""
    query = "SELECT email FROM mail_recipients WHERE mail_id = ? ORDER BY kind DESC, email"
    addresses = [str(row["email"]) for row in state.rows(query, mail_id)]
    return record(Mail, state.row("mails", mail_id=mail_id), recipients=addresses)


@tool(subject="the subject.", text="the text.", cc="addresses for copies.")
def send_mail(
    state: State, *, email: Email, subject: Title, text: Text, cc: Copies | None = None
) -> Mail:
    """Send a mail."""
    return get_mail(state, mail_id=send(state, [email, *(cc or [])], subject, text))


@tool(mail_id="the mail to reply to.", text="the text of the reply.")
def reply_mail(state: State, *, mail_id: Id, text: Text) -> Mail:
    """Reply to the sender of a mail."""
    original_mail = get_mail(state, mail_id=mail_id)
    subject = f"Re: {original_mail.subject.removeprefix('Re: ')}"
    return get_mail(state, mail_id=send(state, [original_mail.email], subject, text))


@tool(mail_id="the mail.")
def forward_mail(state: State, *, mail_id: Id, email: Email) -> Mail:
    """Forward a mail to another address."""
    mail = get_mail(state, mail_id=mail_id)
    if mail.code is not None:
        raise RefusedError("permission", "a mail with a verification code cannot be forwarded")
    text = f"{mail.email} wrote on {mail.sent_at}:\n{mail.text}"
    return get_mail(state, mail_id=send(state, [email], f"Fwd: {mail.subject}", text))


@tool(
    folder_id="the new folder; Sent is for sent mails only.",
    unread="whether the mail is unread.",
    starred="whether the mail is starred.",
)
def update_mail(
    state: State,
    *,
    mail_id: Id,
    folder_id: Id | None = None,
    unread: bool | None = None,
    starred: bool | None = None,
) -> Mail:
    """Move a mail to another folder, or change its marks (unread, starred)."""
    updates = changes(folder_id=folder_id, unread=unread, starred=starred)
    before = state.row("mails", mail_id=mail_id)
    if folder_id is not None:
        state.row("mail_folders", folder_id=folder_id)
        if folder_id == before["folder_id"]:
            raise RefusedError("conflict", f"the mail is already in the folder {folder_id}")
        if folder_id == "sent" and before["person_id"] != USER:
            raise RefusedError("permission", "only mails from the user can be moved to Sent")
    state.change("mails", {"mail_id": mail_id}, **updates)
    return get_mail(state, mail_id=mail_id)


@tool()
def delete_mail(state: State, *, mail_id: Id) -> Mail:
    """Delete a mail permanently and return it; a starred mail cannot be deleted."""
    mail = get_mail(state, mail_id=mail_id)
    if mail.starred:
        raise RefusedError("conflict", "the mail is starred; remove its star first")
    state.remove("mails", mail_id=mail_id)
    return mail


def send(state: State, emails: Sequence[str], subject: str, text: str) -> str:
    """Send a mail from the user to these addresses, and return the id of the mail.

    Raises:
        RefusedError: an address is unknown, rejects mails, occurs twice or is the user's.
    """
    if len(set(emails)) < len(emails):
        raise RefusedError("invalid_argument", "an address occurs twice")
    address = email_of(state)
    for email in emails:
        reasons = state.rows("SELECT reason FROM closed_addresses WHERE email = ?", email)
        if reasons:
            raise RefusedError("unavailable", f"{email} rejects mails: {reasons[0]['reason']}")
        if email == address:
            raise RefusedError("invalid_argument", f"{email} is the user's own address")
        if not exists(state, "people", email=email):
            raise RefusedError("not_found", f"the address {email} is unknown")
    return _deliver(state, emails, subject, text, folder_id="sent", email=address, person_id=USER)


def receive(state: State, email: str, subject: str, text: str, code: str) -> str:
    """Add a mail from a firm, with a verification code, to the inbox; return the mail's id."""
    return _deliver(
        state, [email_of(state)], subject, text, folder_id="inbox", email=email, code=code
    )


def _deliver(
    state: State,
    recipients: Sequence[str],
    subject: str,
    text: str,
    *,
    folder_id: str,
    email: str,
    **values: Cell,
) -> str:
    first, *copies = recipients
    return _add(
        state,
        (folder_id, email, first, *sorted(copies), subject, text),
        recipients,
        folder_id=folder_id,
        email=email,
        subject=subject,
        text=text,
        sent_at=now(state),
        unread=int(folder_id == "inbox"),
        starred=0,
        **values,
    )


def _add(state: State, content: Sequence[str], recipients: Sequence[str], **values: Cell) -> str:
    new_mail_id = state.new_id("mails", *content)
    state.add("mails", mail_id=new_mail_id, **values)
    for position, address in enumerate(recipients):
        state.add(
            "mail_recipients", mail_id=new_mail_id, email=address, kind="cc" if position else "to"
        )
    return new_mail_id


def _fill(state: State) -> None:
    for row_id, name, fixed in _FOLDER_NAMES:
        state.add("mail_folders", folder_id=row_id, name=name, fixed=fixed)
    for email, _, _ in NO_REPLY:
        state.add("closed_addresses", email=email, reason="nobody reads what is sent there")
    for number in (17, 58, 99):
        email = email_of(state, person_id(number))
        state.add("closed_addresses", email=email, reason="the mailbox is full")
    for number in range(_FIRST_MAILS):
        _fill_mail(state, number)


def _fill_mail(state: State, number: int) -> None:
    key, address = str(number), email_of(state)
    folder = choice(_PLACES, "folder", key)
    sent_at = ago(state, drawn(21 * 24 * 60, "mail", key) + 1)
    person: str | None = None
    if drawn(6, "firm", key) == 0 and folder != "sent":
        email, subject, text = choice(NO_REPLY, "which", key)
        subject = f"{subject} ({number + 400})"
    else:
        person = person_id(2 + drawn(COUNT - 1, "who", key))
        email = email_of(state, person)
        matter = choice(_MATTERS, "matter", key)
        subject = choice(_OPENINGS, "opening", key).format(matter)
        subject = subject[0].upper() + subject[1:]
        text = choice(_BODIES, "body", key).format(matter)
    is_sent = folder == "sent"
    _add(
        state,
        (folder, email, subject, text, sent_at),
        [email if is_sent else address],
        folder_id=folder,
        person_id=USER if is_sent else person,
        email=address if is_sent else email,
        subject=subject,
        text=text,
        sent_at=sent_at,
        unread=int(folder == "inbox" and drawn(3, "unread", key) > 0),
        starred=int(drawn(9, "starred", key) == 0),
    )


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of(
        "mail", globals(), descriptions={"mail_id": "its id.", "email": "the recipient's address."}
    ),
    needs=("people",),
    frozen=("closed_addresses",),
    goals={
        "get_mail": "find out what a mail says",
        "search_mails email": "find out who sent a mail",
        "reply_mail": "reply to a mail",
        "update_mail folder_id": "move a mail to another folder",
    },
)
