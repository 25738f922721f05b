"""Words: what they mean, and what is made of that."""

from benchloom.worlds.suites.everyday.asking.draws import quoted
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import PERSON

_WORD = quoted(
    "ample", "brisk", "calm", "ferry", "gather", "harbour", "hedge", "kindle", "lantern",
    "lively", "mend", "orchard", "plentiful", "quench", "quilt", "scant", "thrifty", "wander",
)  # fmt: skip


def _of(tool: str, field: str) -> Named:
    return Named(tool=tool, by={"word": _WORD}, field=field, text="{word}", one=True)


REQUESTS = Requests(
    wants=(
        Want(
            tool="messages.message_person",
            text="send {person_id} what {text} means, as the dictionary has it",
            take={"person_id": PERSON, "text": _of("dictionary.define_word", "meaning")},
        ),
        Want(
            tool="notes.create_note",
            text="note under {title} what the dictionary says about {text}",
            take={
                "title": quoted("Crossword", "Old words", "Spelling", "Words of the week"),
                "text": _of("dictionary.define_word", "meaning"),
            },
            makes=("note_id", "that note"),
        ),
    ),
    questions=(
        Question(text="look up what {it} means", about=_of("dictionary.define_word", "meaning")),
        Question(
            text="find me another word for {it}",
            about=_of("dictionary.find_synonym", "word"),
        ),
        Question(text="tell me the opposite of {it}", about=_of("dictionary.find_antonym", "word")),
        Question(
            text="tell me what the other word for {it} means",
            about=Named(
                tool="dictionary.define_word",
                by={"word": _of("dictionary.find_synonym", "word")},
                field="meaning",
                text="{word}",
                one=True,
            ),
        ),
    ),
)
