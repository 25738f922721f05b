"""Messages."""

from benchloom.worlds.suites.everyday.asking.draws import day, no, quoted, today, yes
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import CONTACT, NOTICES, PERSON, THREAD

_TEXTS = quoted(
    "Can you feed the cat on Sunday?",
    "Happy birthday!",
    "I am running ten minutes late.",
    "I found your umbrella.",
    "Let us meet at the lock.",
    "Thank you for the soup.",
    "The gate is open, just come in.",
    "Who has the spare key?",
)
_OWN = Named(
    tool="messages.search_messages",
    query="query",
    name="text",
    field="message_id",
    by={"since": today()},
    text='my message "{name}" of {since}',
    listing={"person_id": "p001", "limit": 50},
)
_DIRECT = Named(
    tool="messages.search_threads",
    query="query",
    name="title",
    field="thread_id",
    text="the chat with {name}",
    listing={"kind": "direct", "limit": 50},
)
REQUESTS = Requests(
    wants=(
        Want(
            tool="messages.message_person",
            text="write {text} to {person_id}",
            take={"text": _TEXTS, "person_id": PERSON},
            makes=("message_id", "that message"),
        ),
        Want(
            tool="messages.message_person",
            text="text {person_id}: {text}",
            take={"person_id": PERSON, "text": _TEXTS},
            makes=("thread_id", "that chat"),
        ),
        Want(
            tool="messages.send_message",
            text="post {text} in {thread_id}",
            take={"text": _TEXTS, "thread_id": THREAD},
            makes=("message_id", "that message"),
        ),
        Want(
            tool="messages.send_message",
            text="post {text} in {thread_id}",
            take={"text": _TEXTS, "thread_id": THREAD},
            first={"thread_id": NOTICES},
            otherwise="if I may not write there, post it in {thread_id}",
        ),
        Want(
            tool="messages.update_message",
            text="change {message_id} to {text}",
            take={"message_id": _OWN, "text": _TEXTS},
        ),
        Want(
            tool="messages.delete_message",
            text="take back {message_id}",
            take={"message_id": _OWN},
        ),
        Want(
            tool="messages.update_thread",
            text="rename {thread_id} to {title}",
            take={
                "thread_id": THREAD,
                "title": quoted("Boat people", "Lunch club", "Our street", "Saturday", "The band"),
            },
        ),
        Want(
            tool="messages.update_thread",
            text="{muted} {thread_id}",
            take={"thread_id": _DIRECT, "muted": yes("mute", "silence")},
        ),
        Want(
            tool="messages.update_thread",
            text="{muted} {thread_id}",
            take={"thread_id": _DIRECT, "muted": no("unmute")},
        ),
        Want(
            tool="messages.add_member",
            text="add {person_id} to {thread_id}",
            take={"thread_id": THREAD, "person_id": PERSON},
        ),
        Want(
            tool="messages.remove_member",
            text="remove {person_id} from {thread_id}",
            take={"thread_id": THREAD, "person_id": PERSON},
        ),
        Want(
            tool="messages.share_contact",
            text="share the card of {contact_id} in {thread_id}",
            take={"contact_id": CONTACT, "thread_id": THREAD},
        ),
    ),
    questions=(
        Question(
            text="tell me when {it} was sent",
            about=Named(
                tool="messages.search_messages",
                query="query",
                name="text",
                field="sent_at",
                by={"thread_id": THREAD},
                text='the message "{name}" in {thread_id}',
                listing={"limit": 50},
            ),
        ),
        Question(
            text="look up {it}",
            about=Named(
                tool="messages.search_messages",
                by={"person_id": PERSON, "since": day(-9, -1)},
                field="text",
                text="what {person_id} has written since {since}",
            ),
        ),
        Question(
            text="tell me {it}",
            about=Named(
                tool="messages.search_threads",
                query="query",
                name="title",
                field="members",
                by={"kind": THREAD.by["kind"]},
                text="who is in the {kind} chat {name}",
            ),
        ),
    ),
)
