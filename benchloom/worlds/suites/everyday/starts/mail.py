"""Mails of three weeks, from people whom the user knows and from firms."""

from datetime import datetime, timedelta

from benchloom.worlds.state import State
from benchloom.worlds.suites.everyday.rules import COUNT, USER, drawn, minutes, now, person_id

MAILS = 180
FOLDERS = (
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
    "The {} has to be moved to another day. Tell me which one is good for you.",
)
_PLACES = ("inbox", "inbox", "inbox", "archive", "archive", "sent", "garden", "house", "trash")


def fill(state: State) -> None:
    """Folders, mails and the addresses that take none."""
    for row_id, name, fixed in FOLDERS:
        state.add("mail_folders", folder_id=row_id, name=name, fixed=fixed)
    for email, _, _ in NO_REPLY:
        state.add("closed_addresses", email=email, reason="nobody reads what is sent there")
    for number in (17, 58, 99):
        row = state.row("people", person_id=person_id(number))
        state.add("closed_addresses", email=row["email"], reason="the mailbox is full")
    own = str(state.row("people", person_id=USER)["email"])
    for number in range(MAILS):
        _add(state, number, own)


def _add(state: State, number: int, own: str) -> None:
    key = str(number)
    folder = _PLACES[drawn(len(_PLACES), "folder", key)]
    before = timedelta(minutes=drawn(21 * 24 * 60, "mail", key) + 1)
    sent_at = minutes(datetime.fromisoformat(now(state)) - before)
    firm = drawn(6, "firm", key) == 0 and folder != "sent"
    if firm:
        email, subject, text = NO_REPLY[drawn(len(NO_REPLY), "which", key)]
        subject, other = f"{subject} ({number + 400})", ""
    else:
        other = person_id(2 + drawn(COUNT - 1, "who", key))
        email = str(state.row("people", person_id=other)["email"])
        matter = _MATTERS[drawn(len(_MATTERS), "matter", key)]
        subject = _OPENINGS[drawn(len(_OPENINGS), "opening", key)].format(matter)
        subject = subject[0].upper() + subject[1:]
        text = _BODIES[drawn(len(_BODIES), "body", key)].format(matter)
    new_mail_id = state.new_id("mails", folder, email, subject, text, sent_at)
    sent = folder == "sent"
    state.add(
        "mails",
        mail_id=new_mail_id,
        folder_id=folder,
        person_id=USER if sent else other or None,
        email=own if sent else email,
        subject=subject,
        text=text,
        sent_at=sent_at,
        unread=int(folder == "inbox" and drawn(3, "unread", key) > 0),
        starred=int(drawn(9, "starred", key) == 0),
    )
    state.add("mail_recipients", mail_id=new_mail_id, email=email if sent else own, kind="to")
