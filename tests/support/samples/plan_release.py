"""A release of any number of plans, texts and tools, built without a flow."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from benchloom.core.records import ApiDefinition, Dialogue, PlanningPath, Shortcut, Task
from benchloom.core.records.api_definition import EnumValue, Parameter
from benchloom.core.records.texts import Query, Verdict
from benchloom.release.manifest import (
    FORMAT,
    BuildFacts,
    CreatedFrom,
    Manifest,
    ReleaseFile,
    content_digest,
    file_digest,
    write_manifest,
)
from benchloom.storage.tables import write_table
from tests.benchloom.exchange.examples.sample import BOOK, FIND, definition
from tests.benchloom.normalise.plans.sample import booking, plan, search

TOOLS = (
    FIND,
    BOOK,
    *(
        definition(
            app,
            api,
            (
                Parameter("city", "string", "primitive", description=f"Where to {api}"),
                Parameter("n", "string", "enum", enum_values=(EnumValue("1"), EnumValue("2"))),
            ),
            ("city",),
        )
        for app in ("Bistros", "Buses", "Music")
        for api in ("Cancel", "Rate", "Share")
    ),
    definition("Inns", "Find", (), ("name",)),
)
SPLITS = ("train", "train", "validation", "test")


def plans(count: int) -> Iterator[PlanningPath]:
    """Yield plans in all splits; each is a search and a booking of its result."""
    for number in range(count):
        city = f"Lomm {number}"
        first = search()
        city_argument = msgspec.structs.replace(first.arguments[0], value=city)
        steps = (
            msgspec.structs.replace(first, arguments=(city_argument, first.arguments[1])),
            booking(),
        )
        yield plan(*steps, name=str(number), split=SPLITS[number % len(SPLITS)])


def text_of(path: PlanningPath, **changes: object) -> Query:
    query = Query(
        query_id=f"query {path.path_id}",
        target_id=path.path_id,
        kind="instruction",
        text="Find a table and book it.",
        structured=None,
        prompt_digest=None,
        completion_digest=None,
        model=None,
        generator="given",
        tokens_in=0,
        tokens_out=0,
        usd=0,
    )
    return msgspec.structs.replace(query, **changes)


def plan_release(
    folder: Path,
    paths: Sequence[PlanningPath],
    queries: Iterable[Query] | None = None,
    definitions: Iterable[ApiDefinition] = TOOLS,
    dialogues: Iterable[Dialogue] = (),
    *,
    shortcuts: Iterable[Shortcut] = (),
    verdicts: Sequence[Verdict] = (),
    tasks: Sequence[Task] = (),
) -> Path:
    """Write a release of these rows, by default with a text for every plan; return its folder."""
    rows: dict[str, Iterable[msgspec.Struct]] = {
        "planning_paths": paths,
        "queries": [text_of(path) for path in paths] if queries is None else queries,
        "api_definitions": definitions,
        "dialogues": dialogues,
        "shortcuts": shortcuts,
        **({"verdicts": verdicts} if verdicts else {}),
        **({"tasks": tasks} if tasks else {}),
    }
    files = []
    for table, records in rows.items():
        path = folder / table / "unsplit-00000-of-00001.parquet"
        path.parent.mkdir(parents=True)
        count = write_table(table, records, path)
        name = path.relative_to(folder).as_posix()
        files.append(ReleaseFile(
            path=name, bytes=path.stat().st_size, sha256=file_digest(path), table=table, rows=count
        ))  # fmt: skip
    manifest = Manifest(
        format=FORMAT,
        version="0.1.0",
        content_digest=content_digest(tuple(files)),
        created_from=CreatedFrom(sources=(), stages=()),
        files=tuple(files),
        funnel=(),
        made=BuildFacts(at="", benchloom="", commit=None, python="", pyarrow="", system=""),
    )
    write_manifest(folder, manifest)
    return folder
