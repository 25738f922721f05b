"""The cases of a step: one case for each row of the input folder that needs a text."""

from collections.abc import Iterator
from pathlib import Path

from benchloom.core.records import Rejected
from prompts.results.rows import AnyCase
from prompts.steps import AnyStep
from prompts.steps.base import Case, Sampling

NOT_REQUESTED = frozenset(
    {
        "dropped_by_rules",
        "duplicate_target",
        "no_actions",
        "no_chain",
        "no_conversation",
        "no_definitions",
        "no_query",
        "no_source",
        "no_steps",
        "no_template",
        "runs_other_shortcut",
        "too_many_actions",
    }
)
"""Reasons of rows that nobody is asked about; every other reason is that of an unusable reply."""


def distinct_cases(step: AnyStep, folder: Path, sampling: Sampling) -> Iterator[AnyCase | Rejected]:
    """Yield the cases in order; of several rows with the same id only the first is used."""
    seen: set[str] = set()
    for case in step.cases(folder, sampling):
        if isinstance(case, Case):
            if case.target_id in seen:
                yield Rejected(
                    "generate",
                    case.source_uri,
                    "duplicate_target",
                    "an earlier row has this id",
                    case.target_id,
                )
                continue
            seen.add(case.target_id)
        yield case
