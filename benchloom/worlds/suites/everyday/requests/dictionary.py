"""The requests that users can make for definitions of words, and to share the definitions."""

from benchloom.worlds.requests.draws import quoted
from benchloom.worlds.requests.wants import Named, Question, Requests, Want, ask
from benchloom.worlds.suites.everyday.requests._objects import PERSON

_WORD = quoted(
    "ample", "brisk", "calm", "ferry", "gather", "harbour", "hedge", "kindle", "lantern",
    "lively", "mend", "orchard", "plentiful", "quench", "quilt", "scant", "thrifty", "wander",
)  # fmt: skip


def _of(tool: str, field: str) -> Named:
    return Named(tool, field, "{word}", by={"word": _WORD})


REQUESTS = Requests(
    wants=(
        Want(
            "messages.message_person",
            "send {person_id} what {text} means, as the dictionary has it",
            {"person_id": PERSON, "text": _of("dictionary.define_word", "meaning")},
        ),
        Want(
            "notes.create_note",
            "note under {title} what the dictionary says about {text}",
            {
                "title": quoted("Crossword", "Old words", "Spelling", "Words of the week"),
                "text": _of("dictionary.define_word", "meaning"),
            },
            makes=("note_id", "that note"),
        ),
    ),
    questions=(
        Question("look up what {it} means", _of("dictionary.define_word", "meaning")),
        Question("find me another word for {it}", _of("dictionary.find_synonym", "word")),
        Question("tell me the opposite of {it}", _of("dictionary.find_antonym", "word")),
        ask(
            "tell me what the other word for {word} means",
            "dictionary.define_word",
            "meaning",
            {"word": _of("dictionary.find_synonym", "word")},
        ),
    ),
)
