"""The model behind the local endpoint, which reads the data block of a prompt and does its task."""

import hashlib
import re
from typing import Any

import msgspec

from prompts.data_block import read_data_block
from prompts.language.words import title_words
from tests.prompts.samples import SAMPLES

_TASK = re.compile(r"^Task: (\S+)$", re.MULTILINE)
_OPENERS = (
    "Could you get this done for me today",
    "I want you to take care of the usual",
    "Would you mind sorting out what I have planned",
    "My evening would be easier if you handled it",
)


def write_reply(fields: dict[str, Any], *, careless: bool = False) -> str:
    """Return the content of a reply to a prompt; a careless reply leaves out values."""
    system, user = fields["messages"][0]["content"], fields["messages"][1]["content"]
    task = _TASK.search(system)
    assert task is not None, "a prompt without a task line"
    data: Any = read_data_block(user)
    name = task.group(1)
    if careless:
        data = data | {"must_mention": []} | _without_details(data)
    if name not in _WRITERS:  # an unknown step is answered with its sample
        return SAMPLES.find(name.partition("/")[0]).replies[0]
    return msgspec.json.encode(_WRITERS[name](data)).decode()


def _without_details(data: Any) -> dict[str, object]:
    return {"services": [entry | {"details": []} for entry in data.get("services", ())]}


def _opener(data: object) -> str:
    digest = hashlib.sha256(msgspec.json.encode(data)).hexdigest()
    words = " ".join(f"word{digest[i : i + 4]}" for i in range(0, 24, 4))
    return f"{_OPENERS[int(digest[:2], 16) % len(_OPENERS)]} with the {words}"


def _query(data: Any) -> dict[str, object]:
    values = " and ".join(entry["value"] for entry in data["must_mention"])
    return {"query": f"{_opener(data)}, and please mind {values or 'nothing else'}?"}


def _category(data: Any) -> dict[str, object]:
    return {
        "category": "Productivity & Utilities",
        "name": "A useful tool",
        "description": f"{_opener(data)} so that the day is easier for you.",
    }


def _parameters(data: Any) -> dict[str, object]:
    judged = [
        {"number": entry["number"], "relation": "stated", "evidence": entry["value"]}
        if entry["value"] in data["request"]
        else {"number": entry["number"], "relation": "absent", "evidence": ""}
        for entry in data["parameters"]
    ]
    return {"parameters": judged}


def _instruction(data: Any) -> dict[str, object]:
    details = dict.fromkeys(
        _detail(entry)
        for service in data["services"]
        for entry in service["details"]
        if entry["from"] == "user"
    )
    services = " and ".join(
        f"the {entry['service']} to {entry['does']}" for entry in data["services"]
    )
    return {"instruction": f"{_opener(data)} using {services} for {' and '.join(details)}."}


def _detail(entry: Any) -> str:
    words = {"yes": f"with {entry['what']}", "no": f"without {entry['what']}"}
    return words.get(entry["value"], f"{entry['what']} {entry['value']}")


def _spoken_name(name: str) -> str:
    """Return a name as people say it, such as "weather" for `Weather_1`."""
    return " ".join(word for word in title_words(name).split() if not word.isdigit())


def _score(data: Any) -> dict[str, object]:
    digest = hashlib.sha256(data["text"].encode()).digest()
    return {"fluency": 5 + digest[0] % 6, "diversity": 7, "why": "A little long."}


def _faithfulness(data: Any) -> dict[str, object]:
    """Judge that a text asks for a call if it contains a word of the call's name."""
    words_of_text = {word.casefold(): word for word in re.findall(r"\w{4,}", data["text"])}

    def judge_call(entry: Any) -> dict[str, object]:
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", entry["call"])
        words = [
            words_of_text[word]
            for word in re.findall(r"\w{4,}", name.casefold())
            if word in words_of_text
        ]
        quote = words[0] if words else ""
        return {"number": entry["number"], "quote": quote, "asked": bool(words)}

    later_values = [
        {"quote": value, "why": "only a service tells it"}
        for value in data["known_only_later"]
        if value in data["text"]
    ]
    calls = [judge_call(entry) for entry in data["calls"]]
    return {"calls": calls, "beyond": [], "misplaced": [], "too_early": later_values, "form": []}


def _calls(apis: Any) -> list[dict[str, object]]:
    """Call every API in order; an argument takes an earlier output of equal name or type."""
    outputs: dict[str, str] = {}
    calls: list[dict[str, object]] = []
    for number, api in enumerate(apis, start=1):
        arguments = [
            {
                "name": parameter["name"],
                "value": outputs.get(parameter["name"])
                or outputs.get(f"type {parameter['type'].casefold()}")
                or next(iter(parameter.get("values", ())), f"Value{number}"),
            }
            for parameter in api.get("parameters", ())
        ]
        calls.append({"name": api["api"], "label": f"var{number}", "arguments": arguments})
        for entry in api.get("returns", ()):
            outputs[entry["name"]] = f"$var{number}.{entry['name']}$"
            if entry["type"].casefold() not in ("string", "boolean", "integer", "number"):
                outputs[f"type {entry['type'].casefold()}"] = outputs[entry["name"]]
    return calls


def _literal_values(calls: list[dict[str, Any]]) -> str:
    values = [a["value"] for call in calls for a in call["arguments"] if "$" not in a["value"]]
    return " and ".join(values) or "nothing else"


def _nested(data: Any) -> dict[str, object]:
    calls = _calls(data["apis"])
    names = " and the ".join(_spoken_name(api["title"]) for api in data["apis"])
    query = f"{_opener(data)} with the {names} for {_literal_values(calls)}?"
    return {"query": query, "calls": calls}


def _domain(data: Any) -> dict[str, object]:
    return {"domain": "daily life", "need": f"a person who says: {_opener(data)}"}


def _apis(data: Any) -> dict[str, object]:
    count = 2 if data["ability"].startswith("Plan") else 1
    return {"apis": [api["api"] for api in data["apis"][:count]]}


def _dialogue_query(data: Any) -> dict[str, object]:
    return {"query": f"{_opener(data)} for {_literal_values(_calls(data['apis']))}?"}


def _dialogue_calls(data: Any) -> dict[str, object]:
    keywords = " ".join(f"{api['title']} {api['api']}" for api in data["apis"])
    calls = _calls(data["apis"])
    return {"keywords": keywords, "calls": calls, "response": "It is all done."}


def _task_dialogue(data: Any) -> dict[str, object]:
    turns = [{"user": turn["user"], "assistant": "All right."} for turn in data["turns"]]
    return {"turns": turns}


def _tester(data: Any) -> dict[str, object]:
    del data
    return {"accepted": True, "why": "All fits."}


_WRITERS = {
    "query": _query,
    "category": _category,
    "parameters": _parameters,
    "instruction": _instruction,
    "instruction_score": _score,
    "faithfulness": _faithfulness,
    "nested": _nested,
    "task_dialogue": _task_dialogue,
    "dialogue/domain": _domain,
    "dialogue/apis": _apis,
    "dialogue/query": _dialogue_query,
    "dialogue/calls": _dialogue_calls,
    "dialogue/tester": _tester,
}
