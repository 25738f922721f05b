"""Publish a release to a folder, a store or the Hub. Readers see all of it or nothing.

Only files that are missing or differ are sent. Every sent file is read back, and the last step
makes the release visible. If a publication was interrupted, the same command continues it.
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
    """Return the manifest and the steps that would publish a release, without changing the target.

    The last step sends the manifest. `further` lists additional checks of the release. Raises
    RunError if the target rejects the credentials; this is tested before the checks run. Raises
    GateError if a check fails or if the target has a different release of this version.
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
    """Publish a release, verify every sent file, and return the completed steps.

    `report` is called with each completed step. Raises the errors of `plan_publication`, and
    GateError if the published files differ.
    """
    target.check_identity()
    publication = read_publication(release, further)
    with under_way(f"publish {target.name}", len(publication.files), "files") as progress:

        def report_step(step: Step) -> None:
            progress.advance()
            if report is not None:
                report(step)

        return target.send(publication, report_step)
