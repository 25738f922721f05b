"""The requests that users can make about mails, with their wording."""

import msgspec

from benchloom.worlds.requests.draws import quoted, yes
from benchloom.worlds.requests.wants import Question, Requests, Want, ask
from benchloom.worlds.suites.everyday.requests._objects import EMAIL, FOLDER, MAIL, MAIL_IN

_SUBJECTS = quoted("Apples", "Boat on Sunday", "Keys", "Quick question", "Sheet music", "Trip")
_TEXTS = quoted(
    "Can we talk about this next week?",
    "I have a question about this.",
    "Please call me about this when you are home.",
    "Who else knows about this?",
)
_IN_USE = msgspec.structs.replace(
    MAIL_IN, by={"folder_id": FOLDER.among(name=("Archive", "Inbox", "House papers"))}
)
REQUESTS = Requests(
    wants=(
        Want(
            "mail.send_mail",
            "write a mail to {email} with the subject {subject} saying {text}",
            {"email": EMAIL, "subject": _SUBJECTS, "text": _TEXTS},
        ),
        Want(
            "mail.reply_mail", "reply to {mail_id} with {text}", {"mail_id": MAIL, "text": _TEXTS}
        ),
        Want(
            "mail.forward_mail", "forward {mail_id} to {email}", {"mail_id": MAIL, "email": EMAIL}
        ),
        Want(
            "mail.update_mail",
            "move {mail_id} to {folder_id}",
            {"mail_id": MAIL, "folder_id": FOLDER.among(name=("Archive", "Trash"))},
        ),
        Want(
            "mail.update_mail",
            "{starred} {mail_id}",
            {"mail_id": _IN_USE.among(starred=False), "starred": yes("star", "put a star on")},
        ),
        Want(
            "mail.update_mail",
            "mark {mail_id} as {unread}",
            {"mail_id": _IN_USE.among(unread=False), "unread": yes("unread")},
        ),
        Want("mail.delete_mail", "delete {mail_id} for good", {"mail_id": MAIL_IN}),
        Want(
            "mail.create_folder",
            "make a mail folder called {name}",
            {"name": quoted("Important", "Invoices", "Recipes", "Summer", "To answer")},
            makes=("folder_id", "that folder"),
        ),
    ),
    questions=(
        ask(
            'tell me when the mail "{name}" in {folder_id} was sent',
            "mail.search_mails",
            "sent_at",
            {"folder_id": FOLDER},
            name="subject",
        ),
        Question("tell me from which address {it} came", MAIL.for_field("email")),
        ask("tell me what {mail_id} says", "mail.get_mail", "text", {"mail_id": MAIL}),
    ),
)
