"""Tests of call graphs: their component sizes equal those of a plain graph search."""

from hypothesis import given
from hypothesis import strategies as st

from benchloom.normalise.plans.assembly import component_sizes

LINKS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12)


def test_component_sizes_of_small_graphs() -> None:
    assert component_sizes(5, [(0, 2), (2, 4)]) == (3, 1, 1)
    assert component_sizes(4, [(0, 1), (2, 3), (1, 2)]) == (4,)
    assert component_sizes(3, []) == (1, 1, 1)
    assert component_sizes(0, []) == ()


@given(LINKS)
def test_component_sizes_equal_those_of_a_graph_search(links: list[tuple[int, int]]) -> None:
    unvisited = set(range(8))
    sizes = []
    while unvisited:
        component = {min(unvisited)}
        while True:
            neighbours = {b for a, b in links if a in component} | {
                a for a, b in links if b in component
            }
            if neighbours <= component:
                break
            component |= neighbours
        sizes.append(len(component))
        unvisited -= component
    assert component_sizes(8, links) == tuple(sorted(sizes, reverse=True))
