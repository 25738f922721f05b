"""The flow `publish`, which sends a release to several targets, with one task per target."""

from collections.abc import Sequence
from pathlib import Path

from benchloom.core.errors import BenchloomError, GateError, RunError
from benchloom.core.structs import settle_structs
from benchloom.release.publication import open_target
from benchloom.release.publication import publish as send
from benchloom.release.versions import release_folder
from flows.engine.api import NO_CACHE, flow, task, wait
from flows.engine.artifacts import show_published_asset, show_table
from flows.engine.run_log import run_name
from flows.errors import PublishError
from flows.stages.release import FURTHER_GATES


@task(cache_policy=NO_CACHE, task_run_name="publish-{target}", persist_result=False)
def send_release(release: Path, target: str) -> int:
    """Publish a release to one target and verify the files; return the number of files sent.

    Raises:
        GateError, RunError: the target refuses the release.
    """
    try:
        steps = send(release, open_target(target), further=FURTHER_GATES)
    except OSError as error:
        raise RunError(f"{target}: {error.strerror or error}") from error
    show_published_asset(release, target)
    return sum(step.action == "send" for step in steps)


@flow(name="publish", flow_run_name=run_name("publish {workspace}"))
async def publish(targets: Sequence[str], workspace: Path, release: Path | None = None) -> Path:
    """Publish a release, by default the newest of the workspace; return its folder.

    Raises:
        PublishError: a target failed. The error is raised when all other targets have the release.
        RunError: there is no release.
    """
    folder = release or release_folder(None, workspace)
    settle_structs()
    futures = [send_release.submit(folder, target) for target in targets]
    wait(futures)
    rows: list[dict[str, object]] = []
    faults: dict[str, BaseException] = {}
    for target, future in zip(targets, futures, strict=True):
        sent: int | BaseException = future.result(raise_on_failure=False)
        if isinstance(sent, BaseException):
            faults[target] = sent
        rows.append({"target": target, "outcome": _target_line(target, sent)})
    await show_table("publish", rows, str(folder))
    if faults:
        gate = all(isinstance(fault, GateError) for fault in faults.values())
        lines = [_target_line(target, fault) for target, fault in faults.items()]
        raise PublishError(lines, GateError.exit_code if gate else RunError.exit_code)
    return folder


def _target_line(target: str, sent: int | BaseException) -> str:
    """Return a line about the outcome of publishing to a target.

    An error's message is returned unchanged, because it already names the target.
    """
    if isinstance(sent, GateError):
        return "; ".join((str(sent), *sent.findings))
    if isinstance(sent, BenchloomError):
        return str(sent)
    if isinstance(sent, BaseException):
        return f"{target}: {type(sent).__name__}: {sent}"
    return f"{sent} files sent and verified"
