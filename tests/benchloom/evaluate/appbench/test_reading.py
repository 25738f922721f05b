"""Tests of reading AppBench plans from the texts that models write."""

import time

import pytest

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmarks.appbench import BENCHMARK
from tests.benchloom.evaluate.appbench.samples import BOTH, FERRY, POTTERY, call, sample, scores

FIND = "pier, ferry, fare = Ferries_findpier(#city='Port Ellery', #riders='2')"
TEXT_BY_POSITION = """Ferries: [a, b, c = findpier(city = "Port Ellery", riders=2),
 bookferry(deck=upper, ferry=b)]"""
TEXT_BY_RESULT = """Ferries: [r = findpier(#city='Port Ellery', #riders=2),
 bookferry(#deck='upper', #ferry=r.ferry)]"""
BOOK = "ferry, deck, fare = Ferries_bookferry(#deck='upper', #ferry=ferry)"


@pytest.mark.parametrize(
    "text",
    [
        f"Ferries: [{FIND}, {BOOK}]",
        f"Ferries: [{FIND}]\nFerries: [{BOOK}]",
        f"Ferries: [{FIND}], [{BOOK}]",
        f"Ferries:\n[{FIND}\n{BOOK}]",
        f"I shall book it.\n\n```\nFerries: [{FIND}, {BOOK}]\n```\nThat is all: a plan (2 calls).",
        f"Answer: [{FIND}; {BOOK}]",
        f"1. **Ferries**: [{FIND}]\n2. **Ferries**: [{BOOK}]",
        f"Call Ferries_findpier(#city='Oslo') or so.\nFerries: [{FIND}, {BOOK}]",
        f"<think>Ferries: [x = Ferries_findpier(#city='Oslo')]</think>[{FIND}, {BOOK}]",
        f"{FIND}\n{BOOK}",
        f"Ferries: [{FIND}, {BOOK}",
        TEXT_BY_POSITION,
        TEXT_BY_RESULT,
        f"json\n[{FIND}, {BOOK}]",
    ],
)
def test_plan_is_read_from_any_surrounding_text(text: str) -> None:
    assert scores(FERRY, text)["success"] == 1


def test_texts_grouped_by_app_are_read() -> None:
    assert scores(FERRY, {"Ferries": [FIND, BOOK]})["success"] == 1
    assert scores(FERRY, [f"Ferries: [{FIND}]", f"Ferries: [{BOOK}]"])["success"] == 1


@pytest.mark.parametrize(
    "value",
    [
        "jug, blue",
        "a (b) [c] {d}",
        "x=1, #y='2'",
        "O'Hara's 'best'",
        'say "so"',
        "#pot='jug'",
        "end'",
        "'",
        "back\\slash",
        "two\nlines",
        "= api(#a=b)]",
        "",
        "  spaces  ",
        '{"a": [1, 2]}',
    ],
)
def test_values_may_contain_any_characters(value: str) -> None:
    gold = (call("Pottery", "firepot", pot=value, kiln="k"), *POTTERY[:1])
    for output in (BENCHMARK.text_of(sample(gold), gold), BENCHMARK.output_of(sample(gold), gold)):
        assert scores(gold, output)["success"] == 1
        other = (call("Pottery", "firepot", pot=value + "!", kiln="k"), *POTTERY[:1])
        assert scores(other, output)["success"] == 0


BROKEN = {
    "empty": "",
    "blank": "   ",
    "prose": "I cannot help with that.",
    "list cut off": "Ferries: [",
    "call cut off": "Ferries: [r = Ferries_findpier(",
    "value cut off": "Ferries: [r = Ferries_findpier(#city='Port Ell",
    "comma at the end": f"Ferries: [{FIND}, ",
    "name cut off": f"Ferries: [{FIND}, ferry, deck = Ferries_book",
    "second list cut off": f"Ferries: [{FIND}]\nFerries: [ferry, de",
    "brackets": "[" * 10_000 + "]" * 10_000,
    "calls in calls": "f(#a=" * 4_000,
    "open list of arguments": "[f(" + "#a='x', " * 5_000,
    "escaped marks": "[f(" + "#a='\\', " * 5_000,
    "words": "a, " * 30_000,
    "thoughts": "</think>" * 10_000,
    "deep record": '{"used_api": ' + "[" * 10_000,
    "no call in one": '{"used_api": [{}]}',
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_unreadable_text_is_unparseable_and_wrong(text: str) -> None:
    start = time.process_time()
    judgement = BENCHMARK.judge(sample(FERRY), text, "right")
    assert time.process_time() - start < 3
    assert judgement.outcome == "unparseable"
    assert judgement.findings[0].kind == "unreadable"
    assert set(scores(FERRY, text).values()) == {0}


@pytest.mark.parametrize("output", [[], "[]", "```\n[]\n```", {"used_app": [], "used_api": []}])
def test_output_without_calls_is_empty_and_wrong(output: Plain) -> None:
    assert BENCHMARK.judge(sample(FERRY), output, "right").outcome == "empty"
    assert set(scores(FERRY, output).values()) == {0}


@pytest.mark.parametrize(
    ("text", "published"),
    [
        (f"Ferries: [{FIND}]\nFerries: [{BOOK}]", 1),
        # Only the first call of a line counts.
        (f"Ferries: [{FIND}, {BOOK}]", 0),
        ("Ferries: [r = Ferries_findpier(#city='Port Ellery', #riders='2')]", 0),
        # A comma inside a value: the text after it empties the argument, which is accepted.
        (f"Ferries: [{FIND.replace('Ellery', 'Ellery, Isle')}]\nFerries: [{BOOK}]", 1),
        # An equals sign inside a value: the argument is lost.
        (f"Ferries: [{FIND.replace('Ellery', 'Ellery=')}]\nFerries: [{BOOK}]", 0),
        # A closing bracket ends the call, and the text after it is lost.
        (f"Ferries: [{FIND.replace('Port Ellery', 'Port) of Ellery')}]\nFerries: [{BOOK}]", 0),
    ],
)
def test_published_reader_misreads_known_texts(text: str, published: float | None) -> None:
    assert scores(FERRY, text, "published")["success"] == published


def test_line_prefix_gives_the_app() -> None:
    text = BENCHMARK.text_of(sample(BOTH), BOTH)
    assert scores(BOTH, text.replace("Pottery: [", "Ferries: ["))["em_app"] == 0
    assert scores(BOTH, text.replace("Pottery: [", "["))["success"] == 1
