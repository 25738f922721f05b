"""Spacing of requests, with a clock that the test turns."""

from scrapers.http.client import Pacer


class Clock:
    """Time that passes only when somebody sleeps or the test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_the_delay_runs_from_the_answer() -> None:
    clock = Clock()
    pacer = Pacer(1.0, 0.0, clock, clock.sleep)
    pacer.wait()
    assert clock.now == 100.0
    clock.now += 0.4  # the request travels
    pacer.mark()
    clock.now += 0.3  # the body arrives
    pacer.wait()
    assert clock.now == 101.4


def test_jitter_adds_and_never_takes() -> None:
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


def test_a_longer_wait_can_be_asked_for() -> None:
    clock = Clock()
    pacer = Pacer(1.0, 0.0, clock, clock.sleep)
    pacer.mark(30.0)
    pacer.wait()
    assert clock.now == 130.0
