"""Find tools for a request without a network, by keywords or by sentence vectors."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from benchloom.core.errors import extra
from prompts.language.words import STOPWORDS, stem, title_words
from prompts.tools.tool import Tool

_SATURATION = 1.2
_LENGTH_WEIGHT = 0.75


class ToolSearcher(Protocol):
    """The interface of searchers, which rank tools for a request."""

    def search(self, request: str, most: int = 5) -> tuple[Tool, ...]:
        """Return at most `most` tools, best first; equal scores are ordered by API name."""


class KeywordSearcher:
    """A searcher that ranks tools by BM25 over stemmed words of their texts and parameters.

    Only shared words count, so a request that shares no word with a tool gets no result.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        import bm25s

        self._tools = sorted(tools, key=lambda tool: tool.api)
        self._ranking = bm25s.BM25(k1=_SATURATION, b=_LENGTH_WEIGHT)
        texts = [_terms(tool.search_text()) for tool in self._tools]
        if any(texts):  # the package cannot index nothing
            self._ranking.index(texts, show_progress=False)
            self._words = self._ranking.vocab_dict.keys() - {""}
        else:
            self._words = set[str]()

    def search(self, request: str, most: int = 5) -> tuple[Tool, ...]:
        """Return the tools that share words with the request; rare words count more."""
        terms = [term for term in dict.fromkeys(_terms(request)) if term in self._words]
        if not terms:
            return ()
        # The package does not define which of equal scores comes first.
        scores = self._ranking.get_scores(terms)
        best = (-scores).argsort(kind="stable")[:most]
        return tuple(self._tools[index] for index in best.tolist() if scores[index] > 0)


def _terms(text: str) -> list[str]:
    return [stem(word) for word in title_words(text).split() if word not in STOPWORDS]


class VectorSearcher:
    """A searcher that ranks tools by sentence vectors of a small model from a PyPI package.

    The model's weights are in the package, so nothing is downloaded.

    Raises:
        RunError: the extra `vectors` is not installed.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        with extra("vectors", "sentence vectors"):
            import wordllama
        self._tools = sorted(tools, key=lambda tool: tool.api)
        # The package searches a cache folder for its tokenizer, which its own folder contains.
        home = Path(wordllama.__file__).parent
        self._model = wordllama.WordLlama.load(cache_dir=home, disable_download=True)
        self._vectors = self._embed([tool.search_text() for tool in self._tools])

    def _embed(self, texts: list[str]) -> list[list[float]]:
        return [] if not texts else self._model.embed(texts, norm=True).tolist()

    def search(self, request: str, most: int = 5) -> tuple[Tool, ...]:
        """Return the `most` tools whose vectors have the smallest angle to the request's vector."""
        if not self._tools:
            return ()
        (request_vector,) = self._embed([request])
        scores = [
            sum(a * b for a, b in zip(request_vector, vector, strict=True))
            for vector in self._vectors
        ]
        best = sorted(range(len(scores)), key=lambda index: (-scores[index], index))[:most]
        return tuple(self._tools[index] for index in best)


def open_searcher(tools: Sequence[Tool], *, vectors: bool = False) -> ToolSearcher:
    """Return a searcher over the tools, by sentence vectors if `vectors`, and else by keywords."""
    return VectorSearcher(tools) if vectors else KeywordSearcher(tools)
