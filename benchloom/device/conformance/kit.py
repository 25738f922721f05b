"""Write test cases for implementations of Apple Shortcuts, and compare their results.

The test cases are shortcuts that test themselves, and examples of single actions.
"""

import json
import plistlib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records import Shortcut
from benchloom.device.answers import from_plain
from benchloom.device.items import plain
from benchloom.device.runs import run, run_action

_UNKNOWN = ("$made", "$thing")
"""Marks of values that only this device can return: simulated answers, and rows of its apps."""
_CONTENT = "$content"
_PASSED = ("passed",)
_ENCODE = msgspec.json.Encoder(order="deterministic").encode
_README = """# Conformance of shortcuts

The folder `shortcuts/` contains shortcuts that test themselves: each returns the text `passed`, or
a description of the failure. The file `examples.jsonl` contains an example of an action in each
line. Its fields are `identifier`, `parameters` as in the files of shortcuts, `input`, the expected
`output`, and `source`, which is the page of Apple's guide that describes the action, or `guess`.
A parameter `{"$content": [...]}` is the content of a variable. A date is written as `$date`, a URL
as `$url`, a formatted text as `$html`, and a file as `$file`.

Write the outputs of your implementation to a file RESULTS of the form
`{"system": "NAME", "results": {CASE: [OUTPUT, ...]}}`. A case is the name of a file in `shortcuts/`
without its extension, or the `name` of an example. Compare the file with the expected outputs by
`benchloom device conformance RESULTS`. On a Mac, sign the shortcuts with `shortcuts sign` before
you import them.
"""


class ExampleCase(msgspec.Struct, frozen=True):
    """An example of an action, with an input and the expected output.

    `source` is the page of Apple's guide that describes the output, or `guess`. A parameter
    `{"$content": [...]}` is the content of a variable; other parameters are as in a shortcut file.
    """

    name: str
    identifier: str
    parameters: dict[str, object]
    input: tuple[object, ...]
    output: tuple[object, ...]
    source: str

    def run(self) -> tuple[object, ...]:
        """Return the output of the action on this device."""
        parameters = {
            name: tuple(map(from_plain, value[_CONTENT]))
            if isinstance(value, dict) and _CONTENT in value
            else value
            for name, value in self.parameters.items()
        }
        output = run_action(self.identifier, parameters, tuple(map(from_plain, self.input)))
        return tuple(map(plain, output))


class Check(msgspec.Struct, frozen=True):
    """A shortcut that tests itself, and returns `passed` or a description of the failure.

    `workflow` is the content of the shortcut's file.
    """

    name: str
    workflow: dict[str, Any]


class Difference(msgspec.Struct, frozen=True):
    """A case whose output differs from the expected output."""

    name: str
    expected: tuple[object, ...]
    output: tuple[object, ...]


class Conformance(msgspec.Struct, frozen=True):
    """The result of comparing the outputs of a system with the expected outputs.

    `equal` counts the cases with the expected output, and `missing` the cases without results.
    """

    system: str
    cases: int
    equal: int
    missing: int
    differences: tuple[Difference, ...]


class Results(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of results, which maps the name of each test case to the output of a system."""

    system: str
    results: dict[str, tuple[Any, ...]]


def checks() -> list[Check]:
    """Return the shortcuts that test themselves."""
    lines = files(__package__).joinpath("checks.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Check) for line in lines]


@cache
def all_examples() -> tuple[ExampleCase, ...]:
    """Return all examples of all actions, including those that only this device can pass."""
    lines = files(__package__).joinpath("examples.jsonl").read_bytes().splitlines()
    return tuple(msgspec.json.decode(line, type=ExampleCase) for line in lines)


def examples() -> Iterator[ExampleCase]:
    """Yield the examples of all actions, except those that only this device can pass."""
    for case in all_examples():
        values = str((case.parameters, case.input, case.output))
        if not any(mark in values for mark in _UNKNOWN):
            yield case


def own_results(parse: Callable[[bytes], Shortcut]) -> Results:
    """Run all cases on the simulated device; `parse` converts the bytes of a file to a shortcut."""
    results = {
        check.name: run(parse(json.dumps(check.workflow).encode())).output for check in checks()
    }
    results |= {case.name: case.run() for case in examples()}
    return Results("this device", results)


def read_results(path: Path) -> Results:
    """Read a file of results.

    Raises:
        RunError: the file does not contain results.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Results)
    except (msgspec.DecodeError, RecursionError) as error:
        raise RunError(
            f'{path}: {error}. Write {{"system": NAME, "results": {{CASE: [OUTPUT, ...]}}}}'
        ) from error


def compare_results(results: Results) -> Conformance:
    """Compare results with the expected outputs.

    Raises:
        RunError: the results contain an unknown case.
    """
    expected: dict[str, tuple[object, ...]] = {
        **{check.name: _PASSED for check in checks()},
        **{example.name: example.output for example in examples()},
    }
    if unknown := sorted(results.results.keys() - expected.keys()):
        raise RunError(f"results: unknown case {unknown[0][:100]!r}; --out DIR writes all cases")
    differences = tuple(
        Difference(name, output, results.results[name])
        for name, output in expected.items()
        if name in results.results and _ENCODE(output) != _ENCODE(results.results[name])
    )
    missing = len(expected.keys() - results.results.keys())
    equal = len(expected) - missing - len(differences)
    return Conformance(results.system, len(expected), equal, missing, differences)


def write_kit(folder: Path) -> None:
    """Write the cases for other implementations: files of shortcuts, and a file of examples."""
    (folder / "shortcuts").mkdir(parents=True, exist_ok=True)
    for check in checks():
        data = plistlib.dumps(check.workflow)
        (folder / "shortcuts" / f"{check.name}.shortcut").write_bytes(data)
    lines = b"".join(_ENCODE(example) + b"\n" for example in examples())
    (folder / "examples.jsonl").write_bytes(lines)
    (folder / "README.md").write_text(_README, encoding="utf-8")
