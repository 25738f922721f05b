"""The command `benchloom demo`: it runs the whole pipeline on bundled data, without network."""

import time
from functools import partial
from pathlib import Path

from benchloom.core.data_files import data_path
from benchloom.core.progress import say, under_way
from flows.commands._help import Commands
from flows.commands.options import Json, Workspace, finish

GROUP = Commands()


@GROUP.command("demo")
def demo(json: Json = False, workspace: Workspace = Path("demo-output")) -> None:
    """Build a release from the bundled demo world.

    Examples:
        benchloom demo
        benchloom demo --workspace other-folder --json
    """
    from flows.console.output import starting

    with starting("demo"):
        from benchloom.storage.workspace import stage_folder
        from demo.replica.capture import capture_demo_world
        from flows.commands.rebuild import load, summary_of
        from flows.configuration import CrawlOptions, PublishOptions, read_configuration
        from flows.console.summary import closing_lines
        from flows.engine.command_runs import run_flow

    start = time.perf_counter()
    say("benchloom demo: the whole pipeline on the bundled demo world")
    file = data_path("demo", "rebuild.toml")
    configuration = read_configuration(file)
    captures = workspace.resolve() / "captures"
    if not captures.is_dir():
        say("crawling the replica of the sharing sites on loopback")
        with under_way("demo crawl"), stage_folder(captures, "demo-captures") as folder:
            capture_demo_world(folder)
    sources = configuration.sources.model_copy(update={"captures": str(captures)})
    # Regardless of the environment, the demo contacts no site and publishes nothing.
    changes = {"sources": sources, "crawl": CrawlOptions(), "publish": PublishOptions()}
    configuration = configuration.model_copy(update=changes)
    folder = run_flow(workspace, partial(load, file, workspace.resolve(), configuration))
    summary = summary_of("demo", folder, start)
    lines = [f"The release is in {folder}: {sum(summary.rows.values())} rows"]
    if summary.closing is not None:
        lines += ["", *closing_lines(summary.closing, folder)]
    lines += [
        "",
        "Next:",
        f"  benchloom explore {folder}",
        f"  benchloom release export {folder} --format trl --out rows-to-train-on",
        f"  python -c \"import benchloom; print(benchloom.load('{folder}').pandas('shortcuts'))\"",
    ]
    finish(summary, lines, as_json=json)
