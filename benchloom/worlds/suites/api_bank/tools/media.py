"""Tools that look up articles, pages, documents, images and recordings.

Their databases are large and never change, so all sessions of a world share them.
"""

import heapq
import math
from collections import Counter
from collections.abc import Mapping

import msgspec

from benchloom.core.plain_words import words_and_marks
from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.databases import Databases, Page, Pages
from benchloom.worlds.suites.api_bank.part import Part, need, refused, text_of
from benchloom.worlds.tool import read_tool

_SATURATION, _LENGTH, _FLOOR = 1.5, 0.75, 0.25


# Okapi BM25 (Robertson et al., "Okapi at TREC-3", 1994), as the search engine of API-Bank uses it.
# Words on most pages would have negative weights; they get a quarter of the mean weight instead.
class Ranking:
    """An index of the search engine's pages, which ranks them by Okapi BM25."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages.raw_documents
        word_lists = pages.tokenized_documents
        if len(word_lists) != len(self._pages):
            word_lists = [words_of(f"{page.title} - {page.abstract}") for page in self._pages]
        self._counts = [Counter(words) for words in word_lists]
        self._lengths = [len(words) for words in word_lists]
        self._mean = sum(self._lengths) / len(word_lists) if word_lists else 0.0
        self._weights = _weights(self._counts)

    def best(self, text: str, most: int) -> list[Page]:
        """Return at most `most` pages, best first; of equally good pages the later comes first."""
        words = words_of(text)
        scores = ((self._score(words, at), at) for at in range(len(self._pages)))
        return [self._pages[at] for _, at in heapq.nlargest(most, scores)]

    def _score(self, words: list[str], at: int) -> float:
        counts = self._counts[at]
        share = self._lengths[at] / self._mean if self._mean else 0.0
        spread = _SATURATION * (1 - _LENGTH + _LENGTH * share)
        score = 0.0
        for word in words:
            if times := counts.get(word, 0):
                weight = self._weights[word]
                score += weight * times * (_SATURATION + 1) / (times + spread)
        return score


def words_of(text: str) -> list[str]:
    """Split a text into words and punctuation, in lower case."""
    return words_and_marks(text.lower())


def _weights(counts: list[Counter[str]]) -> dict[str, float]:
    pages = Counter(word for page_counts in counts for word in page_counts)
    weights = {
        word: math.log(len(counts) - number + 0.5) - math.log(number + 0.5)
        for word, number in pages.items()
    }
    floor = _FLOOR * sum(weights.values()) / len(weights) if weights else 0.0
    return {word: weight if weight >= 0 else floor for word, weight in weights.items()}


_MAX_PAGES = 2


class Summary(msgspec.Struct, frozen=True):
    """The URL and the summary of an article, without its text."""

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

    @read_tool(keyword="its title, in any letter case, with spaces or underscores.")
    def Wiki(state: State, *, keyword: str) -> Summary:
        """Find an encyclopedia article."""
        article = articles.get(_key(keyword.replace("_", " ")))
        if article is None:
            raise refused(state, "not_found", ("Wiki", 0), "there is no article with this title")
        return Summary(article.url, article.summary)

    @read_tool(keyword="the search words.")
    def SearchEngine(state: State, *, keyword: str) -> list[Page]:
        """Search for web pages, best first."""
        need(state, keyword, ("SearchEngine", 0), "keyword is empty")
        return ranking.best(keyword, _MAX_PAGES)

    @read_tool(url="the path or URL of the document.", question="the question.")
    def DocumentQA(state: State, *, url: str, question: str) -> str:
        """Answer a question about a document."""
        document_answers = documents.get(url.strip(), {})
        ours = "no document contains the answer"
        return document_answers.get(_key(question)) or text_of(state, ("DocumentQA", 0), ours)

    @read_tool(url="the path or URL of the image.")
    def ImageCaption(state: State, *, url: str) -> str:
        """Return the caption of an image."""
        caption = captions.get(url.strip())
        if caption is None:
            raise refused(state, "not_found", ("ImageCaption", 0), "there is no such image")
        return caption

    @read_tool(url="the path or URL of the recording.")
    def SpeechRecognition(state: State, *, url: str) -> str:
        """Return the text that is spoken in a recording."""
        transcript = databases.speech_recognition.get(url.strip())
        if transcript is None:
            raise refused(state, "not_found", ("SpeechRecognition", 0), "no such recording")
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
