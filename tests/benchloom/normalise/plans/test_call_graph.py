"""Components of call graphs, compared with a plain search."""

from hypothesis import given
from hypothesis import strategies as st

from benchloom.normalise.plans.assembly import component_sizes

LINKS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12)


def test_components_of_a_small_graph() -> None:
    assert component_sizes(5, [(0, 2), (2, 4)]) == (3, 1, 1)
    assert component_sizes(4, [(0, 1), (2, 3), (1, 2)]) == (4,)
    assert component_sizes(3, []) == (1, 1, 1)
    assert component_sizes(0, []) == ()


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
