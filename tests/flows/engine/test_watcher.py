"""Check how the watcher reports scheduled runs from one look to the next."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

import msgspec

from flows.engine.watcher import RunWatch, SeenRun

START = datetime(2026, 11, 23, 4, 0, tzinfo=UTC)


def at(minute: float) -> datetime:
    return START + timedelta(minutes=minute)


def make_run(number: float, kind: str = "SCHEDULED", **facts: object) -> SeenRun:
    run_id = uuid5(UUID(int=0), str(number))
    return msgspec.convert(
        {"run_id": run_id, "due": at(number), "kind": kind, "outcome": kind.title(), **facts},
        SeenRun,
    )


def test_start_and_end_of_a_run_are_reported() -> None:
    watch = RunWatch()
    waiting_runs = [make_run(5), make_run(10)]
    assert watch.look(waiting_runs, at(0)) == (["next run: 2026-11-23 04:05:00 UTC"], [])
    assert watch.look(waiting_runs, at(1)) == ([], [])
    assert watch.look([make_run(5, "PENDING"), make_run(10)], at(5)) == ([], [])
    active_runs = [make_run(5, "RUNNING", began=at(5)), make_run(10)]
    assert watch.look(active_runs, at(5.1)) == (
        ["run due 2026-11-23 04:05:00 UTC: started"],
        [],
    )
    assert watch.look(active_runs, at(6)) == ([], [])
    ended_runs = [make_run(5, "COMPLETED", began=at(5), ended=at(7.5)), make_run(10)]
    lines, skipped = watch.look(ended_runs, at(8))
    assert lines == [
        "run due 2026-11-23 04:05:00 UTC: completed after 2 min 30 s",
        "next run: 2026-11-23 04:10:00 UTC",
    ]
    assert skipped == []
    assert watch.look(ended_runs, at(9)) == ([], [])


def test_runs_due_during_a_run_are_skipped_once() -> None:
    watch = RunWatch("Europe/Rome")
    active_run = make_run(0, "RUNNING", began=at(0))
    watch.look([active_run, make_run(1)], at(0))
    lines, skipped = watch.look([active_run, make_run(1), make_run(2), make_run(9)], at(2))
    assert skipped == [make_run(1), make_run(2)]
    assert lines == [
        "run due 2026-11-23 05:01:00 CET: skipped, the previous run is still active",
        "run due 2026-11-23 05:02:00 CET: skipped, the previous run is still active",
    ]
    skip = {"outcome": "Skipped", "began": at(2), "ended": at(2)}
    cancelled_runs = [make_run(number, "CANCELLED", **skip) for number in (1, 2)]
    assert watch.look([active_run, *cancelled_runs, make_run(9)], at(3)) == ([], [])


def test_run_due_just_before_the_end_is_skipped() -> None:
    watch = RunWatch()
    watch.look([make_run(0, "RUNNING", began=at(0))], at(0))
    failed_run = make_run(0, "FAILED", began=at(0), ended=at(3), message="input: gone\nmore")
    lines, skipped = watch.look([failed_run, make_run(2), make_run(3.5)], at(4))
    assert skipped == [make_run(2)]
    assert lines[0].endswith("failed after 3 min 0 s: input: gone")


def test_only_the_last_overdue_run_is_started() -> None:
    watch = RunWatch()
    assert watch.look([make_run(1), make_run(2), make_run(3), make_run(30)], at(10))[1] == [
        make_run(1),
        make_run(2),
    ]


def test_earlier_runs_are_silent_and_short_runs_reported() -> None:
    watch = RunWatch()
    earlier_run = make_run(0, "CRASHED", began=at(0), ended=at(1))
    assert watch.look([earlier_run], at(2)) == ([], [])
    short_run = make_run(3, "COMPLETED", began=at(3), ended=at(3.05))
    assert watch.look([earlier_run, short_run], at(4)) == (
        [
            "run due 2026-11-23 04:03:00 UTC: started",
            "run due 2026-11-23 04:03:00 UTC: completed after 3.0 s",
        ],
        [],
    )
    refused_run = make_run(5, "FAILED", outcome="Refused", message="another run is writing here")
    assert watch.look([earlier_run, short_run, refused_run], at(6))[0] == [
        "run due 2026-11-23 04:05:00 UTC: refused: another run is writing here"
    ]
