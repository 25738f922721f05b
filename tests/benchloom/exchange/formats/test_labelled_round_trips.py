"""Tests of round trips through NESTFUL and AppBench: each difference is reported as a loss."""

import json
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from benchloom.core.records import Rejected
from benchloom.core.records.values import Value
from benchloom.exchange.examples import Argument, Call, Composed, Example, Ref
from benchloom.exchange.examples.plans import arguments_of
from benchloom.exchange.foreign.specifications import call_name
from benchloom.storage.inputs import SourceObject, list_objects
from tests.benchloom.exchange.examples.sample import DEFINITIONS, example
from tests.benchloom.exchange.foreign.sample import FIND, GOOD, TOOLS, call, record
from tests.benchloom.exchange.formats.generated import examples, export_objects, read
from tests.support.formats import reader, stored_object
from tests.support.shared_data import shared_file
from tests.support.soak import samples

NAMES = ("nestful", "nestful-v2", "appbench")
QUICK = settings(
    max_examples=samples(20, 60), deadline=None, suppress_health_check=list(HealthCheck)
)


def without_origin(example: Example) -> Example:
    """Return an example without the files from which it and its tools were read."""
    definitions = tuple(
        msgspec.structs.replace(definition, source_uri="", source_digest="", sources=())
        for definition in example.definitions
    )
    return msgspec.structs.replace(example, definitions=definitions, source_uri="")


def contents(example: Example) -> object:
    """Return request, answer and calls by their written names."""
    calls = [
        (
            call_name(example_call.app, example_call.api),
            example_call.returns,
            arguments_of(dict(_pairs(example_call))),
        )
        for example_call in example.calls
    ]
    return example.request, example.answer, calls


def _pairs(call: Call) -> list[tuple[str, Value]]:
    return [(argument.name, argument.value) for argument in call.arguments]


@pytest.mark.parametrize("name", NAMES)
def test_example_read_twice_stays_equal(name: str) -> None:
    @given(examples())
    @QUICK
    def check_example(source_example: Example) -> None:
        with tempfile.TemporaryDirectory() as folder:
            first, _ = export_objects(name, Path(folder) / "a", source_example)
            (first_copy,) = read(name, first)
            second, kinds = export_objects(name, Path(folder) / "b", first_copy)
            (second_copy,) = read(name, second)
            if "repaired" not in kinds:
                assert without_origin(second_copy) == without_origin(first_copy)
            assert kinds <= {"repaired"}

    check_example()


@pytest.mark.parametrize("name", NAMES)
def test_every_loss_is_reported(name: str) -> None:
    @given(examples(recorded=False))
    @QUICK
    def check_example(source_example: Example) -> None:
        with tempfile.TemporaryDirectory() as folder:
            objects, kinds = export_objects(name, Path(folder) / "a", source_example)
            (copied_example,) = read(name, objects)
        if not kinds - {"no_answer", "definition", "offered_tools", "tools", "reference_mode"}:
            expected_example = msgspec.structs.replace(source_example, answer=copied_example.answer)
            assert contents(copied_example) == contents(expected_example)
            assert copied_example.split == source_example.split

    check_example()


@pytest.mark.parametrize("name", NAMES)
def test_sample_example_keeps_its_calls(name: str, tmp_path: Path) -> None:
    source_example = msgspec.structs.replace(example(), request="Book a table in Lomm", split="dev")
    objects, kinds = export_objects(name, tmp_path / "a", source_example)
    (copied_example,) = read(name, objects)
    assert [_pairs(example_call) for example_call in copied_example.calls] == [
        _pairs(example_call) for example_call in source_example.calls
    ]
    assert (copied_example.request, copied_example.split, copied_example.source_id) == (
        source_example.request,
        "dev",
        source_example.source_id,
    )
    allowed = {
        "nestful": {"supplied", "no_answer"},
        "nestful-v2": {"supplied"},
        "appbench": {"tools", "reference_mode", "published_name"},
    }
    assert kinds == allowed[name]


def source_file(content: object, name: str = "sea-data.json") -> SourceObject:
    return stored_object(name, json.dumps(content).encode())


def test_references_of_every_kind_are_read() -> None:
    full_record = record(
        "Book it twice",
        FIND,
        call("Ferries.Book", "var2", ferry="$var1.port.name$", seats="2 * $var1.stops[0].id$"),
        call("Ferries.Book", "var3", ferry=["$var2$", {"of": "$var1.ferry_id$"}]),
        tickets="$var2.ticket$ and $var3.ticket$",
    )
    (parsed_example,) = read(
        "nestful", [source_file([full_record]), source_file(TOOLS, "sea-spec.json")]
    )
    assert parsed_example.calls[1].arguments == (
        Argument("ferry", Ref(0, "port.name")),
        Argument("seats", Composed(("2 * ", Ref(0, "stops", "[0].id")))),
    )
    assert parsed_example.calls[2].arguments == (
        Argument("ferry", [Ref(1), {"of": Ref(0, "ferry_id")}]),
    )
    assert parsed_example.answer == {
        "tickets": Composed((Ref(1, "ticket"), " and ", Ref(2, "ticket")))
    }
    assert parsed_example.findings == ()


def test_repeated_or_undefined_labels_are_findings() -> None:
    record_with_repeated_label = record(
        "Book it",
        {**FIND, "label": "var1"},
        call("Ferries.Book", "var1", ferry="$var1.ferry_id$"),
        ticket="$var1.ticket$",
        other="$var2.ticket$",
    )
    (parsed_example,) = read("nestful", [source_file([record_with_repeated_label])])
    assert parsed_example.calls[1].arguments == (Argument("ferry", Ref(0, "ferry_id")),)
    assert parsed_example.answer == {"ticket": Ref(1, "ticket"), "other": "$var2.ticket$"}
    assert [(finding.kind, finding.message) for finding in parsed_example.findings] == [
        ("repeated_label", "var1"),
        ("undefined_label", "var2"),
    ]


def test_json_texts_of_tools_and_calls_are_decoded() -> None:
    tools = [{**TOOLS[1], "output_parameter": {"ticket": {"type": "string"}}}, TOOLS[0]]
    calls = [{**FIND, "label": "$var_1"}, call("Ferries.Book", "$var_2", ferry="$var_1.ferry_id$")]
    full_record = {
        "sample_id": "s1",
        "input": "Book",
        "output": json.dumps(calls),
        "tools": json.dumps(tools),
        "gold_answer": ["T1", None],
    }
    (parsed_example,) = read("nestful-v2", [source_file([full_record])])
    assert [definition.api for definition in parsed_example.definitions] == [
        "Ferries.Find",
        "Ferries.Book",
    ]
    assert parsed_example.calls[1].arguments == (Argument("ferry", Ref(0, "ferry_id")),)
    assert (parsed_example.answer, parsed_example.source_id) == (["T1", None], "s1")


def test_tools_of_equal_name_are_a_finding() -> None:
    tools = [TOOLS[1], {**TOOLS[1], "description": "Another"}]
    full_record = {**GOOD, "tools": tools, "gold_answer": 3}
    (parsed_example,) = read("nestful-v2", [source_file([full_record])])
    assert [finding.kind for finding in parsed_example.findings] == ["repeated_tool"]


def appbench_output(**changes: object) -> dict[str, object]:
    base_output: dict[str, object] = {
        "used_app": ["Ferries", "Ferries"],
        "used_api": [{"find": {"from": "Lomm, #to='x'", "to": "Aru"}}, {"book": {"id": "7"}}],
        "result_arguments": [["id", "to"], ["ticket"]],
        "api_results": [
            "id, to = find(#from='Lomm, #to='x'', #to='Aru')",
            "ticket = book(#id=id)",
        ],
        "middle_arguments": ["id", "ticket", "to"],
        "user_aware_arguments": {"from": "Lomm, #to='x'", "to": "Aru"},
    }
    return {**base_output, **changes}


def test_published_records_are_read_with_or_without_wrapper() -> None:
    plain = {"input": "Book", "output": appbench_output()}
    wrapped = {
        "id": "sm/1",
        "type": "SM",
        "sources": [{"split": "train"}, [{"split": "test"}]],
        "record": plain,
    }
    first, second = read("appbench", [source_file([plain, wrapped])])
    for parsed_example in (first, second):
        assert parsed_example.calls[0].arguments == (
            Argument("from", "Lomm, #to='x'"),
            Argument("to", "Aru"),
        )
        assert parsed_example.calls[1].arguments == (Argument("id", Ref(0, "id"), "7"),)
        assert (parsed_example.reference_mode, parsed_example.findings) == ("name", ())
    assert (first.source_id, first.split) == ("sea-data/1", "")
    assert (second.source_id, second.split) == ("sm/1", "test")


@pytest.mark.parametrize(
    ("changes", "kinds"),
    [
        ({"api_results": ["id, to = find()", "ticket = book(#id=id)"]}, ["result_text_differs"]),
        (
            {"result_arguments": [["to"], ["ticket"]]},
            ["result_text_differs", "undefined_label"],
        ),
        ({"used_app": ["Ferries", "Trains"]}, ["wrong_category"]),
    ],
)
def test_contradicting_parts_of_a_record_are_findings(
    changes: dict[str, object], kinds: list[str]
) -> None:
    full_record = {
        "dialogue_id": "1",
        "split": "",
        "category": "SM",
        "output": appbench_output(**changes),
    }
    (parsed_example,) = read("appbench", [source_file([full_record])])
    assert [finding.kind for finding in parsed_example.findings] == kinds


def test_lists_of_different_lengths_are_rejected() -> None:
    (row,) = reader("appbench").read(
        [source_file([{"output": appbench_output(used_app=["Ferries"])}])]
    )
    assert isinstance(row, Rejected)
    assert (row.reason, row.source_uri) == ("wrong_shape", "sea-data.json#record 1")


def test_service_definition_has_its_published_name() -> None:
    cars = msgspec.structs.replace(
        DEFINITIONS["Bistros.Find"], app="RentalCars_2", api="RentalCars_2.GetCarsAvailable"
    )
    assert tuple(reader("appbench").names_of(cars)) == ("Rents.getcarsavailable",)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "file", "count", "forced"),
    [
        ("nestful", "peers.zip", 131, 2),
        ("nestful-v2", "peers.zip", 4, 0),
        ("appbench", "appbench_gold_sample.json", 73, 0),
    ],
)
def test_archive_records_survive_a_round_trip(
    name: str, file: str, count: int, forced: int, tmp_path: Path
) -> None:
    from contextlib import ExitStack

    member = reader(name)
    with ExitStack() as stack:
        archive_objects = list_objects([shared_file(file)], stack)
        recognised_objects = [
            source_object
            for source_object in archive_objects
            if member.recognises(source_object.source_uri, source_object.read()[:65536])
        ]
        first = read(name, recognised_objects)
    assert len(first) == count
    objects, kinds = export_objects(name, tmp_path / "a", *first)
    copies = {copied_example.source_id: copied_example for copied_example in read(name, objects)}
    differ = [
        source_example
        for source_example in first
        if without_origin(copies[source_example.source_id]) != without_origin(source_example)
    ]
    assert len(differ) == forced
    assert kinds == ({"repaired"} if forced else set())
