"""Components and orders of call graphs, compared with a plain search."""

from hypothesis import given
from hypothesis import strategies as st

from benchloom.normalise.plans.assembly import component_sizes, topological_order

LINKS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12)


def test_components_of_a_small_graph() -> None:
    assert component_sizes(5, [(0, 2), (2, 4)]) == (3, 1, 1)
    assert component_sizes(4, [(0, 1), (2, 3), (1, 2)]) == (4,)
    assert component_sizes(3, []) == (1, 1, 1)
    assert component_sizes(0, []) == ()


def test_order_takes_the_earliest_step_that_is_ready() -> None:
    assert topological_order(4, [(3, 0), (0, 1)]) == (2, 3, 0, 1)
    assert topological_order(2, [(0, 1), (1, 0)]) is None
    assert topological_order(1, [(0, 0)]) is None


@given(LINKS)
def test_components_are_those_of_a_search(links: list[tuple[int, int]]) -> None:
    left = set(range(8))
    sizes = []
    while left:
        seen = {min(left)}
        while True:
            more = {b for a, b in links if a in seen} | {a for a, b in links if b in seen}
            if more <= seen:
                break
            seen |= more
        sizes.append(len(seen))
        left -= seen
    assert component_sizes(8, links) == tuple(sorted(sizes, reverse=True))


@given(LINKS)
def test_an_order_respects_every_link(links: list[tuple[int, int]]) -> None:
    order = topological_order(8, links)
    if order is None:
        assert any(reaches(links, end, start) for start, end in links)
    else:
        assert sorted(order) == list(range(8))
        assert all(order.index(start) < order.index(end) for start, end in links)


def reaches(links: list[tuple[int, int]], start: int, goal: int) -> bool:
    seen = {start}
    for _ in range(8):
        seen |= {b for a, b in links if a in seen}
    return goal in seen
