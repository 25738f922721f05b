"""Tests of the import page: counts, ten examples of each kind, and no foreign markup."""

import re
from pathlib import Path

from benchloom.core.records import Rejected
from benchloom.exchange.examples import Argument, Call, Example, Finding
from benchloom.exchange.examples.imports import ImportedRows
from benchloom.release.descriptions.import_page import write_import_page


def import_example(number: int, text: str) -> Example:
    """Return an imported example with one call."""
    return Example(
        example_id="",
        target_id="",
        source="nestful",
        source_id=f"r{number}",
        source_uri="<b>sea</b>.json",
        request=text,
        calls=(Call("Ferries", "Find", (Argument("to", "Aru"),)),),
    )


def write_page(folder: Path, rows: ImportedRows, *, undefined: bool = False) -> str:
    """Write the page of imported rows and return its HTML."""
    report = rows.report()
    counts = {"planning_paths": 0}
    page_path = write_import_page(
        folder, "Import", report, counts, rows.damaged, undefined=undefined
    )
    return page_path.read_text()


def test_page_has_counts_and_ten_examples_of_each_kind(tmp_path: Path) -> None:
    rows = ImportedRows()
    for number in range(12):
        findings = [Finding("unknown_argument", f"step 0.a{number}"), Finding("cyclic", "round")]
        rows.add(import_example(number, "Sail"), findings[: 2 if number == 3 else 1])
    text = write_page(tmp_path, rows)
    assert 'data-figure="findings.unknown_argument">12<' in text
    assert 'data-figure="findings.cyclic">1<' in text
    assert 'data-figure="invalid">12<' in text
    step_numbers = re.findall(r"step 0\.a(\d+)", text)
    assert step_numbers == [str(number) for number in range(10)]


def test_imported_texts_are_escaped_and_redacted(tmp_path: Path) -> None:
    rows = ImportedRows()
    secret = "sk-proj-" + "a1B2c3D4e5F6" * 4
    request = f"<script>alert(1)</script> mail ann.lee@lomm-harbour.com key {secret} \u202e"
    rows.add(import_example(1, request), [Finding("cyclic", "<i>round</i>")])
    rows.damaged.append(Rejected("import", "<u>x</u>", "bad_json", "line 1: <s>"))
    text = write_page(tmp_path, rows, undefined=True)
    for forbidden in ("<script", "<b>sea", "<i>", "<u>", "<s>", secret, "ann.lee", "\u202e"):
        assert forbidden not in text
    assert "--definitions DIR" in text
    assert "src=" not in text
    assert 'href="http' not in text
