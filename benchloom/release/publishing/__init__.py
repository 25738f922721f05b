"""Publishing a release somewhere, complete or invisible.

A kind of target is one module of `benchloom.release.publishing.targets`, found by the scheme of an
address. A target sends only what is missing or differs, reads back what was sent, and makes the
release visible as its last act, so a killed publication started again goes on and nobody ever
starts from half a release.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from benchloom.core.progress import under_way
from benchloom.release.gates import FurtherGate
from benchloom.release.manifest import Manifest
from benchloom.release.publishing.registry import open_target
from benchloom.release.publishing.target import Publication, Step, Target, read_publication
from benchloom.release.publishing.targets.filesystem import FileSystemTarget

__all__ = [
    "FileSystemTarget",
    "Publication",
    "Step",
    "Target",
    "open_target",
    "plan_publication",
    "publish",
]


def plan_publication(
    release: Path, target: Target, further: Sequence[FurtherGate] = ()
) -> tuple[Manifest, list[Step]]:
    """What has to be sent, in order, the manifest last; nothing is written.

    Raises:
        RunError: the target does not know us, which is asked before the gates of the release.
        GateError: the release is not sound, or the target holds another one of this version.
    """
    target.ask_who()
    publication = read_publication(release, further)
    return publication.manifest, target.plan(publication)


def publish(
    release: Path,
    target: Target,
    report: Callable[[Step], None] | None = None,
    further: Sequence[FurtherGate] = (),
) -> list[Step]:
    """Publish a release and verify every file; the steps that were taken.

    `report` is called with each step that was taken; `further` as in `check_release`.

    Raises:
        RunError: the target does not know us, which is asked before the gates of the release.
        GateError: the release is not sound, or what stands at the target differs afterwards.
    """
    target.ask_who()
    publication = read_publication(release, further)
    with under_way(f"publish {target.name}", len(publication.files), "files") as progress:

        def told(step: Step) -> None:
            progress.advance()
            (report or _tell_nobody)(step)

        return target.send(publication, told)


def _tell_nobody(step: Step) -> None:
    """Take no notice of a step."""
