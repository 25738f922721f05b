"""Check the spacing of requests with a simulated clock."""

from scrapers.http.client import Pacer


class Clock:
    """Time that advances only by sleep or by the test."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_delay_starts_at_the_answer() -> None:
    clock = Clock()
    pacer = Pacer(1.0, 0.0, clock, clock.sleep)
    pacer.wait()
    assert clock.now == 100.0
    clock.now += 0.4  # the request travels
    pacer.mark()
    clock.now += 0.3  # the body arrives
    pacer.wait()
    assert clock.now == 101.4


def test_jitter_only_lengthens_the_delay() -> None:
    clock = Clock()
    pacer = Pacer(1.0, 0.5, clock, clock.sleep)
    gaps = set()
    for _ in range(50):
        before = clock.now
        pacer.mark()
        pacer.wait()
        gaps.add(round(clock.now - before, 6))
    assert min(gaps) >= 1.0
    assert max(gaps) <= 1.5
    assert len(gaps) > 10


def test_longer_wait_can_be_requested() -> None:
    clock = Clock()
    pacer = Pacer(1.0, 0.0, clock, clock.sleep)
    pacer.mark(30.0)
    pacer.wait()
    assert clock.now == 130.0
