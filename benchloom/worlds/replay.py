"""Replay the recorded dialogues of a suite from a user's files, and sum up the results."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchloom.core.errors import RunError
from benchloom.storage.inputs import list_objects
from benchloom.worlds.suite import Replay
from benchloom.worlds.suites import SUITES


def replay_suite(suite: str, inputs: Sequence[Path]) -> Iterator[Replay]:
    """Repeat the calls of recorded dialogues, and yield a comparison of the results per file.

    Raises:
        RunError: the suite does not exist or has no recordings, or an input is missing.
    """
    member = SUITES.find(suite)
    if member.replay is None:
        raise RunError(
            f"suite '{suite}' has no recorded dialogues to replay; 'world list' shows the suites"
        )
    with ExitStack() as stack:
        yield from member.replay(list_objects(inputs, stack))


def total_of(replays: Sequence[Replay]) -> Replay:
    """Add up the counts of all replays; the sum does not list the differences."""
    reasons: Counter[str] = Counter()
    for replay in replays:
        reasons.update(replay.reasons)
    return Replay(
        dialogues=sum(replay.dialogues for replay in replays),
        dialogues_equal=sum(replay.dialogues_equal for replay in replays),
        calls=sum(replay.calls for replay in replays),
        calls_equal=sum(replay.calls_equal for replay in replays),
        excluded=sum(replay.excluded for replay in replays),
        reasons=dict(sorted(reasons.items())),
    )
