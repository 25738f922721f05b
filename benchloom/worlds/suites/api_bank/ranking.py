"""Rank pages by Okapi BM25, as the search engine of API-Bank does.

Robertson et al., "Okapi at TREC-3", 1994. Words on most pages would have negative weights; they
get a quarter of the mean weight instead.
"""

import heapq
import math
from collections import Counter

from benchloom.core.plain_words import words_and_marks
from benchloom.worlds.suites.api_bank.databases import Page, Pages

_SATURATION, _LENGTH, _FLOOR = 1.5, 0.75, 0.25


class Ranking:
    """The pages of a search engine."""

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
        """Return the best pages for a text; of equal pages the later comes first."""
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
    """Split a text into words and signs, in lower case."""
    return words_and_marks(text.lower())


def _weights(counts: list[Counter[str]]) -> dict[str, float]:
    pages = Counter(word for page_counts in counts for word in page_counts)
    weights = {
        word: math.log(len(counts) - number + 0.5) - math.log(number + 0.5)
        for word, number in pages.items()
    }
    floor = _FLOOR * sum(weights.values()) / len(weights) if weights else 0.0
    return {word: weight if weight >= 0 else floor for word, weight in weights.items()}
