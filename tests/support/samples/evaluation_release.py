"""A release with samples for every benchmark: plans, dialogues, shortcuts and tasks."""

from pathlib import Path

import msgspec

from benchloom.core.records import Dialogue, PlanningPath, Shortcut
from benchloom.exchange.examples import Result, Turn
from benchloom.exchange.examples.dialogues import Rights, dialogue_of
from benchloom.exchange.examples.plans import example_of
from demo.containers import binary
from demo.drafts import Draft, attachment
from parsers.shortcuts import parse_shortcut
from tests.benchloom.exchange.examples.sample import DEFINITIONS
from tests.support.samples.plan_release import plan_release, plans, text_of
from tests.support.samples.shortcut_tasks import shortcut_tasks

PLANS = 4


def evaluation_release(folder: Path) -> Path:
    """Write a release with plans, dialogues, shortcuts and tasks, and return its folder."""
    paths = list(plans(PLANS))
    shortcuts = [_shortcut(number) for number in range(2)]
    queries = [
        text_of(path, text=f"Where can I eat in Lomm {number}?\nBook it.")
        for number, path in enumerate(paths)
    ]
    queries += [
        text_of(
            paths[0],
            query_id=f"query {number}",
            target_id=row.shortcut_id,
            kind="query",
            text=f"Open page {number} about geese.",
        )
        for number, row in enumerate(shortcuts)
    ]
    return plan_release(
        folder,
        paths,
        queries,
        dialogues=[dialogue_about(path) for path in paths],
        shortcuts=shortcuts,
        tasks=shortcut_tasks(),
    )


def dialogue_about(path: PlanningPath) -> Dialogue:
    example = example_of(path, DEFINITIONS)
    search_result = Result({"name": "Casa Ibarra", "city": "Lomm"})
    booking_result = Result({"name": "Casa Ibarra", "time": "19:00"})
    calls = [
        msgspec.structs.replace(call, result=result)
        for call, result in zip(example.calls, (search_result, booking_result), strict=True)
    ]
    spoken_example = msgspec.structs.replace(
        example,
        calls=tuple(calls),
        turns=(
            Turn("user", f"Where can I eat in {example.calls[0].arguments[0].value}?", 0),
            Turn("assistant", "There is Casa Ibarra.", 1),
            Turn("user", "Book it.", 1),
            Turn("assistant", "It is booked.", 2),
        ),
    )
    return dialogue_of(spoken_example, path.path_id, Rights("CC0", "invented"))


def _shortcut(number: int) -> Shortcut:
    draft = Draft(f"Geese {number}")
    page = draft.add("url", WFURLActionURL=f"https://geese.example/{number}")
    draft.add("getwifi")
    draft.add("openurl", WFInput=attachment(page))
    row = parse_shortcut(binary(draft.build()), f"geese-{number}.shortcut")
    return msgspec.structs.replace(row, split="test", evaluation=True)
