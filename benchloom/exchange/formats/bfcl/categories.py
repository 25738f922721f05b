"""The categories of BFCL's rows, which are part of row ids and file names."""

import re
from pathlib import PurePosixPath

ANSWERS = "possible_answer"  # the folder of answers, beside the files of questions
CALLING = frozenset({
    "simple", "simple_python", "simple_java", "simple_javascript", "java", "javascript",
    "multiple", "parallel", "parallel_multiple",
    "live_simple", "live_multiple", "live_parallel", "live_parallel_multiple",
})  # fmt: skip
"""The single-turn categories of versions 3 and 4 that have a file of answers."""
WITHOUT_CALLS = frozenset({"irrelevance", "live_irrelevance"})
"""The categories in which making no call is right; they have no file of answers."""
ANY_CALL = frozenset({"relevance", "live_relevance"})
"""The categories in which any call is right; they have no file of answers."""
_ON_CODE = ("multi_turn", "memory", "web_search")
_FILE = re.compile(r"BFCL_v\d+_(\w+?)(?:_score|_result)?\.json")
_ROW = re.compile(r"(\w+?)_\d[\w-]*")


def file_category(source_uri: str) -> str:
    """Return the category in a file's name, or an empty text if the name contains none."""
    match = _FILE.search(PurePosixPath(source_uri.replace("!", "/")).name)
    return match[1] if match else ""


def category_of(row_id: str, source_uri: str) -> str:
    """Return the category in a row's id if it is a known category, or else in its file's name."""
    match = _ROW.fullmatch(row_id)
    own = match[1] if match else ""
    if own in CALLING | WITHOUT_CALLS | ANY_CALL or runs_on_code(own):
        return own
    return file_category(source_uri) or own


def runs_on_code(category: str) -> bool:
    """Whether rows of a category can be run only with the leaderboard's own code."""
    return category.startswith(_ON_CODE)
