"""The requests that users can make about messages and chats, with their wording."""

from benchloom.worlds.requests.draws import day, no, quoted, today, yes
from benchloom.worlds.requests.wants import Named, Policy, Want, ask, requests
from benchloom.worlds.suites.everyday.requests._limits import confirmed
from benchloom.worlds.suites.everyday.requests._objects import (
    ALL,
    NAMED_OBJECTS,
    NOTICES,
    PERSON,
    THREAD,
)

_TEXTS = quoted(
    "Can you feed the cat on Sunday?",
    "Happy birthday!",
    "I am running ten minutes late.",
    "I found your umbrella.",
    "Let us meet at the lock.",
    "Thank you for the soup.",
    "The gate is open, just come in.",
)
_TO_ALL = quoted(
    "I am running ten minutes late.",
    "Let us meet at the lock.",
    "The gate is open, just come in.",
    "Who can feed the cat on Sunday?",
    "Who has the spare key?",
)
_CORRECTED = quoted(
    "I will call you about this.",
    "It is settled, thank you.",
    "Please ignore this message.",
    "Sorry, that was meant for somebody else.",
)
_OWN = Named(
    "messages.search_messages",
    "message_id",
    'my message "{name}" of {since}',
    name="text",
    by={"since": today()},
    listing={"person_id": "p001", "limit": 50},
)
_DIRECT = Named(
    "messages.search_threads",
    "thread_id",
    "the chat with {name}",
    name="title",
    listing={"kind": "direct", "limit": 50},
)
REQUESTS = requests(
    usual={**NAMED_OBJECTS, "text": _TEXTS, "message_id": _OWN},
    wants=(
        Want(
            "messages.message_person",
            "write {text} to {person_id}",
            makes=("message_id", "that message"),
        ),
        Want(
            "messages.message_person", "text {person_id}: {text}", makes=("thread_id", "that chat")
        ),
        Want(
            "messages.send_message",
            "post {text} in {thread_id}",
            {"text": _TO_ALL},
            makes=("message_id", "that message"),
        ),
        Want(
            "messages.send_message",
            "post {text} in {thread_id}",
            {"text": _TO_ALL},
            first={"thread_id": NOTICES},
            otherwise="if I may not write there, post it in {thread_id}",
        ),
        Want(
            "messages.update_message",
            "change {message_id} to {text}",
            {"message_id": _OWN, "text": _CORRECTED},
        ),
        Want("messages.delete_message", "take back {message_id}"),
        Want(
            "messages.update_thread",
            "rename {thread_id} to {title}",
            {
                "thread_id": THREAD,
                "title": quoted("All of us", "Our lot", "Spring plans", "The regulars"),
            },
        ),
        Want(
            "messages.update_thread",
            "{muted} {thread_id}",
            {"thread_id": _DIRECT.among(muted=False), "muted": yes("mute", "silence")},
        ),
        Want(
            "messages.update_thread",
            "{muted} {thread_id}",
            {"thread_id": _DIRECT.among(muted=True), "muted": no("unmute")},
        ),
        Want("messages.add_member", "add {person_id} to {thread_id}", {"thread_id": THREAD}),
        Want(
            "messages.remove_member", "remove {person_id} from {thread_id}", {"thread_id": THREAD}
        ),
        Want("messages.share_contact", "share the card of {contact_id} in {thread_id}"),
    ),
    questions=(
        ask(
            'tell me when the message "{name}" in {thread_id} was sent',
            "messages.search_messages",
            "sent_at",
            {"thread_id": THREAD},
            name="text",
            listing=ALL,
        ),
        ask(
            "look up what {person_id} has written since {since}",
            "messages.search_messages",
            "text",
            {"person_id": PERSON, "since": day(-9, -1)},
        ),
        ask(
            "tell me who is in the {kind} chat {name}",
            "messages.search_threads",
            "members",
            {"kind": THREAD.by["kind"]},
            name="title",
        ),
    ),
    policies=(
        Policy(
            "Never write in {limit}.",
            "messages.send_message",
            "thread_id",
            "none_of",
            ((["group"], "group chats"), (["direct"], "chats with one person")),
            "threads.kind",
        ),
        confirmed("messages.send_message", "Post a message in a chat"),
        confirmed("messages.message_person", "Write a message to a person"),
    ),
)
