"""Writes `demo/sgd/`: the hand-written dialogues of `demo/sgd_source/` in SGD's own layout.

A source turn is a text and, for each service, its acts; this script adds what SGD spells out:
acts with surface and canonical values, spans, and the state of every user frame. `keep` puts
values into the state that the user accepted, `forget` takes some out. Run it after editing a
source: `python demo/write_sgd.py`.
"""

import json
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
SOURCE = HERE / "sgd_source"
OUT = HERE / "sgd"
ACTS = {
    "inform": "INFORM",
    "offer": "OFFER",
    "confirm": "CONFIRM",
    "request": "REQUEST",
    "select": "SELECT",
    "affirm": "AFFIRM",
    "alternatives": "REQUEST_ALTS",
    "thanks": "THANK_YOU",
    "success": "NOTIFY_SUCCESS",
    "failure": "NOTIFY_FAILURE",
}
PER_FILE = 8

Json = dict[str, Any]


def schema(services: Json, names: list[str]) -> list[Json]:
    """The `schema.json` of a split."""
    return [
        {
            "service_name": name,
            "description": services[name]["description"],
            "slots": [slot(key, told) for key, told in services[name]["slots"].items()],
            "intents": [intent(key, told) for key, told in services[name]["intents"].items()],
        }
        for name in names
    ]


def slot(name: str, told: str | list[Any]) -> Json:
    """A slot: a description, or a description and its values."""
    description, values = (told, []) if isinstance(told, str) else told
    return {
        "name": name,
        "description": description,
        "is_categorical": bool(values),
        "possible_values": values,
    }


def intent(name: str, told: Json) -> Json:
    """An intent with SGD's own keys."""
    return {
        "name": name,
        "description": told["description"],
        "is_transactional": told.get("transactional", False),
        "required_slots": told.get("required", []),
        "optional_slots": told.get("optional", {}),
        "result_slots": told["results"],
    }


def variant(services: list[Json], names: Json, label: str) -> list[Json]:
    """The same services under other names at the same positions, as SGD-X has them."""

    def renamed(name: str) -> str:
        return str(names.get(name, f"{name}_{label}"))

    return [
        {
            "service_name": service["service_name"] + label[1:],
            "description": service["description"],
            "slots": [{**one, "name": renamed(one["name"])} for one in service["slots"]],
            "intents": [
                {
                    **one,
                    "name": names.get(one["name"], f"{one['name']}{label.upper()}"),
                    "required_slots": [renamed(key) for key in one["required_slots"]],
                    "optional_slots": {renamed(k): v for k, v in one["optional_slots"].items()},
                    "result_slots": [renamed(key) for key in one["result_slots"]],
                }
                for one in service["intents"]
            ],
        }
        for service in services
    ]


def dialogue(name: str, source: list[Json]) -> Json:
    """One dialogue; the state of a service grows with every user turn about it."""
    state: dict[str, dict[str, list[str]]] = {}
    active: dict[str, str] = {}
    turns = [turn(one, state, active) for one in source]
    services = dict.fromkeys(frame["service"] for one in turns for frame in one["frames"])
    return {"dialogue_id": name, "services": list(services), "turns": turns}


def turn(source: Json, state: dict[str, dict[str, list[str]]], active: dict[str, str]) -> Json:
    """One turn with a frame for each service it is about."""
    speaker = "user" if "user" in source else "system"
    text = source[speaker]
    frames = []
    for service, told in source.items():
        if service == speaker:
            continue
        frame: Json = {"actions": actions(told), "service": service, "slots": spans(told, text)}
        if "call" in told:
            ((method, parameters),) = told["call"].items()
            frame["service_call"] = {"method": method, "parameters": texts(parameters)}
            frame["service_results"] = [texts(row) for row in told["results"]]
        if speaker == "user":
            active[service] = told.get("intent", active.get(service, "NONE"))
            values = state.setdefault(service, {})
            for slot_name, value in {**told.get("inform", {}), **told.get("keep", {})}.items():
                values[slot_name] = [pair(value)[0]]
            for slot_name in told.get("forget", []):
                values.pop(slot_name, None)
            asked = told.get("request", [])
            frame["state"] = {
                "active_intent": active[service],
                "requested_slots": list(asked),
                "slot_values": {key: list(value) for key, value in sorted(values.items())},
            }
        frames.append(frame)
    return {"frames": frames, "speaker": speaker.upper(), "utterance": text}


def actions(told: Json) -> list[Json]:
    """The acts of a frame in SGD's form."""
    found = []
    for key, act in ACTS.items():
        content = told.get(key)
        if isinstance(content, dict):
            for name, value in content.items():
                surface, canonical = pair(value)
                found.append(action(act, name, [surface], [canonical]))
        elif isinstance(content, list):
            found += [action(act, name, [], []) for name in content]
        elif content:
            found.append(action(act, "", [], []))
    if "intent" in told:
        found.append(action("INFORM_INTENT", "intent", [told["intent"]], [told["intent"]]))
    return found


def action(act: str, name: str, values: list[str], canonical: list[str]) -> Json:
    """One act."""
    return {"act": act, "canonical_values": canonical, "slot": name, "values": values}


def spans(told: Json, text: str) -> list[Json]:
    """Where the text names a value."""
    found = []
    for key in ("inform", "offer", "confirm"):
        for name, value in told.get(key, {}).items():
            start = text.find(pair(value)[0])
            if start >= 0:
                end = start + len(pair(value)[0])
                found.append({"exclusive_end": end, "slot": name, "start": start})
    return found


def pair(value: Any) -> tuple[str, str]:
    """Surface and canonical form; a single value is both."""
    if isinstance(value, list):
        return str(value[0]), str(value[1])
    return str(value), str(value)


def texts(values: Json) -> dict[str, str]:
    """Values as texts: YAML reads a bare date as a date."""
    return {name: str(value) for name, value in sorted(values.items())}


def write(path: Path, content: Any) -> None:
    """Write one JSON file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def main(out: Path = OUT) -> None:
    """Write every split: schema, dialogues in files of eight, and the variants' schemas."""
    world = yaml.safe_load((SOURCE / "services.yaml").read_text())
    for split, names in world["splits"].items():
        services = schema(world["services"], names)
        write(out / split / "schema.json", services)
        source = yaml.safe_load((SOURCE / f"{split}.yaml").read_text())
        dialogues = [dialogue(name, turns) for name, turns in source.items()]
        for start in range(0, len(dialogues), PER_FILE):
            file = out / split / f"dialogues_{start // PER_FILE + 1:03d}.json"
            write(file, dialogues[start : start + PER_FILE])
        for label, renames in world["variants"].items():
            path = out / "sgd_x" / "data" / label / split / "schema.json"
            write(path, variant(services, renames, label))


if __name__ == "__main__":
    main()
