"""Pages that commands write: the overlap of two sets, an import, and the board of scores."""

from pathlib import Path

import msgspec

from benchloom.core.records import Rejected
from benchloom.evaluate.audit.mutation import requested_calls
from benchloom.evaluate.audit.report import audit_benchmark
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.board.content import ResultSet, Scored
from benchloom.evaluate.board.page import write_board
from benchloom.evaluate.scoring import evaluate
from benchloom.exchange.examples import Argument, Call, Example, Finding
from benchloom.exchange.examples.imports import ImportedRows
from benchloom.release.descriptions.import_page import write_import_page
from benchloom.release.overlap.report import find_overlap


def write_documents(release: Path, folder: Path) -> list[Path]:
    """Write a page of each kind into a folder and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    find_overlap(release, [release], folder)
    return [folder / "overlap.html", _import(folder), _board(release, folder)]


def _board(release: Path, folder: Path) -> Path:
    """Write a board with two models, of which one is always right and one returns nothing."""
    name = "appbench"
    benchmark = BENCHMARKS.find(name)
    scored = []
    for model, is_right in (("always-right", True), ("a-model-that-says-nothing", False)):
        predictions = folder / f"{model}.jsonl"
        with predictions.open("wb") as file:
            for sample in benchmark.read_gold(release):
                calls, first = requested_calls(sample)
                output = benchmark.output_of(sample, calls[first:]) if is_right else None
                line = {"id": sample.sample_id, "output": output}
                file.write(msgspec.json.encode(line) + b"\n")
        summary = evaluate(name, benchmark, release, predictions, "right")
        summary = msgspec.structs.replace(summary, model=model, cost_usd=1.25, seconds=0.0)
        scored.append(Scored(model, folder, summary))
    return write_board(ResultSet(tuple(scored), (audit_benchmark(name, release, most=50),)), folder)


def _import(folder: Path) -> Path:
    rows = ImportedRows()
    for number in range(12):
        example = Example(
            example_id="",
            target_id="",
            source="nestful",
            source_id=f"r{number}",
            source_uri=f"folder/{'long-name-' * 9}.json",
            request="Find a ferry to Aru for the four of us, and book the cheapest one. " * 3,
            calls=(Call("Ferries", "Find", (Argument("to", "Aru"),)),),
        )
        findings = [Finding("unknown_argument", f"step 0.a{number}"), Finding("cyclic", "round")]
        rows.add(example, findings[: 2 if number == 3 else 1])
    rows.damaged.append(Rejected("import", "folder/one.json", "bad_json", "line 1: not JSON"))
    report = rows.report()
    return write_import_page(
        folder, "NESTFUL", report, {"planning_paths": 12}, rows.damaged, undefined=True
    )
