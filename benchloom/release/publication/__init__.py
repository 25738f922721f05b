"""Publish a release to a target; readers see it complete or not at all.

A target sends only files that are missing or differ, reads back every sent file, and makes the
release visible in its last step. After a kill, the same command continues the publication.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from benchloom.core.progress import under_way
from benchloom.release.gates import AnyGate
from benchloom.release.manifest import Manifest
from benchloom.release.publication.target import Step, Target, open_target, read_publication

__all__ = [
    "Step",
    "Target",
    "open_target",
    "plan_publication",
    "publish",
]


def plan_publication(
    release: Path, target: Target, further: Sequence[AnyGate] = ()
) -> tuple[Manifest, list[Step]]:
    """List the steps that would publish a release, in order, without changing the target.

    The last step sends the manifest.

    Raises RunError if the target rejects the credentials, before the gates run, and GateError if a
    gate fails or the target has a different release of this version.
    """
    target.check_identity()
    publication = read_publication(release, further)
    return publication.manifest, target.plan(publication)


def publish(
    release: Path,
    target: Target,
    report: Callable[[Step], None] | None = None,
    further: Sequence[AnyGate] = (),
) -> list[Step]:
    """Publish a release, verify every file and return the completed steps.

    `report` is called with each completed step. Raises as `plan_publication` does, and GateError if
    the published files differ.
    """
    target.check_identity()
    publication = read_publication(release, further)
    with under_way(f"publish {target.name}", len(publication.files), "files") as progress:

        def report_step(step: Step) -> None:
            progress.advance()
            if report is not None:
                report(step)

        return target.send(publication, report_step)
