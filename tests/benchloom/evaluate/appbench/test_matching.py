"""Tests of bijections between call graphs, compared with a search over every permutation."""

import time
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.core.errors import RejectedInputError
from benchloom.evaluate.benchmarks.appbench.isomorphism import Node, bijection


def fits(left: list[Node], right: list[Node], pairs: tuple[int, ...]) -> bool:
    return all(
        node.label == right[pairs[index]].label
        and tuple(pairs[at] for at in node.producers) == right[pairs[index]].producers
        for index, node in enumerate(left)
    )


@st.composite
def graphs(draw: st.DrawFn) -> list[Node]:
    nodes: list[Node] = []
    for index in range(draw(st.integers(0, 5))):
        earlier = st.integers(0, index - 1) if index else st.nothing()
        producers = draw(st.lists(earlier, max_size=2)) if index else []
        nodes.append(Node(draw(st.sampled_from("ab")) + str(len(producers)), tuple(producers)))
    return nodes


@given(graphs(), graphs())
@settings(max_examples=40, deadline=None)
def test_bijection_agrees_with_a_search_over_permutations(
    left: list[Node], right: list[Node]
) -> None:
    mapping = bijection(left, right)
    expected = len(left) == len(right) and any(
        fits(left, right, pairs) for pairs in permutations(range(len(left)))
    )
    assert (mapping is not None) == expected
    if mapping is not None:
        assert sorted(mapping) == list(range(len(left)))
        assert fits(left, right, mapping)


def test_equal_producers_are_distinguished_by_their_consumers() -> None:
    producers = [Node("a"), Node("a")]
    shared = [*producers, Node("b", (0,)), Node("c", (0,))]
    other = [*producers, Node("b", (0,)), Node("c", (1,))]
    swapped = [*producers, Node("b", (1,)), Node("c", (1,))]
    assert bijection(shared, other) is None
    assert bijection(shared, swapped) == (1, 0, 2, 3)


def test_search_decides_where_colours_are_equal() -> None:
    # A ring of six and two rings of three: colour refinement cannot tell them apart.
    six = [*[Node("a")] * 6, *(Node("b", (i, (i + 1) % 6)) for i in range(6))]
    turned = [*[Node("a")] * 6, *(Node("b", ((i + 1) % 6, (i + 2) % 6)) for i in range(6))]
    threes = [*[Node("a")] * 6]
    threes += [Node("b", (i, i + 1 if i % 3 < 2 else i - 2)) for i in range(6)]
    mapping = bijection(six, turned)
    assert mapping is not None
    assert fits(six, turned, mapping)
    assert bijection(six, threes) is None


def test_hard_search_ends_as_undecided() -> None:
    def rings(size: int) -> list[Node]:
        node_count = 120
        neighbours = [(i, i + 1 if (i + 1) % size else i + 1 - size) for i in range(node_count)]
        return [*[Node("a")] * node_count, *(Node("b", pair) for pair in neighbours)]

    start = time.process_time()
    with pytest.raises(RejectedInputError) as caught:
        bijection(rings(60), rings(40))
    assert caught.value.reason == "undecided"
    assert time.process_time() - start < 5
    assert bijection(rings(60), rings(60)) == tuple(range(240))
