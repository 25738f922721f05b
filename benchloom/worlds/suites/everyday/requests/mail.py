"""Mail."""

from benchloom.worlds.suites.everyday.asking.draws import quoted, yes
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import EMAIL, FOLDER, MAIL, MAIL_IN

_SUBJECTS = quoted("Apples", "Boat on Sunday", "Keys", "Quick question", "Sheet music", "Trip")
_TEXTS = quoted(
    "Can we move it to next week?",
    "I will bring the ladder.",
    "It is all settled, thank you.",
    "Please call me when you are home.",
    "The parcel came this morning.",
    "Who else is coming?",
)
REQUESTS = Requests(
    wants=(
        Want(
            tool="mail.send_mail",
            text="write a mail to {email} with the subject {subject} saying {text}",
            take={"email": EMAIL, "subject": _SUBJECTS, "text": _TEXTS},
        ),
        Want(
            tool="mail.reply_mail",
            text="reply to {mail_id} with {text}",
            take={"mail_id": MAIL, "text": _TEXTS},
        ),
        Want(
            tool="mail.forward_mail",
            text="forward {mail_id} to {email}",
            take={"mail_id": MAIL, "email": EMAIL},
        ),
        Want(
            tool="mail.update_mail",
            text="move {mail_id} to {folder_id}",
            take={"mail_id": MAIL, "folder_id": FOLDER},
        ),
        Want(
            tool="mail.update_mail",
            text="{starred} {mail_id}",
            take={"mail_id": MAIL_IN, "starred": yes("star", "put a star on")},
        ),
        Want(
            tool="mail.update_mail",
            text="mark {mail_id} as {unread}",
            take={"mail_id": MAIL_IN, "unread": yes("unread")},
        ),
        Want(
            tool="mail.delete_mail",
            text="delete {mail_id} for good",
            take={"mail_id": MAIL_IN},
        ),
        Want(
            tool="mail.create_folder",
            text="make a mail folder called {name}",
            take={"name": quoted("Choir", "Invoices", "Old things", "Recipes", "Summer")},
            makes=("folder_id", "that folder"),
        ),
    ),
    questions=(
        Question(
            text="tell me when {it} was sent",
            about=Named(
                tool="mail.search_mails",
                query="query",
                name="subject",
                field="sent_at",
                by={"folder_id": FOLDER},
                text='the mail "{name}" in {folder_id}',
            ),
        ),
        Question(
            text="tell me from which address {it} came",
            about=Named(
                tool="mail.search_mails",
                query="query",
                name="subject",
                field="email",
                text='the mail "{name}" in my inbox',
            ),
        ),
        Question(
            text="tell me what {it} says",
            about=Named(
                tool="mail.get_mail", by={"mail_id": MAIL}, field="text", text="{mail_id}", one=True
            ),
        ),
    ),
)
