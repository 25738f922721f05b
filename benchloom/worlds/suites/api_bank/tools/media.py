"""What is looked up: articles, pages, documents, pictures, recordings.

These databases are large and never change, so that they stay beside the state of a session: all
sessions of a world share them.
"""

from collections.abc import Mapping

import msgspec

from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.databases import Databases, Page
from benchloom.worlds.suites.api_bank.part import Part, need
from benchloom.worlds.suites.api_bank.ranking import Ranking
from benchloom.worlds.suites.api_bank.refusing import refused, text_of
from benchloom.worlds.tool import tool

_MAX_PAGES = 2


class Summary(msgspec.Struct, frozen=True):
    """What is told of an article: where it is, and its summary, never its content."""

    url: str
    summary: str


def _tools(databases: Databases) -> Mapping[str, object]:
    captions = {image.url: image.caption for image in reversed(databases.image_captioning)}
    documents = {
        url: {_key(qa_pair.question): qa_pair.answer for qa_pair in answers}
        for url, answers in databases.question_answering.items()
    }
    ranking = Ranking(databases.search_engine)
    articles = {_key(name): article for name, article in databases.wiki.items()}

    @tool(reads=True)
    def Wiki(state: State, *, keyword: str) -> Summary:
        """Look up an article.

        Args:
            keyword: its title, in any letter case, with spaces or underscores.
        """
        article = articles.get(_key(keyword.replace("_", " ")))
        if article is None:
            raise refused(state, "not_found", ("Wiki", 0), "there is no such article")
        return Summary(article.url, article.summary)

    @tool(reads=True)
    def SearchEngine(state: State, *, keyword: str) -> list[Page]:
        """Find pages, best first.

        Args:
            keyword: words to look for.
        """
        need(state, keyword, ("SearchEngine", 0), "no word is told")
        return ranking.best(keyword, _MAX_PAGES)

    @tool(reads=True)
    def DocumentQA(state: State, *, url: str, question: str) -> str:
        """Answer a question about a document.

        Args:
            url: where the document is.
            question: what to answer.
        """
        document_answers = documents.get(url.strip(), {})
        ours = "no document here says that"
        return document_answers.get(_key(question)) or text_of(state, ("DocumentQA", 0), ours)

    @tool(reads=True)
    def ImageCaption(state: State, *, url: str) -> str:
        """Tell what a picture shows.

        Args:
            url: where the picture is.
        """
        caption = captions.get(url.strip())
        if caption is None:
            raise refused(state, "not_found", ("ImageCaption", 0), "there is no such picture")
        return caption

    @tool(reads=True)
    def SpeechRecognition(state: State, *, url: str) -> str:
        """Tell what is said in a recording.

        Args:
            url: where the recording is.
        """
        transcript = databases.speech_recognition.get(url.strip())
        if transcript is None:
            raise refused(state, "not_found", ("SpeechRecognition", 0), "there is no recording")
        return transcript

    return locals()


def _key(text: str) -> str:
    return text.strip().lower()


PART = Part(
    looks_up=_tools,
    goals={
        "DocumentQA": "get a question about a document answered",
        "SearchEngine": "search for something on the web",
        "SpeechRecognition": "find out what is said in a recording",
    },
)
