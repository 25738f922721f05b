"""The command `benchloom explore`: it shows a release in a browser."""

import sys
from typing import Annotated

import msgspec
from typer import Option

from benchloom.core.errors import extra
from flows.commands._help import Commands
from flows.commands.options import DEFAULT_WORKSPACE, Json, Port, ReleaseChoice, Workspace, finish

GROUP = Commands()


class ExplorerAddress(msgspec.Struct, frozen=True, kw_only=True):
    """The address of the running explorer; `--json` prints this as soon as browsers can connect."""

    command: str
    release: str
    version: str
    address: str
    faults: dict[str, str]


@GROUP.command("explore")
def explore(
    release: ReleaseChoice = None,
    port: Port = 0,
    token: Annotated[
        bool,
        Option(
            "--token/--no-token",
            help="Accept only requests with the token in the printed address.",
        ),
    ] = True,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Look at a release in the browser.

    Examples:
        benchloom explore
        benchloom explore 0.1.0 --port 8080
    """
    from benchloom.release.versions import release_folder

    folder = release_folder(release, workspace)
    with extra("explore", "pages of a release"):
        from benchloom.worlds.servers.access import LOOPBACK
        from flows.explorer.open_release import OpenRelease
        from flows.explorer.web.server import new_token, serve_release
    open_release = OpenRelease(folder)
    secret = new_token() if token else ""

    def ready(at: int) -> None:
        summary = ExplorerAddress(
            command="explore",
            release=str(folder),
            version=open_release.manifest.version,
            address=f"http://{LOOPBACK}:{at}/" + (f"?token={secret}" if secret else ""),
            faults={
                table.name: table.fault for table in open_release.tables.values() if table.fault
            },
        )
        lines = [f"benchloom: warning: {name}: {why}" for name, why in summary.faults.items()]
        sys.stderr.write("".join(line + "\n" for line in lines))
        line = f"release {summary.version} at {summary.address} (press Ctrl-C to stop)"
        finish(summary, [line], as_json=json)

    try:
        serve_release(open_release, ready, port=port, token=secret)
    finally:
        open_release.close()
