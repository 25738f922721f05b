"""The command `benchloom review`: a person accepts, rejects or rewords texts in a browser."""

from typing import TYPE_CHECKING, Annotated

import msgspec
from typer import Option

from benchloom.core.errors import NothingReadError, extra
from flows.commands._help import Commands
from flows.commands.options import DEFAULT_WORKSPACE, Json, Port, ReleaseChoice, Workspace, finish

if TYPE_CHECKING:
    from flows.explorer.open_release import OpenRelease

GROUP = Commands()


class ReviewAddress(msgspec.Struct, frozen=True, kw_only=True):
    """The address of the review pages; `--json` prints this as soon as browsers can connect."""

    command: str
    release: str
    address: str
    log: str
    texts: int
    answered: int


@GROUP.command("review")
def review(
    release: ReleaseChoice = None,
    by: Annotated[str, Option(metavar="NAME", help="Pseudonym of the reader.")] = "reader",
    count: Annotated[
        int | None, Option(min=1, help="Number of texts to read; if absent, --width decides.")
    ] = None,
    width: Annotated[
        float,
        Option(
            min=0.01,
            max=0.5,
            help="Half width of the confidence interval that the share of good texts should have.",
        ),
    ] = 0.1,
    kind: Annotated[str, Option(metavar="KIND", help="Kind of texts to read.")] = "query",
    dropped: Annotated[
        bool, Option("--dropped", help="Also show texts that checks have dropped.")
    ] = False,
    port: Port = 0,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Read texts in the browser, and accept or reject each.

    Answers are stored in `reviews/NAME.jsonl` in the workspace; the same command continues the
    review. Readers do not see the answers of other readers. The next release keeps the texts that
    most readers accept.

    Examples:
        benchloom review --by me
        benchloom review --by me --count 20 --dropped
    """
    from benchloom.core.shares import texts_for
    from benchloom.release.review import REVIEWS, AnswerLog, sample_of
    from benchloom.release.versions import release_folder

    folder = release_folder(release, workspace)
    with extra("explore", "pages of a release"):
        from benchloom.worlds.servers.access import LOOPBACK
        from flows.explorer.open_release import OpenRelease
        from flows.explorer.web.review import REVIEW, Review
        from flows.explorer.web.server import new_token, serve_release
    open_release = OpenRelease(folder)
    try:
        texts = _texts(open_release, kind, dropped=dropped)
        if not texts:
            raise NothingReadError(
                f"{folder} contains no text of the kind '{kind}'; its kinds are: "
                f"{', '.join(_kinds(open_release, dropped=dropped)) or 'no texts'}"
            )
        log = AnswerLog(workspace / REVIEWS, by)
        try:
            queue = Review(log, sample_of(texts, count or texts_for(width)))
            secret = new_token()

            def ready(at: int) -> None:
                summary = ReviewAddress(
                    command="review",
                    release=str(folder),
                    address=f"http://{LOOPBACK}:{at}{REVIEW}?token={secret}",
                    log=str(log.path),
                    texts=len(queue.queries),
                    answered=len(queue.answered()),
                )
                line = (
                    f"{summary.texts} of {len(texts)} texts, {summary.answered} of them answered, "
                    f"at {summary.address} (press Ctrl-C to stop)"
                )
                finish(summary, [line], as_json=json)

            serve_release(open_release, ready, port=port, token=secret, review=queue)
        finally:
            log.close()
    finally:
        open_release.close()


def _texts(release: "OpenRelease", kind: str, *, dropped: bool) -> list[str]:
    if not release.has("queries"):
        return []
    rows = release.ask(
        "SELECT query_id FROM queries WHERE kind = ? AND (kept OR ?) ORDER BY query_id",
        [kind, dropped],
    )
    return [row["query_id"] for row in rows]


def _kinds(release: "OpenRelease", *, dropped: bool) -> list[str]:
    """Return the kinds of texts in a release that people can review, such as `query`."""
    if not release.has("queries"):
        return []
    rows = release.ask("SELECT DISTINCT kind FROM queries WHERE kept OR ? ORDER BY kind", [dropped])
    return [row["kind"] for row in rows]
