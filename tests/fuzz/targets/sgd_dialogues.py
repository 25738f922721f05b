"""Fuzz files of SGD dialogues in both modes; no undamaged dialogue may be lost or changed."""

from functools import cache, partial
from pathlib import Path

import msgspec

from benchloom.core.records import PlanningPath, Rejected
from benchloom.core.records.planning_path import Mode
from parsers.dialogues.conversion.converter import Converter
from parsers.dialogues.provenance.name_mode import published_apis
from parsers.dialogues.sgd.schema import Schema, build_schema, read_schema
from parsers.dialogues.sgd.services import Service
from tests.fuzz import Target
from tests.fuzz.rows import store_rows
from tests.fuzz.trees import mutate_json

DEMO = Path(__file__).resolve().parents[3] / "demo" / "sgd"
MODES: tuple[Mode, ...] = ("flow", "name")
WORDS = (
    b"{", b"}", b"[", b"]", b"],", b"},{", b",", b'"', b"\\", b"null", b'{"dialogue_id": "',
    b'{"dialogue_id": "1_00000", "turns": []}', b'"service_call": {}', b'"frames": [', b"[]",
    b'"canonical_values": []', b"\xef\xbb\xbf", b'"USER"', b'"SYSTEM"', b"\\u0000", b"1e999",
)  # fmt: skip


def accepts(data: bytes) -> bool:
    """Return whether a file may contain dialogues."""
    return data.lstrip()[:1] == b"[" and b'"dialogue_id"' in data


def seeds() -> list[bytes]:
    """Return the demo's dialogues, three in a file, because small files make many mutants."""
    files: list[bytes] = []
    for path in sorted(DEMO.glob("*/dialogues_*.json")):
        members = msgspec.json.decode(path.read_bytes(), type=list[msgspec.Raw])
        for start in range(0, len(members), 3):
            dialogues = [bytes(member).strip() for member in members[start : start + 3]]
            files.append(b"[\n" + b",\n".join(dialogues) + b"\n]\n")
    return files


def services() -> tuple[Service, ...]:
    """Return the services of all splits, and for each name its first declaration."""
    services_by_name = {
        service.service_name: service
        for split in ("test", "dev", "train")
        for service in read_schema((DEMO / split / "schema.json").read_bytes()).services
    }
    return tuple(services_by_name.values())


@cache
def _schema() -> Schema:
    return build_schema(services())


@cache
def _converter(mode: Mode) -> Converter:
    return Converter(_schema(), mode, "train", published_apis(_schema(), _schema()))


@cache
def _expected_plans() -> dict[bytes, tuple[str, list[PlanningPath]]]:
    """Return the id and the plans in both modes by the bytes of every dialogue with calls."""
    plans_by_dialogue = {}
    for data in seeds():
        for raw in msgspec.json.decode(data, type=list[msgspec.Raw]):
            dialogue = bytes(raw).strip()
            rows = [_convert(b"[" + dialogue + b"]", mode)[0] for mode in MODES]
            plans = [row for row in rows if isinstance(row, PlanningPath)]
            if len(plans) == len(MODES) and b'"service_call"' in dialogue:
                plans_by_dialogue[dialogue] = (plans[0].source_id, plans)
    return plans_by_dialogue


def _convert(data: bytes, mode: Mode) -> list[object]:
    return list(_converter(mode).convert(data, "mutant.json"))


def read(data: bytes) -> int:
    """Convert in both modes and check that undamaged dialogues still give their plans."""
    rows_by_mode = {mode: _convert(data, mode) for mode in MODES}
    rows = 0
    for mode_rows in rows_by_mode.values():
        plans = [row for row in mode_rows if isinstance(row, PlanningPath)]
        refused = [
            Rejected("convert", "mutant.json", row.reason, row.message)  # type: ignore[attr-defined]  # the row is a rejection
            for row in mode_rows
            if not isinstance(row, PlanningPath)
        ]
        rows += store_rows("planning_paths", plans) + store_rows("rejected", refused)
    for dialogue, (name, expected_plans) in _expected_plans().items():
        if dialogue in data:
            for mode, plan in zip(MODES, expected_plans, strict=True):
                if plan not in rows_by_mode[mode]:
                    raise AssertionError(
                        f"dialogue {name} is undamaged, but {mode} mode lost its plan"
                    )
    return rows


TARGET = Target("sgd-dialogues", seeds, read, partial(mutate_json, words=WORDS), accepts=accepts)
