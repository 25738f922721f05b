"""A release with a row of every kind, some with hostile texts, for tests of pages."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from benchloom.core.records import Redaction, Shortcut
from benchloom.release.building import ReleaseTable, describe_release, draft_release
from benchloom.release.redacting import LOCAL, Spread
from benchloom.storage.stages import part_path
from benchloom.storage.tables import ColumnDefinition, load_table, write_table
from benchloom.storage.workspace import StageMark
from parsers.shortcuts import parse_shortcut
from tests.support.demo_world import SHORTCUTS

DATA = Path(__file__).parents[2] / "data"
SCRIPT = "<script>document.title='harmed'</script>"
BROKEN_OUT = "\"'><img src=x onerror=document.title='harmed'>"
TURNED = "evil\u202etxt.exe"
TABLE_BREAKER = "a | b\n| c `d` [e](javascript:f) <b>"


def icloud_id(number: int) -> str:
    return f"{number:032x}"


def shortcuts() -> list[Shortcut]:
    """Return the valid shortcuts of the demo world, each with an iCloud id."""
    sound_shortcuts: list[Shortcut] = []
    files = sorted(path for path in SHORTCUTS.iterdir() if path.is_file())
    for number, path in enumerate(files):
        shortcut = parse_shortcut(path.read_bytes(), path.name)
        ids = (icloud_id(number),)
        marked = number % 2 == 0
        sound_shortcuts.append(
            msgspec.structs.replace(
                shortcut,
                icloud_ids=ids,
                split=("train", "validation", "test")[number % 3],
                evaluation=marked,
                evaluation_reasons=() if marked else ("too_long",),
            )
        )
    change = msgspec.structs.replace
    sound_shortcuts[0] = change(sound_shortcuts[0], name=SCRIPT, description=BROKEN_OUT)
    sound_shortcuts[1] = change(
        sound_shortcuts[1], name="Holds a password", redactions=(Redaction("password", 1),)
    )
    sound_shortcuts[2] = change(sound_shortcuts[2], name="天气 | " + TURNED)
    sound_shortcuts[3] = change(
        sound_shortcuts[3], icloud_ids=("javascript:alert(1)",), name="Odd link"
    )
    return sorted(
        sound_shortcuts, key=lambda row: (row.shortcut_id, row.source_digest, row.source_uri)
    )


def listings() -> list[dict[str, Any]]:
    """Return listings of three sites, of which the last must not be shown."""
    sites = ("routine-hub", "share-cuts", "jie-jing")
    rows: list[dict[str, Any]] = [
        {
            "listing_id": f"listing:{number}",
            "site": sites[number % 3],
            "listing_url": f"https://{sites[number % 3]}.example/shortcut/{number}",
            "page_kind": "detail",
            "state": "listed",
            "icloud_id": icloud_id(number),
            "name": f"Shortcut number {number}",
            "description": f"What number {number} is good for",
            "category": ("Weather", "Music", None)[number % 3],
            "categories": [["Weather", "Home"], ["Music"], []][number % 3],
            "updated": f"{2019 + number % 4}-05-01",
            "author_credit": f"Author {number}",
            "position": number,
        }
        for number in range(12)
    ]
    rows[0] |= {"name": SCRIPT, "author_credit": BROKEN_OUT, "category": TABLE_BREAKER}
    rows[0]["categories"] = [TABLE_BREAKER, SCRIPT]
    rows[3] |= {"category": TURNED, "name": "long " * 20_000, "author_credit": "x" * 50_000}
    rows[2] |= {"name": "天气预报", "listing_url": "javascript:alert(1)", "author_credit": None}
    rows[4] |= {"name": "Taken down by its author", "state": "removed"}
    rows[5] |= {"name": "For members only", "member_only": True}
    rows.append(
        rows[6] | {"icloud_id": icloud_id(10**6), "name": "Not in the release", "position": 12}
    )
    return rows


def other_rows(apis: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Return rows of the tables other than shortcuts and listings."""
    steps = [
        {"index": 0, "app": "Buses_1", "api": "FindBus", "returns": ["fare"], "outcome": "ok"},
        {
            "index": 1,
            "app": "Payment_1",
            "api": "MakePayment",
            "outcome": "ok",
            "arguments": [
                {"name": "amount", "kind": "reference", "from_step": 0, "output": "fare"},
                {"name": "receiver", "kind": "literal", "value": SCRIPT, "provenance": "user"},
            ],
        },
    ]
    edges = [{"from_step": 0, "output": "fare", "to_step": 1, "argument": "amount"}]
    return {
        "dialogues": _dialogues(),
        "service_results": _service_results(),
        "api_definitions": [
            {
                "api": api,
                "definition_id": f"definition:{api}",
                "app": "is.workflow.actions",
                "source_kind": "toolkit",
                "title": f"Title of {api}",
                "description": SCRIPT if number == 0 else "What it does",
                "parameters": [{"name": "WFInput", "type_kind": "primitive"}] * (number % 3),
            }
            for number, api in enumerate(apis)
        ],
        "apps": [
            {"app": "is.workflow.actions", "shortcuts": 21, "has_definitions": True},
            {"app": SCRIPT, "shortcuts": 1, "unlocks": 4, "apis_missing": 2},
        ],
        "executions": [
            {
                "shortcut_id": f"shortcut:{number}",
                "outcome": ["finished", "failed", "finished"][number],
                "effects": [{"kind": "shown"}, {"kind": "added reminder"}][: number + 1],
            }
            for number in range(3)
        ],
        "definition_checks": [
            {
                "shortcut_id": f"shortcut:{number}",
                "in_evaluation": number == 0,
                "is_valid": number < 2,
                "exclusions": [[], ["empty"], ["too_long", "empty"]][number],
                "findings": [{"reason": "unknown_action"}] * (number // 2),
                "actions": [
                    {"index": 0, "definition_id": "definition:a"},
                    {"index": 1, "reason": "unknown_api"},
                ],
            }
            for number in range(3)
        ],
        "planning_paths": [
            {
                "path_id": f"path:{number}",
                "source": "sgd",
                "dialogues": [
                    {
                        "source_id": f"{number}_00001",
                        "source_uri": "train/dialogues_001.json",
                        "split": ("train", "dev", "test")[number % 3],
                    }
                ],
                "split": ("train", "validation", "test")[number % 3],
                "category": ("SS", "MM")[number % 2],
                "reference_mode": "flow",
                "steps": steps[: 1 + number % 2],
                "edges": edges if number % 2 else [],
                "parallel_scale": 1,
            }
            for number in range(7)
        ],
        "queries": [
            {
                "query_id": f"query:{number}",
                "target_id": f"path:{number}",
                "kind": ("query", "category")[number % 2],
                "text": SCRIPT if number == 0 else f"Text {number}",
                "kept": number < 3,
                "judged": False,
                "style": ("terse", "spoken", None)[number % 3],
                "split": ("train", "validation", "test", None)[number % 4],
                "category": "Entertainment & Media" if number % 2 else None,
                "model": None if number == 3 else "small-model",
                "generator": "template" if number == 3 else "llm",
                "tokens_in": 10 + number,
                "tokens_out": number,
                "usd": 0.25 * number,
            }
            for number in range(5)
        ],
        "verdicts": [
            {
                "target_id": f"query:{number}",
                "check": ("literals", "leaks")[number % 2],
                "kept": number < 3,
                "reason": "ok" if number < 3 else "missing_literal",
            }
            for number in range(5)
        ],
        "tasks": [
            {
                "task_id": f"task:{number}",
                "suite": "lamps",
                "turns": [SCRIPT if number == 0 else f"Turn lamp {number} on."],
                "calls": [
                    {
                        "tool": ("lamps.find", "lamps.turn")[position],
                        "arguments": "{}",
                        "redundant": number == 1,
                        "origins": [
                            {"argument": "lamp_id", "kind": "result", "place": 0, "told": SCRIPT}
                        ][:position],
                    }
                    for position in range(1 + number % 2)
                ],
                "asked": {"call": 0, "path": "[]"} if number == 2 else None,
                "answer": "7" if number == 2 else None,
                "source": "lamps",
            }
            for number in range(3)
        ],
        "conflicts": [{"api": apis[0], "field": f"parameters.{SCRIPT}.type", "source": "x"}],
        "captures": [
            {"site": "routine-hub", "fetched_at": "2026-01-05T00:00:00Z", "status": 200},
            {
                "site": "share-cuts",
                "fetched_at": "2026-02-05T00:00:00Z",
                "status": 404,
                "offset": 1,
            },
        ],
        "rejected": [
            {"stage": "parse", "source_uri": f"{SCRIPT}.plist", "reason": "truncated"},
            {"stage": "parse", "source_uri": "z.plist", "reason": "truncated"},
        ],
    }


def _dialogues() -> list[dict[str, Any]]:
    """Return dialogues of the plans in `other_rows`."""
    return [
        {
            "dialogue_id": f"dialogue:{number}",
            "source": "sgd",
            "source_id": f"{number}_00001",
            "source_uri": "train/dialogues_001.json",
            "source_split": ("train", "dev", "test")[number % 3],
            "split": ("train", "validation", "test")[number % 3],
            "path_id": None if number == 6 else f"path:{number}",
            "licence": ("CC BY-SA 4.0", "MIT")[number % 2],
            "utterances": [
                {"turn": turn, "text": f"Words {number}", "role": ("user", "assistant")[turn]}
                for turn in range(1 + number % 2)
            ],
            "is_whole": number != 3,
        }
        for number in range(7)
    ]


def _service_results() -> list[dict[str, Any]]:
    """Return results of the first calls of these dialogues."""
    return [
        {
            "dialogue_id": f"dialogue:{number}",
            "source": "sgd",
            "source_id": f"{number}_00001",
            "source_uri": "train/dialogues_001.json",
            "split": ("train", "validation", "test")[number % 3],
            "path_id": f"path:{number}",
            "service": ("Buses_1", SCRIPT)[number % 2],
            "method": "FindBus",
            "outcome": ("ok", "empty", "failed", "ok")[number],
            "rows": [{"rank": rank, "values": "{}"} for rank in range((2, 0, 1, 1)[number])],
            "licence": "CC BY-SA 4.0",
        }
        for number in range(4)
    ]


def full_row(columns: Sequence[ColumnDefinition], row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row with a value for every column."""
    unknown = set(row) - {column.name for column in columns}
    assert not unknown, f"no such columns: {sorted(unknown)}"
    return {column.name: _value(column, row.get(column.name)) for column in columns}


def _value(column: ColumnDefinition, value: Any) -> Any:
    if column.item_type == "struct":
        if column.is_list:
            return [full_row(column.fields, row) for row in value or []]
        return None if value is None and column.nullable else full_row(column.fields, value or {})
    if value is not None or column.nullable:
        return value
    empty = {"string": "", "double": 0.0, "bool": False}
    return [] if column.is_list else empty.get(column.type, 0)


def write_rows(folder: Path, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write the table of a stage, with a value for every column that a row lacks."""
    columns = load_table(table).columns
    full_rows = [full_row(columns, row) for row in rows]
    path = part_path(folder, table, 0)
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(full_rows, schema=load_table(table).arrow_schema()), path)


def build(
    workspace: Path, rows: Mapping[str, Sequence[Mapping[str, Any]]], spread: Spread = LOCAL
) -> Path:
    """Build a release of these rows, and of the demo's shortcuts if there are none among them."""
    stage = workspace / "stage"
    tables = dict(rows)
    if "shortcuts" not in rows:
        write_table("shortcuts", shortcuts(), part_path(stage, "shortcuts", 0))
    for table, table_rows in tables.items():
        write_rows(stage, table, table_rows)
    names = sorted({*tables, "shortcuts"})
    mark = StageMark(
        stage="parse-shortcuts",
        key="stage:test",
        objects=100,
        rows={"shortcuts": 98},
        reasons={"truncated": 2},
    )
    return compose([ReleaseTable(name, stage) for name in names], mark, workspace, spread)


def compose(
    tables: Sequence[ReleaseTable], mark: StageMark, workspace: Path, spread: Spread = LOCAL
) -> Path:
    """Build a release without its gates, because pages must show rows that gates would refuse."""
    folder = workspace / "releases" / "0.1.0"
    folder.mkdir(parents=True)
    describe_release(draft_release(tables, [mark], folder, spread=spread), "0.1.0")
    return folder


def full_release(workspace: Path, spread: Spread = LOCAL) -> Path:
    """Build a release with rows in every table."""
    apis = sorted({action.identifier for row in shortcuts() for action in row.actions})
    return build(workspace, {"listings": listings(), **other_rows(apis)}, spread)
