"""Check the conformance kit, which consists of self-checking shortcuts and action examples."""

import json
import plistlib
import re
from functools import partial
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.device.conformance.kit import (
    Results,
    checks,
    compare_results,
    own_results,
    read_results,
    write_kit,
)
from parsers.shortcuts import parse_shortcut
from tests.support.small_shortcuts import compile_shortcut

SHORTCUTS = Path(__file__).resolve().parents[2] / "data" / "device" / "self_checking.txt"
SECTIONS = SHORTCUTS.read_text(encoding="utf-8").split("\n## ")[1:]
_PARSE = partial(parse_shortcut, source_uri="kit")


def test_kit_checks_match_their_source_text() -> None:
    """If this fails, write the expected lines to `benchloom/device/conformance/checks.jsonl`."""
    expected = {}
    for section in SECTIONS:
        title, _, steps = section.partition("\n")
        name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
        expected[name] = json.loads(compile_shortcut(f"{steps}\noutput passed"))
    assert {check.name: check.workflow for check in checks()} == expected


def test_our_device_passes_every_case_of_the_kit() -> None:
    conformance = compare_results(own_results(_PARSE))
    assert conformance.cases > len(SECTIONS) == 40
    assert (conformance.equal, conformance.differences) == (conformance.cases, ())


def test_another_implementation_is_scored_by_its_results_file(tmp_path: Path) -> None:
    write_kit(tmp_path)
    files = sorted((tmp_path / "shortcuts").iterdir())
    assert plistlib.loads(files[0].read_bytes()) == min(checks(), key=lambda c: c.name).workflow
    example = json.loads((tmp_path / "examples.jsonl").read_text().splitlines()[0])
    results = {files[0].stem: ["passed"], files[1].stem: ["failed: $x is a"]}
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"system": "other", "results": results}))
    conformance = compare_results(read_results(path))
    assert (conformance.system, conformance.equal) == ("other", 1)
    assert [case.name for case in conformance.differences] == [files[1].stem]
    assert conformance.missing == conformance.cases - 2
    assert compare_results(Results("other", {example["name"]: tuple(example["output"])})).equal == 1


@pytest.mark.parametrize("text", ["", "[]", '{"system": "a", "results": {"none": []}}'])
def test_results_file_of_another_form_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(text)
    with pytest.raises(RunError):
        compare_results(read_results(path))
