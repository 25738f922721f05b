"""The requests for phrases in other languages that users can make, with their wording."""

from benchloom.worlds.requests.draws import capitalised, quoted, words
from benchloom.worlds.requests.wants import Named, Question, Requests, Want, ask
from benchloom.worlds.suites.everyday.requests._objects import PERSON

_PHRASES = (
    "good morning", "good night", "thank you", "excuse me", "how much is it",
    "where is the station", "where is the harbour", "a table for two", "I am lost",
    "I need help", "when does the ferry leave", "I do not understand", "see you tomorrow",
    "the water", "the bread", "the key",
)  # fmt: skip
_TRANSLATION = Named(
    "translate.translate_text",
    "text",
    "the {language} phrase {text} in {to_language}",
    by={
        "text": quoted(*_PHRASES),
        "language": capitalised("english"),
        "to_language": capitalised("french", "german", "spanish"),
    },
)
REQUESTS = Requests(
    wants=(
        Want(
            "messages.message_person",
            "send {person_id} {text}",
            {"person_id": PERSON, "text": _TRANSLATION},
        ),
        Want(
            "notes.create_note",
            "make a note {title} with {text}",
            {"title": quoted("Abroad", "Phrases", "To learn"), "text": _TRANSLATION},
            makes=("note_id", "that note"),
        ),
    ),
    questions=(
        Question("tell me {it}", _TRANSLATION),
        ask(
            "tell me which language {text} is",
            "translate.detect_language",
            "language",
            {
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
        ),
        ask(
            "tell me the {language} for the phrase with the word {phrase_id} in my phrase book",
            "translate.get_phrase",
            "text",
            {
                "phrase_id": Named(
                    "translate.search_phrases",
                    "phrase_id",
                    "{query}",
                    by={"query": words("station", "harbour", "ferry", "bread", "help")},
                ),
                "language": capitalised("french", "german", "spanish"),
            },
        ),
    ),
)
