"""ROUGE-L: how much of one text recurs in another, by the longest common subsequence of words.

Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries". Each row of the table is an
integer with one bit per word (Hyyrö 2004), so that comparing two texts of 20,000 words takes
well under a second.
"""

from collections.abc import Iterator, Sequence

from benchloom.core.plain_words import WORD


def words_of(text: str) -> list[str]:
    """Split a text into lower-case words; ASCII texts are split as the package `rouge-score` does.

    The package `rouge-score` drops every letter beyond ASCII; this function keeps all letters.
    """
    return WORD.findall(text.lower())


def rouge_l(reference: str, hypothesis: str) -> float:
    """Return the F-measure of ROUGE-L, 0 to 1; 0 if either text has no word."""
    reference_words, said = words_of(reference), words_of(hypothesis)
    if not reference_words or not said:
        return 0.0
    return 2 * lcs_length(reference_words, said) / (len(reference_words) + len(said))


def lcs_length(first_words: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two lists of words."""
    return max((row.bit_count() for row in _rows(first_words, other)), default=0)


def lcs(first_words: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return a longest common subsequence of words; of several, the leftmost in `other`."""
    rows = [0, *_rows(first_words, other)]
    subsequence: list[str] = []
    i, j = len(first_words), len(other)
    while i and j:
        if first_words[i - 1] == other[j - 1]:
            subsequence.append(first_words[i - 1])
            i, j = i - 1, j - 1
        elif _length(rows[i - 1], j) > _length(rows[i], j - 1):
            i -= 1
        else:
            j -= 1
    subsequence.reverse()
    return subsequence


def _rows(first_words: Sequence[str], other: Sequence[str]) -> Iterator[int]:
    """Yield the rows of the dynamic programming table, one for each word of `first_words`.

    The bits of a row mark the words of `other` at which the length of the subsequence grows.
    """
    positions: dict[str, int] = {}
    for index, word in enumerate(other):
        positions[word] = positions.get(word, 0) | 1 << index
    every = (1 << len(other)) - 1
    free = every
    for word in first_words:
        if word in positions:
            met = free & positions[word]
            free = ((free + met) | (free - met)) & every
        yield every ^ free


def _length(row: int, width: int) -> int:
    return (row & ((1 << width) - 1)).bit_count()


def distinct_words_f(reference: str, hypothesis: str) -> float:
    """Return the F-measure of the package `rouge` 1.0.1, which API-Bank's scorer uses.

    Texts are split into sentences at periods and into words at white space; case and marks matter,
    and each word counts once. Words in a common subsequence of any two sentences are hits. The
    result is 0 if a text has no sentence, for which the package raises an error.
    """
    reference_sentences, said = _sentences(reference), _sentences(hypothesis)
    if not reference_sentences or not said:
        return 0.0
    met = {
        word for sentence in reference_sentences for other in said for word in lcs(sentence, other)
    }
    sizes = [
        len({word for sentence in text for word in sentence})
        for text in (reference_sentences, said)
    ]
    return 2 * len(met) / sum(sizes)


def _sentences(text: str) -> set[tuple[str, ...]]:
    """Split a text at periods into tuples of words; a blank text becomes one empty word."""
    return {
        tuple(" ".join(sentence.split()).split(" ")) for sentence in text.split(".") if sentence
    }
