"""Read the facts of a release from its manifest, shortcuts, texts, verdicts and completions."""

from pathlib import Path

from benchloom.release import Manifest, read_manifest
from flows.console.summary.columns import columns_of
from flows.console.summary.facts import Closing, Spent
from flows.console.summary.tallies import JUDGE_STAGE, tallies
from prompts.steps.faithfulness import JUDGED_STEPS

_PAGES = ("report.html", "sample/index.html")


def closing_of(release: Path) -> Closing:
    """Read the facts about a checked release.

    Raises:
        RunError, GateError: the files of the release cannot be read.
    """
    manifest = read_manifest(release)
    written = {file.path for file in manifest.files}
    return Closing(
        tallies=tallies(release, manifest),
        spent=_spent(release, manifest),
        judged=_judged(release, manifest),
        judge_asked=any(step.stage == JUDGE_STAGE for step in manifest.funnel),
        unjudged=_unjudged(release, manifest),
        pages=tuple(page for page in _PAGES if page in written),
    )


def _judged(release: Path, manifest: Manifest) -> bool | None:
    """Whether a judge gave a verdict on any text; None if there are no texts to judge."""
    is_judged: bool | None = None
    for columns in columns_of(release, manifest, "queries", ["kind", "judged"]):
        for kind, judged in zip(*columns, strict=True):
            if kind in JUDGED_STEPS:
                is_judged = bool(is_judged) or bool(judged)
    return is_judged


def _unjudged(release: Path, manifest: Manifest) -> int:
    """Count the kept model texts, of kinds that can be judged, without a judge's verdict."""
    names = ["kind", "generator", "kept", "judged"]
    return sum(
        kind in JUDGED_STEPS and author == "llm" and bool(is_kept) and not judged
        for columns in columns_of(release, manifest, "queries", names)
        for kind, author, is_kept, judged in zip(*columns, strict=True)
    )


def _spent(release: Path, manifest: Manifest) -> Spent | None:
    """Return the cost of the completions; None if there are none."""
    requests = tokens_in = tokens_cached = tokens_out = 0
    usd = 0.0
    names = ["tokens_in", "tokens_cached", "tokens_out", "usd"]
    for columns in columns_of(release, manifest, "completions", names):
        for prompt_tokens, cached_tokens, completion_tokens, money in zip(*columns, strict=True):
            requests += 1
            tokens_cached += int(str(cached_tokens or 0))
            tokens_in += int(str(prompt_tokens or 0))
            tokens_out += int(str(completion_tokens or 0))
            usd += float(str(money or 0.0))
    if not requests:
        return None
    return Spent(
        requests=requests,
        tokens_in=tokens_in,
        tokens_cached=tokens_cached,
        tokens_out=tokens_out,
        usd=usd,
    )
