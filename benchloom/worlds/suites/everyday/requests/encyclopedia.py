"""Encyclopedia: what is looked up, and told to others."""

from benchloom.worlds.suites.everyday.asking.draws import quoted, words
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import PERSON, THREAD

_ARTICLE = Named(
    tool="encyclopedia.search_articles",
    query="query",
    name="title",
    by={"topic": words("events", "nature", "people", "places")},
    field="article_id",
    text='the article "{name}" under {topic}',
)
_TEXT = Named(
    tool="encyclopedia.get_article",
    by={"article_id": _ARTICLE},
    field="text",
    text="{article_id}",
    one=True,
)
REQUESTS = Requests(
    wants=(
        Want(
            tool="messages.message_person",
            text="send {person_id} the text of {text}",
            take={"person_id": PERSON, "text": _TEXT},
        ),
        Want(
            tool="messages.send_message",
            text="post the text of {text} in {thread_id}",
            take={"text": _TEXT, "thread_id": THREAD},
        ),
        Want(
            tool="notes.create_note",
            text="copy the text of {text} into a note called {title}",
            take={"text": _TEXT, "title": quoted("For the quiz", "Read later", "School", "Trip")},
            makes=("note_id", "that note"),
        ),
    ),
    questions=(
        Question(text="tell me what {it} says", about=_TEXT),
        Question(
            text="tell me which article mentions {it}",
            about=Named(
                tool="encyclopedia.search_naming_articles",
                by={"article_id": _ARTICLE},
                field="title",
                text="{article_id}",
            ),
        ),
        Question(
            text="find out which other article {it} mentions",
            about=Named(
                tool="encyclopedia.search_linked_articles",
                by={"article_id": _ARTICLE},
                field="title",
                text="{article_id}",
            ),
        ),
    ),
)
