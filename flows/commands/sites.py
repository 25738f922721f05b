"""The command `benchloom sites`: it lists the sites that can be crawled, and their last crawls."""

import msgspec

from flows.commands._help import Commands
from flows.commands.options import DEFAULT_WORKSPACE, Captures, Json, Workspace, finish

GROUP = Commands()


class SiteLine(msgspec.Struct, frozen=True, kw_only=True):
    """A supported site and the state of its newest crawl, as `sites --json` prints them.

    `access` is the way of reading the site, such as `oauth`. `evidence` says how the structure of
    its pages is known. `listings` counts the rows of the newest crawl.
    """

    name: str
    home: str
    access: str
    evidence: str
    closed: bool
    notes: str
    last_outcome: str | None
    last_ended: str | None
    listings: int


class SitesSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `sites --json` prints."""

    command: str
    sites: list[SiteLine]


@GROUP.command("sites")
def sites(
    captures: Captures = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """List the supported sites and the state of their newest crawl.

    Examples:
        benchloom sites
        benchloom sites --json
    """
    from benchloom.storage.inputs import nothing_under, refuse_missing
    from scrapers.crawl.runs import read_state
    from scrapers.sites import SITES

    if captures is not None:
        refuse_missing(captures)
        if not captures.is_dir() or not any(captures.iterdir()):
            raise nothing_under([captures])
    folder = captures or workspace / "captures"
    site_lines: list[SiteLine] = []
    for site in SITES.all().values():
        state = read_state(folder, site.name)
        site_lines.append(
            SiteLine(
                name=site.name,
                home=site.home,
                access=site.access,
                evidence=site.evidence,
                closed=site.closed,
                notes=site.notes,
                last_outcome=state.outcome if state else None,
                last_ended=state.ended if state else None,
                listings=state.listings if state else 0,
            )
        )
    lines = [
        f"{line.name:<18} {line.access:<10} {line.evidence:<9} "
        f"{line.last_outcome or 'never crawled':<14} {line.listings:>6}  {line.home}"
        + (f"  ({line.notes})" if line.notes else "")
        for line in site_lines
    ]
    header = f"{'site':<18} {'access':<10} {'evidence':<9} {'last crawl':<14} {'rows':>6}  home"
    finish(SitesSummary(command="sites", sites=site_lines), [header, *lines], as_json=json)
