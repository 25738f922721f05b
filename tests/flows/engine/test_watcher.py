"""Scheduled runs as the watcher reports them from one look to the next."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

import msgspec

from flows.engine.watcher import RunWatch, SeenRun

START = datetime(2026, 11, 23, 4, 0, tzinfo=UTC)


def at(minute: float) -> datetime:
    return START + timedelta(minutes=minute)


def run(number: float, kind: str = "SCHEDULED", **facts: object) -> SeenRun:
    run_id = uuid5(UUID(int=0), str(number))
    return msgspec.convert(
        {"run_id": run_id, "due": at(number), "kind": kind, "outcome": kind.title(), **facts},
        SeenRun,
    )


def test_a_run_is_told_when_it_starts_and_how_it_ends() -> None:
    watch = RunWatch()
    waiting = [run(5), run(10)]
    assert watch.look(waiting, at(0)) == (["next run: 2026-11-23 04:05:00 UTC"], [])
    assert watch.look(waiting, at(1)) == ([], [])
    assert watch.look([run(5, "PENDING"), run(10)], at(5)) == ([], [])
    going = [run(5, "RUNNING", began=at(5)), run(10)]
    assert watch.look(going, at(5.1)) == (
        ["run due 2026-11-23 04:05:00 UTC: started"],
        [],
    )
    assert watch.look(going, at(6)) == ([], [])
    over = [run(5, "COMPLETED", began=at(5), ended=at(7.5)), run(10)]
    lines, skipped = watch.look(over, at(8))
    assert lines == [
        "run due 2026-11-23 04:05:00 UTC: completed after 2 min 30 s",
        "next run: 2026-11-23 04:10:00 UTC",
    ]
    assert skipped == []
    assert watch.look(over, at(9)) == ([], [])


def test_what_is_due_while_one_goes_on_is_skipped_and_told_once() -> None:
    watch = RunWatch("Europe/Rome")
    going = run(0, "RUNNING", began=at(0))
    watch.look([going, run(1)], at(0))
    lines, skipped = watch.look([going, run(1), run(2), run(9)], at(2))
    assert skipped == [run(1), run(2)]
    assert lines == [
        "run due 2026-11-23 05:01:00 CET: skipped, the previous run is still active",
        "run due 2026-11-23 05:02:00 CET: skipped, the previous run is still active",
    ]
    skip = {"outcome": "Skipped", "began": at(2), "ended": at(2)}
    gone = [run(number, "CANCELLED", **skip) for number in (1, 2)]
    assert watch.look([going, *gone, run(9)], at(3)) == ([], [])


def test_what_became_due_just_before_the_end_is_skipped_too() -> None:
    watch = RunWatch()
    watch.look([run(0, "RUNNING", began=at(0))], at(0))
    over = run(0, "FAILED", began=at(0), ended=at(3), message="input: gone\nmore")
    lines, skipped = watch.look([over, run(2), run(3.5)], at(4))
    assert skipped == [run(2)]
    assert lines[0].endswith("failed after 3 min 0 s: input: gone")


def test_of_several_that_are_overdue_one_is_made() -> None:
    watch = RunWatch()
    assert watch.look([run(1), run(2), run(3), run(30)], at(10))[1] == [run(1), run(2)]


def test_what_was_over_before_and_what_was_never_seen_going_on() -> None:
    watch = RunWatch()
    before = run(0, "CRASHED", began=at(0), ended=at(1))
    assert watch.look([before], at(2)) == ([], [])
    short = run(3, "COMPLETED", began=at(3), ended=at(3.05))
    assert watch.look([before, short], at(4)) == (
        [
            "run due 2026-11-23 04:03:00 UTC: started",
            "run due 2026-11-23 04:03:00 UTC: completed after 3.0 s",
        ],
        [],
    )
    refused = run(5, "FAILED", outcome="Refused", message="another run is writing here")
    assert watch.look([before, short, refused], at(6))[0] == [
        "run due 2026-11-23 04:05:00 UTC: refused: another run is writing here"
    ]
