"""Phrases in other languages."""

from benchloom.worlds.suites.everyday.asking.draws import a_language, quoted, words
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import PERSON

_PHRASES = (
    "good morning", "good night", "thank you", "excuse me", "how much is it",
    "where is the station", "where is the harbour", "a table for two", "I am lost",
    "I need help", "when does the ferry leave", "I do not understand", "see you tomorrow",
    "the water", "the bread", "the key",
)  # fmt: skip
_SAID = Named(
    tool="translate.translate_text",
    by={
        "text": quoted(*_PHRASES),
        "language": a_language("english"),
        "to_language": a_language("french", "german", "spanish"),
    },
    field="text",
    text="the {language} phrase {text} in {to_language}",
    one=True,
)
REQUESTS = Requests(
    wants=(
        Want(
            tool="messages.message_person",
            text="send {person_id} {text}",
            take={"person_id": PERSON, "text": _SAID},
        ),
        Want(
            tool="notes.create_note",
            text="make a note {title} with {text}",
            take={"title": quoted("Abroad", "On the ferry", "To learn"), "text": _SAID},
            makes=("note_id", "that note"),
        ),
    ),
    questions=(
        Question(text="tell me {it}", about=_SAID),
        Question(
            text="tell me which language {it} is",
            about=Named(
                tool="translate.detect_language",
                by={
                    "text": quoted(
                        "bonjour",
                        "buenas noches",
                        "danke",
                        "estoy perdido",
                        "ich brauche Hilfe",
                        "la clé",
                        "merci",
                        "wo ist der Bahnhof",
                    )
                },
                field="language",
                text="{text}",
                one=True,
            ),
        ),
        Question(
            text="tell me {it}",
            about=Named(
                tool="translate.get_phrase",
                by={
                    "phrase_id": Named(
                        tool="translate.search_phrases",
                        by={"query": words("station", "harbour", "ferry", "bread", "help")},
                        field="phrase_id",
                        text="{query}",
                    ),
                    "language": a_language("french", "german", "spanish"),
                },
                field="text",
                text="the {language} for the phrase with the word {phrase_id} in my phrase book",
                one=True,
            ),
        ),
    ),
)
