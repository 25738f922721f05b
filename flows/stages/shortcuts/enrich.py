"""The stage `enrich` redacts shortcuts, and adds clusters of near duplicates, splits, languages.

Only the shortcuts of this stage may leave the workspace.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from benchloom.core.identity import hex_of
from benchloom.core.records import Shortcut
from benchloom.normalise.redaction import redact_shortcut
from benchloom.normalise.shortcuts.fingerprints import read_fingerprints
from benchloom.normalise.shortcuts.languages import languages_of
from benchloom.normalise.shortcuts.leakage import refuse_leakage
from benchloom.normalise.shortcuts.near_duplicates import Anchors, shared_anchors
from benchloom.normalise.shortcuts.splits import find_exclusions, split_of
from flows.run.each import EachShortcut
from flows.run.finished import FinishedStage
from flows.run.output import Output
from flows.run.reads import rows_of
from flows.run.stage import Stage
from parsers.shortcuts.wording import describe_workflow


def prepare(normalised: FinishedStage, fingerprints: FinishedStage) -> Stage[Anchors, Path]:
    """Build the stage from normalised shortcuts and their fingerprints."""
    rows = EachShortcut(Shortcut, ("shortcuts",), enrich, anchors_of)
    return Stage(
        name="enrich-shortcuts",
        subject="normalised/enriched",
        reads=rows_of(normalised, "shortcuts"),
        also=[fingerprints.key],
        tables=("shortcuts",),
        shared=lambda: shared_anchors(read_fingerprints(fingerprints.path)),
        make=rows,
        concerns=rows.concern,
        close=partial(write_rejected, normalised.path, fingerprints.path),
        balance=("shortcuts",),
    )


def anchors_of(anchors: Anchors, ids: Sequence[str]) -> list[str]:
    """Return the first member of each shortcut's cluster, or "" for a shortcut without cluster."""
    return [anchors.get(shortcut_id, "") for shortcut_id in ids]


def enrich(anchors: Anchors, shortcut: Shortcut) -> Shortcut:
    """Return the shortcut redacted, with its cluster, split and languages, as it may be published.

    `anchors` maps a shortcut's id to the first member of its cluster of near duplicates.
    """
    anchor = anchors.get(shortcut.shortcut_id)
    return msgspec.structs.replace(
        redact_shortcut(shortcut, describe_workflow),
        languages=languages_of(shortcut),
        near_duplicate_cluster=f"cluster:sha256:{hex_of(anchor)}" if anchor else None,
        split=split_of(anchor or shortcut.shortcut_id),
        evaluation=False,  # until definitions are joined
        evaluation_reasons=find_exclusions(shortcut, None, {}),
    )


def write_rejected(normalised: Path, fingerprints: Path, anchors: Anchors, output: Output) -> None:
    """Write the rejected rows of earlier stages, and a report of leaks between splits.

    Raises:
        GateError: equal or near duplicates are in different splits.
    """
    output.copy("rejected", normalised)
    refuse_leakage(output.folder, read_fingerprints(fingerprints), anchors)
