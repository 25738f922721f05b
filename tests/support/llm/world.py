"""Small inputs for steps of models: shortcuts, planning paths and API definitions."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchloom.core.identity import tagged_digest
from benchloom.core.records import Action, Argument, NeedsInput, Query, Rejected, Shortcut, Verdict
from benchloom.storage.tables import iter_records, write_table
from flows.stages.generate.model import run_model
from flows.stages.generate.outcome import Outcome
from flows.stages.generate.plan import Endpoint, GeneratePlan
from prompts.endpoint.limits import Limits
from tests.support.commands import configure_fork_server

PRICES = "models:\n  test-model: {input: 1.0, output: 4.0, batch: 0.5}\n"
USD_IN, USD_OUT = 1.0, 4.0


def shortcut(
    number: int,
    name: str | None = None,
    description: str | None = None,
    comments: tuple[str, ...] = (),
    literals: tuple[str, ...] | None = None,
) -> Shortcut:
    """Return a shortcut that adds reminders with these titles, different for each number."""
    values = literals if literals is not None else (f"Thing {number}",)
    actions = tuple(
        Action(
            index=index,
            identifier="is.workflow.actions.addnewreminder",
            app="is.workflow.actions",
            depth=0,
            block=None,
            branch=None,
            control=None,
            uuid=None,
            output_name=None,
            arguments=(Argument("WFCalendarItemTitle", "literal", f'"{value}"'),),
        )
        for index, value in enumerate(values or ("",))
    )
    lines = [f"# {comment}" for comment in comments]
    lines += [f'addnewreminder(WFCalendarItemTitle="{value}")' for value in values]
    return Shortcut(
        shortcut_id=tagged_digest("shortcut", f"{number}".encode()),
        canonical_digest=tagged_digest("canonical", f"{number}".encode()),
        source_digest=tagged_digest("file", f"{number}".encode()),
        source_uri=f"made/{number:05d}.plist",
        container="binary",
        icloud_ids=(),
        name=name if name is not None else f"Helper {number}",
        name_source=None,
        description=description,
        client_version=None,
        actions=actions,
        length=len(actions),
        level=1,
        unique_api_count=1,
        action_count=len(actions),
        needs_input=NeedsInput((), (), None, ()),
        oddities=(),
        workflow="\n".join(lines),
    )


def shortcuts_folder(folder: Path, count: int) -> Path:
    """Write the parsed stage of `count` shortcuts and return its folder."""
    write_table("shortcuts", (shortcut(number) for number in range(count)), _shortcuts_path(folder))
    return folder


def write_shortcuts(folder: Path, rows: list[Shortcut]) -> Path:
    """Write the parsed stage of these shortcuts and return its folder."""
    write_table("shortcuts", rows, _shortcuts_path(folder))
    return folder


def _shortcuts_path(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "shortcuts.parquet"


def write_definitions(folder: Path) -> Path:
    """Write API definitions with only the columns that steps read."""

    def parameter(name: str, kind: str, values: tuple[str, ...] = ()) -> dict[str, object]:
        return {
            "name": name,
            "title": None,
            "description": f"the {name}",
            "type": kind,
            "type_kind": "primitive",
            "optional": False,
            "enum_values": [{"value": value.lower(), "title": value} for value in values],
        }

    def definition(
        api: str,
        title: str,
        text: str,
        parameters: list[dict[str, object]],
        returns: list[tuple[str | None, str]],
    ) -> dict[str, object]:
        return {
            "definition_id": f"api:{api}",
            "api": api,
            "app": api.partition(".")[0],
            "title": title,
            "description": text,
            "parameters": parameters,
            "returns": [{"name": name, "type": kind} for name, kind in returns],
        }

    rows = [
        definition(
            "gardens.find",
            "Find Garden",
            "Finds a public garden in a town",
            [parameter("town", "string")],
            [("garden_id", "GardenEntity")],
        ),
        definition(
            "gardens.hours",
            "Opening Hours",
            "Tells when a garden is open",
            [parameter("garden_id", "GardenEntity"), parameter("day", "string", ("Sunday",))],
            [("opens", "string")],
        ),
        definition(
            "gardens.book",
            "Book Tour",
            "Books a guided tour of a garden",
            [parameter("garden_id", "GardenEntity")],
            [("ticket", "TicketEntity")],
        ),
        definition(
            "tickets.cancel",
            "Cancel Ticket",
            "Cancels a ticket",
            [parameter("ticket", "TicketEntity")],
            [(None, "boolean")],
        ),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), folder / "api_definitions.parquet")
    return folder


def write_paths(folder: Path) -> Path:
    """Write two planning paths with only the columns that steps read."""

    def argument(name: str, kind: str, value: str, provenance: str) -> dict[str, object]:
        is_reference = kind == "reference"
        return {
            "name": name,
            "kind": kind,
            "value": value,
            "from_step": 0 if is_reference else None,
            "output": "address" if is_reference else None,
            "provenance": provenance,
        }

    def plan_source(source_id: str, source_uri: str) -> dict[str, object]:
        return {"source_id": source_id, "source_uri": source_uri, "split": "train"}

    table = {
        "app": "Restaurants_2",
        "api": "ReserveRestaurant",
        "arguments": [
            argument("city", "literal", "Nordhafen", "user"),
            argument("time", "literal", "19:30", "user"),
            argument("restaurant_name", "literal", "Blue Heron", "system"),
        ],
        "outcome": "ok",
        "definition_id": "api:Restaurants_2.ReserveRestaurant",
    }
    ride = {
        "app": "RideSharing_1",
        "api": "GetRide",
        "arguments": [argument("destination", "reference", "14 Quay Lane", "result")],
        "outcome": "ok",
        "definition_id": "api:RideSharing_1.GetRide",
    }
    rows = [
        {"path_id": "path:1", "dialogues": [plan_source("d1", "a/1")], "steps": [table, ride]},
        {"path_id": "path:2", "dialogues": [plan_source("d2", "a/2")], "steps": [table]},
    ]
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), folder / "planning_paths.parquet")
    return folder


def price_file(folder: Path) -> Path:
    """Write a price table for `test-model` and return its path."""
    path = folder / "prices.yaml"
    path.write_text(PRICES)
    return path


FAST = Limits(concurrency=32, backoff=0.01, most_backoff=0.05, timeout=10.0)


def plan_for(source: Path, step: str = "query") -> GeneratePlan:
    return GeneratePlan(step=step, source=source, model="test-model")


def endpoint_for(
    work: Path,
    url: str,
    *,
    max_usd: float | None = None,
    limits: Limits = FAST,
    batch: bool = False,
) -> Endpoint:
    return Endpoint(
        log=work / "log.sqlite",
        base_url=url,
        limits=limits,
        prices=price_file(work),
        max_usd=max_usd,
        batch=batch,
        poll_seconds=0.01,
    )


def run_step(plan: GeneratePlan, out: Path, endpoint: Endpoint) -> Outcome:
    return run_model(plan, out, endpoint)


def rows_of(out: Path) -> tuple[list[Query], list[Verdict], list[Rejected]]:
    """Return the rows of the tables of a generated folder."""
    return (
        list(iter_records(out, "queries", Query)),
        list(iter_records(out, "verdicts", Verdict)),
        list(iter_records(out, "rejected", Rejected)),
    )


def table_bytes(out: Path) -> dict[str, bytes]:
    """Return the bytes of the tables of a generated folder by file name."""
    return {path.name: path.read_bytes() for path in sorted(out.glob("*.parquet"))}


def child_context() -> ForkServerContext:
    """Return a context whose child processes start with all modules imported."""
    configure_fork_server()
    return multiprocessing.get_context("forkserver")


def kill_after(process: ForkServerProcess, seconds: float) -> bool:
    """Kill a child after some seconds; return whether it was still running."""
    process.join(seconds)
    if process.exitcode is not None or process.pid is None:
        return False
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    return True


def wait_until(condition: Callable[[], bool], seconds: float = 120.0, every: float = 0.005) -> None:
    """Wait until a condition holds; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(every)
