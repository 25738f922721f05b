"""The requests that users can make to read articles of the encyclopedia, and to share texts."""

from benchloom.worlds.requests.draws import quoted, words
from benchloom.worlds.requests.wants import Named, Question, Requests, Want, ask
from benchloom.worlds.suites.everyday.requests._objects import PERSON, THREAD

_ARTICLE = Named(
    "encyclopedia.search_articles",
    "article_id",
    'the article "{name}" under {topic}',
    name="title",
    by={"topic": words("events", "nature", "people", "places")},
)
_TEXT = Named("encyclopedia.get_article", "text", "{article_id}", by={"article_id": _ARTICLE})
REQUESTS = Requests(
    wants=(
        Want(
            "messages.message_person",
            "send {person_id} the text of {text}",
            {"person_id": PERSON, "text": _TEXT},
        ),
        Want(
            "messages.send_message",
            "post the text of {text} in {thread_id}",
            {"text": _TEXT, "thread_id": THREAD},
        ),
        Want(
            "notes.create_note",
            "copy the text of {text} into a note called {title}",
            {"text": _TEXT, "title": quoted("For the quiz", "From the encyclopedia", "Read later")},
            makes=("note_id", "that note"),
        ),
    ),
    questions=(
        Question("tell me what {it} says", _TEXT),
        ask(
            "tell me which article mentions {article_id}",
            "encyclopedia.search_naming_articles",
            "title",
            {"article_id": _ARTICLE},
        ),
        ask(
            "find out which other article {article_id} mentions",
            "encyclopedia.search_linked_articles",
            "title",
            {"article_id": _ARTICLE},
        ),
    ),
)
