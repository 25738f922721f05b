"""Check that other libraries take the exports: `datasets` loads and OpenAI's client sends them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from openai import OpenAI
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from pydantic import TypeAdapter

from benchloom.core.records import StepArgument
from benchloom.exchange.examples import Argument, Call, Example, Turn
from benchloom.exchange.examples.distractors import Distraction
from benchloom.exchange.examples.example import Result
from benchloom.exchange.examples.releases import Choice
from benchloom.exchange.formats import FORMATS, WritingOptions
from flows.stages.export import export_release
from tests.benchloom.exchange.examples.sample import BOOK, FIND, example
from tests.benchloom.normalise.plans.sample import plan, search
from tests.support.formats import export
from tests.support.llm.server import LlmServer
from tests.support.samples.plan_release import plan_release, plans

COUNTS = {"train": 4, "validation": 2, "test": 2}
RECORDED = msgspec.structs.replace(
    example(),
    example_id="recorded",
    request="Find a table",
    calls=tuple(
        msgspec.structs.replace(call, result=Result({"name": "Casa Ibarra"}, why))
        for call, why in zip(example().calls, (None, "full"), strict=True)
    ),
    turns=(Turn("user", "Find a table", 0), Turn("user", "Book it", 1), Turn("assistant", "No", 2)),
)


def find_call(city: Any) -> Call:
    return Call("Bistros", "Find", (Argument("city", city),), FIND.definition_id)


def examples_of_mixed_types(count: int) -> list[Example]:
    """Return examples whose argument has another type in each."""
    kinds: list[Any] = ["text", 5, 1.5, True, None, [1, "a"], {"k": [None]}, [], {}]
    return [
        msgspec.structs.replace(
            example(),
            example_id=str(number),
            request="Find",
            calls=(
                Call(
                    "Bistros",
                    "Find",
                    (Argument("city", kinds[number % len(kinds)]),),
                    FIND.definition_id,
                ),
            ),
        )
        for number in range(count)
    ]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plan_release(tmp_path_factory.mktemp("r") / "release", list(plans(8)))


@pytest.mark.parametrize("name", ["trl", "sharegpt", "hermes", "verl"])
def test_datasets_library_loads_the_export(name: str, release: Path, tmp_path: Path) -> None:
    from datasets import load_dataset  # type: ignore[import-untyped]  # the package has no types

    distraction = Distraction(2, "random")
    export_release(release, name, tmp_path / "e", Choice(), distraction=distraction)
    loaded = load_dataset(str(tmp_path / "e"), cache_dir=str(tmp_path / "cache"))
    assert {split: rows.num_rows for split, rows in loaded.items()} == COUNTS
    row = loaded["test"][0]
    if name == "trl":
        call = row["messages"][1]["tool_calls"][1]["function"]
        assert call == {"name": "Bistros__Book", "arguments": {"name": "$call_0.name$"}}
        assert len(row["tools"]) == 4
    elif name == "sharegpt":
        info = json.loads((tmp_path / "e" / "dataset_info.json").read_bytes())
        assert {entry["file_name"] for entry in info.values()} == {
            f"{split}.jsonl" for split in COUNTS
        }
        assert set(info["benchloom_test"]["columns"].values()) <= row.keys()
    elif name == "verl":
        extra = row["extra_info"]
        truth = json.loads(row["reward_model"]["ground_truth"])
        assert [call["name"] for call in truth] == ["Bistros__Find", "Bistros__Book"]
        used = {
            tool: tool_options
            for tool, tool_options in extra["tools_kwargs"].items()
            if tool_options is not None
        }
        assert len(used) == 4
        assert json.loads(used["Bistros__Book"]["create_kwargs"]["ground_truth"]) == [
            {"name": "$call_0.name$"}
        ]
        assert set(used["Bistros__Book"]) == {
            "create_kwargs", "execute_kwargs", "calc_reward_kwargs", "release_kwargs",
        }  # fmt: skip
        assert extra["need_tools_kwargs"] is True
        assert (extra["split"], extra["index"]) == ("test", 0)
        assert row["prompt"] == [{"role": "user", "content": "Find a table and book it."}]
        assert [tool["function"]["name"] for tool in json.loads(extra["tools"])] == sorted(used)


@pytest.mark.parametrize("name", ["trl", "sharegpt", "hermes", "verl"])
def test_arguments_of_any_type_are_loaded(name: str, tmp_path: Path) -> None:
    """Export more rows than a reader samples before it decides on types."""
    from datasets import load_dataset

    mixed_examples = examples_of_mixed_types(1200)
    export(name, tmp_path / "e", *mixed_examples)
    kind = "parquet" if list((tmp_path / "e").glob("*.parquet")) else "json"
    files = str(tmp_path / "e" / ("test.parquet" if kind == "parquet" else "test.jsonl"))
    rows = load_dataset(kind, data_files=files, split="train", cache_dir=str(tmp_path / "cache"))
    assert rows.num_rows == 1200
    if name == "trl":
        cities = [
            row["messages"][1]["tool_calls"][0]["function"]["arguments"]["city"] for row in rows
        ]
        plain = [mixed_example.calls[0].arguments[0].value for mixed_example in mixed_examples]
        expected_cities = [
            "5" if isinstance(value, int) and not isinstance(value, bool) else value
            for value in plain
        ]
        assert cities == expected_cities


def openai_lines(folder: Path, *source_examples: Example) -> list[dict[str, Any]]:
    export("openai", folder, *source_examples)
    return [json.loads(line) for line in (folder / "test.jsonl").read_bytes().splitlines()]


def test_openai_types_accept_every_line(tmp_path: Path) -> None:
    adapter = TypeAdapter(CompletionCreateParamsNonStreaming)
    step = msgspec.structs.replace(search(), arguments=(StepArgument("city", "literal", "ü\n"),))
    lines = openai_lines(tmp_path / "e", RECORDED, example(plan(step)), *examples_of_mixed_types(9))
    assert len(lines) == 11
    for line in lines:
        request = {"model": "any", "messages": line["messages"], "tools": line["tools"]}
        completion_params = adapter.validate_python(request, strict=True, extra="forbid")
        assert len(list(completion_params["messages"])) == len(line["messages"])
        ids = Counter(call["id"] for m in line["messages"] for call in m.get("tool_calls", ()))
        assert set(ids.values()) == {1}
        answered_ids = [m["tool_call_id"] for m in line["messages"] if m["role"] == "tool"]
        assert set(answered_ids) <= ids.keys()
        for message in line["messages"]:
            for call in message.get("tool_calls", ()):
                assert isinstance(json.loads(call["function"]["arguments"]), dict)


def test_openai_client_sends_every_line(tmp_path: Path) -> None:
    lines = openai_lines(tmp_path / "e", RECORDED, *examples_of_mixed_types(3))
    with (
        LlmServer(fixed="Done").running() as server,
        OpenAI(base_url=server.url, api_key="k") as client,
    ):
        for line in lines:
            answer = client.chat.completions.create(
                model="any", messages=line["messages"], tools=line["tools"], max_tokens=9
            )
            assert answer.choices[0].message.content == "Done"
    assert sum(server.billing.seen.values()) == len(lines)


def test_recorded_results_follow_their_calls(tmp_path: Path) -> None:
    (line,) = openai_lines(tmp_path / "e", RECORDED)
    assert [message["role"] for message in line["messages"]] == [
        "user", "assistant", "tool", "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert json.loads(line["messages"][2]["content"]) == {"name": "Casa Ibarra"}
    assert json.loads(line["messages"][5]["content"]) == {
        "exception": "full",
        "output": {"name": "Casa Ibarra"},
    }
    assert BOOK.api in line["messages"][4]["tool_calls"][0]["function"]["name"]


@pytest.mark.parametrize("source_example", [example(), RECORDED], ids=["planned", "recorded"])
def test_sharegpt_alternates_person_and_model(source_example: Example) -> None:
    member = FORMATS.find("sharegpt")
    line = json.loads(member.line(source_example)[0])  # type: ignore[attr-defined]  # only formats of lines are listed
    speakers = [turn["from"] for turn in line["conversations"]]
    assert len(speakers) % 2 == 0
    assert set(speakers[::2]) <= {"human", "observation"}
    assert set(speakers[1::2]) <= {"gpt", "function_call"}


@pytest.mark.parametrize("source_example", [example(), RECORDED], ids=["planned", "recorded"])
def test_adp_call_ids_join_actions_and_later_observations(
    source_example: Example, tmp_path: Path
) -> None:
    export("adp", tmp_path / "e", source_example, options=WritingOptions("mine", "1.0.0"))
    line = json.loads((tmp_path / "e" / "test.jsonl").read_bytes())
    assert set(line) == {"schema_version", "id", "content", "available_custom_tools", "details"}
    actions = [step for step in line["content"] if step["class_"] == "api_action"]
    last_class: dict[str, str] = {}
    for number, step in enumerate(line["content"]):
        call_id = step.get("tool_call_id")
        if step["class_"] == "api_action":
            following = line["content"][number + 1 :]
            assert (call_id is not None) == any(
                later_step["class_"] == "text_observation" for later_step in following
            )
        if call_id is not None:
            assert last_class.get(call_id) != "text_observation"
            assert (call_id in last_class) == (step["class_"] == "text_observation")
            last_class[call_id] = step["class_"]
    assert set(last_class.values()) <= {"text_observation"}
    assert len(actions) == 2
    metadata = json.loads((tmp_path / "e" / "metadata.json").read_bytes())
    tool_names = [tool["function"]["name"] for tool in metadata["custom_tools"]]
    assert (
        tool_names
        == line["available_custom_tools"]
        == sorted(action["function"] for action in actions)
    )
