"""ROUGE-L: how much of a text is said in another, by the longest common subsequence of words.

Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries". Rows of the table are whole
numbers with a bit for each word (Hyyrö 2004), so that 20,000 words on either side take well under a
second.
"""

from collections.abc import Iterator, Sequence

from benchloom.words import WORD


def words_of(text: str) -> list[str]:
    """The words of a text, letter case and marks aside; words of ASCII as `rouge-score` has them.

    That package drops every letter beyond ASCII; here they are letters like any other.
    """
    return WORD.findall(text.lower())


def rouge_l(reference: str, hypothesis: str) -> float:
    """The F-measure of ROUGE-L between 0 and 1; 0 where either text has no word."""
    wanted, said = words_of(reference), words_of(hypothesis)
    if not wanted or not said:
        return 0.0
    return 2 * lcs_length(wanted, said) / (len(wanted) + len(said))


def lcs_length(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    return max((row.bit_count() for row in _rows(one, other)), default=0)


def lcs(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """A longest common subsequence; of several the one that lies further left in `other`."""
    rows = [0, *_rows(one, other)]
    found: list[str] = []
    i, j = len(one), len(other)
    while i and j:
        if one[i - 1] == other[j - 1]:
            found.append(one[i - 1])
            i, j = i - 1, j - 1
        elif _length(rows[i - 1], j) > _length(rows[i], j - 1):
            i -= 1
        else:
            j -= 1
    found.reverse()
    return found


def _rows(one: Sequence[str], other: Sequence[str]) -> Iterator[int]:
    """For each word of `one` the bits of those words of `other` at which the length grows."""
    places: dict[str, int] = {}
    for place, word in enumerate(other):
        places[word] = places.get(word, 0) | 1 << place
    every = (1 << len(other)) - 1
    free = every
    for word in one:
        if word in places:
            met = free & places[word]
            free = ((free + met) | (free - met)) & every
        yield every ^ free


def _length(row: int, width: int) -> int:
    """The length within the first words of `other`."""
    return (row & ((1 << width) - 1)).bit_count()


def distinct_words_f(reference: str, hypothesis: str) -> float:
    """The F-measure as the package `rouge` 1.0.1 counts it, with which API-Bank was measured.

    Texts are cut into sentences at every period and into words at white space, letter case and
    marks count, and of each word one is counted: those in a common subsequence of any two
    sentences, over those of both texts. 0 where a text has no sentence: the package raises there.
    """
    wanted, said = _sentences(reference), _sentences(hypothesis)
    if not wanted or not said:
        return 0.0
    met = {word for one in wanted for other in said for word in lcs(one, other)}
    sizes = [len({word for one in text for word in one}) for text in (wanted, said)]
    return 2 * len(met) / sum(sizes)


def _sentences(text: str) -> set[tuple[str, ...]]:
    """What stands between periods; between two with only white space is an empty word."""
    return {tuple(" ".join(one.split()).split(" ")) for one in text.split(".") if one}
