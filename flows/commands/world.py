"""The commands `benchloom world list`, `load` and `replay`, for suites of executable worlds."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from typer import Argument, Option

from benchloom.core.errors import NothingReadError, RunError
from flows.commands._help import SUITES, Commands
from flows.commands.options import DEFAULT_WORKSPACE, Json, Paths, Workspace, finish

if TYPE_CHECKING:
    from benchloom.worlds.suite import Difference, Replay

GROUP = Commands(
    """Build, list, serve and replay executable worlds.

    Examples:
        benchloom world build everyday --count 20
        benchloom world serve everyday
    """
)


_MAX_SHOWN = 20
_Suite = Annotated[
    str, Argument(metavar="SUITE", help="Name of a world suite, from the list below.")
]


class SuiteSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A suite, a kind of executable world, as `world list --json` prints it.

    `starts` are the names of initial states that were loaded. `tools` counts the world's tools, or
    is None if the tools depend on the initial state. `loads` says whether `world load` reads files
    for the suite, and `replays` whether `world replay` can replay dialogues.
    """

    suite: str
    about: str
    starts: tuple[str, ...]
    tools: int | None
    loads: bool
    replays: bool


class ListSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `world list --json` prints."""

    command: str
    suites: tuple[SuiteSummary, ...]


class LoadSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `world load --json` prints.

    `reasons` maps reasons to numbers of rejected objects.
    """

    command: str
    suite: str
    out: str
    objects: int
    starts: int
    tools: int | None
    reasons: dict[str, int]


class ReplaySummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `world replay --json` prints.

    `calls` counts calls that can be replayed, `excluded` calls that cannot. `reasons` maps reasons
    to numbers of differences and of excluded calls.
    """

    command: str
    suite: str
    dialogues: int
    dialogues_equal: int
    calls: int
    calls_equal: int
    excluded: int
    reasons: dict[str, int]


@GROUP.command("list")
def list_suites(json: Json = False, workspace: Workspace = DEFAULT_WORKSPACE) -> None:
    """List suites, their tools, and the starts (initial states) loaded from your files.

    Examples:
        benchloom world list
        benchloom world list --json
    """
    from benchloom.worlds.suites import SUITES

    suite_summaries = tuple(_suite_summary(name, workspace) for name in SUITES.names())
    lines = []
    for suite_summary in suite_summaries:
        tools = "" if suite_summary.tools is None else f", {suite_summary.tools} tools"
        lines.append(f"{suite_summary.suite}{tools}: {suite_summary.about}")
        lines += [f"  {name}" for name in suite_summary.starts[:_MAX_SHOWN]]
        if len(suite_summary.starts) > _MAX_SHOWN:
            lines.append(f"  and {len(suite_summary.starts) - _MAX_SHOWN} more starts")
        if suite_summary.loads and not suite_summary.starts:
            lines.append(
                f"  no start (initial state) yet: benchloom world load {suite_summary.suite} DIR"
            )
    finish(ListSummary(command="world list", suites=suite_summaries), lines, as_json=json)


def _suite_summary(name: str, workspace: Path) -> SuiteSummary:
    from benchloom.worlds.suites import SUITES
    from benchloom.worlds.world_files import loaded_starts

    member = SUITES.find(name)
    starts = loaded_starts(workspace, name)
    return SuiteSummary(
        suite=name,
        about=member.about,
        starts=tuple(starts),
        tools=_tools(name, starts),
        loads=member.load is not None,
        replays=member.replay is not None,
    )


def _tools(name: str, starts: Mapping[str, str]) -> int | None:
    """Count the tools of a suite's world; return None if they depend on the initial state.

    The initial state is the only one in `starts`, or the built-in one if `starts` is empty.
    """
    from benchloom.worlds.suites import SUITES

    member = SUITES.find(name)
    if len(starts) > 1:
        return None
    try:
        return len(member.world(next(iter(starts.values()), "{}")).tools)
    except RunError:
        if starts:
            raise
        return None


@GROUP.command("load", no_args_is_help=True, lists=SUITES)
def load(
    suite: _Suite,
    inputs: Paths,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Read the databases or definitions of a suite from your files.

    The files become starts (initial states) of the suite's worlds.

    Examples:
        benchloom world load api-bank api-bank.zip
        benchloom world load api-bank api-bank.zip --json
    """
    from benchloom.worlds.world_files import load_suite, loaded_starts, starts_folder
    from flows.stages.suite_tables import as_tables

    with as_tables(suite, inputs) as tables:
        mark = load_suite(suite, inputs, workspace, tables)
    starts = loaded_starts(workspace, suite)
    summary = LoadSummary(
        command="world load",
        suite=suite,
        out=str(starts_folder(workspace, suite)),
        objects=mark.objects,
        starts=len(starts),
        tools=_tools(suite, starts),
        reasons=mark.reasons,
    )
    lines = [f"{summary.starts} starts of {suite} from {summary.objects} files in {summary.out}"]
    lines += [f"  rejected {count}: {reason}" for reason, count in summary.reasons.items()]
    if summary.reasons:
        lines.append(f"  {summary.out}/rejected.json lists each with its reason")
    finish(summary, lines, as_json=json)


@GROUP.command("replay", no_args_is_help=True, lists=SUITES)
def replay(
    suite: _Suite,
    inputs: Paths,
    differences: Annotated[
        Path | None, Option(metavar="FILE", help="File for all differences, as JSON lines.")
    ] = None,
    json: Json = False,
) -> None:
    """Replay recorded dialogues in a world, and list results that differ.

    Examples:
        benchloom world replay sgd sgd/
        benchloom world replay sgd sgd/ --differences differences.jsonl
    """
    from benchloom.worlds.replay import replay_suite, total_of
    from flows.stages.suite_tables import as_tables

    with as_tables(suite, inputs) as found_in:
        replays = list(replay_suite(suite, found_in))
    total = total_of(replays)
    all_differences = [difference for run in replays for difference in run.differences]
    if differences is not None:
        _write(differences, all_differences)
    if not total.dialogues:
        reason_counts = ", ".join(f"{count} {reason}" for reason, count in total.reasons.items())
        raise NothingReadError(
            f"no dialogue of {suite} under {', '.join(map(str, inputs))} ({reason_counts}); pass "
            f"the folder of the dataset"
        )
    summary = ReplaySummary(
        command="world replay",
        suite=suite,
        dialogues=total.dialogues,
        dialogues_equal=total.dialogues_equal,
        calls=total.calls,
        calls_equal=total.calls_equal,
        excluded=total.excluded,
        reasons=dict(total.reasons),
    )
    finish(summary, _replay_lines(total, all_differences), as_json=json)


def _replay_lines(total: "Replay", differences: "list[Difference]") -> list[str]:
    calls = f"{total.calls_equal} of {total.calls} calls; {total.excluded} calls excluded"
    lines = [f"{total.dialogues_equal} of {total.dialogues} dialogues equal, {calls}"]
    lines += [f"  {count} {reason}" for reason, count in total.reasons.items()]
    for difference in differences[:_MAX_SHOWN]:
        lines.append(f"{difference.place} {difference.tool}: {difference.reason}")
        lines += [f"  recorded {difference.recorded[:200]}", f"  found    {difference.found[:200]}"]
    if len(differences) > _MAX_SHOWN:
        lines.append(
            f"and {len(differences) - _MAX_SHOWN} more: --differences FILE writes all of them"
        )
    return lines


def _write(path: Path, differences: "list[Difference]") -> None:
    from benchloom.storage.workspace import write_file

    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(
        path, b"".join(msgspec.json.encode(difference) + b"\n" for difference in differences)
    )
