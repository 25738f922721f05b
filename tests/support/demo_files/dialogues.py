"""Write `demo/sgd/` from hand-written dialogues, in SGD's own layout.

A source turn contains a text and, for each service, its acts. This script adds what SGD writes in
full: acts with surface and canonical values, spans, and the state of every user frame. `keep` adds
values to the state that the user accepted, and `forget` removes values. Run this script after
editing a source: `python -m tests.support.demo_files.dialogues`.
"""

import json
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "tests/data/demo_files/dialogues"
OUT = ROOT / "demo/sgd"
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
    """Return the content of a split's `schema.json`."""
    return [
        {
            "service_name": name,
            "description": services[name]["description"],
            "slots": [slot(key, slot_spec) for key, slot_spec in services[name]["slots"].items()],
            "intents": [
                intent(key, intent_spec) for key, intent_spec in services[name]["intents"].items()
            ],
        }
        for name in names
    ]


def slot(name: str, slot_spec: str | list[Any]) -> Json:
    """Return a slot of the schema from a description, or from a description and its values."""
    description, values = (slot_spec, []) if isinstance(slot_spec, str) else slot_spec
    return {
        "name": name,
        "description": description,
        "is_categorical": bool(values),
        "possible_values": values,
    }


def intent(name: str, intent_spec: Json) -> Json:
    """Return an intent of the schema with SGD's keys."""
    return {
        "name": name,
        "description": intent_spec["description"],
        "is_transactional": intent_spec.get("transactional", False),
        "required_slots": intent_spec.get("required", []),
        "optional_slots": intent_spec.get("optional", {}),
        "result_slots": intent_spec["results"],
    }


def variant(services: list[Json], names: Json, label: str) -> list[Json]:
    """Return the services under other names at the same positions, as SGD-X has them."""

    def new_name(name: str) -> str:
        return str(names.get(name, f"{name}_{label}"))

    return [
        {
            "service_name": service["service_name"] + label[1:],
            "description": service["description"],
            "slots": [
                {**base_slot, "name": new_name(base_slot["name"])} for base_slot in service["slots"]
            ],
            "intents": [
                {
                    **base_intent,
                    "name": names.get(base_intent["name"], f"{base_intent['name']}{label.upper()}"),
                    "required_slots": [new_name(key) for key in base_intent["required_slots"]],
                    "optional_slots": {
                        new_name(k): v for k, v in base_intent["optional_slots"].items()
                    },
                    "result_slots": [new_name(key) for key in base_intent["result_slots"]],
                }
                for base_intent in service["intents"]
            ],
        }
        for service in services
    ]


def dialogue(name: str, source: list[Json]) -> Json:
    """Return a dialogue; every user turn about a service adds to the state of that service."""
    state: dict[str, dict[str, list[str]]] = {}
    active: dict[str, str] = {}
    turns = [turn(source_turn, state, active) for source_turn in source]
    services = dict.fromkeys(frame["service"] for sgd_turn in turns for frame in sgd_turn["frames"])
    return {"dialogue_id": name, "services": list(services), "turns": turns}


def turn(source: Json, state: dict[str, dict[str, list[str]]], active: dict[str, str]) -> Json:
    """Return a turn with a frame for each of its services; update the state of the services."""
    speaker = "user" if "user" in source else "system"
    text = source[speaker]
    frames = []
    for service, frame_source in source.items():
        if service == speaker:
            continue
        frame: Json = {
            "actions": actions(frame_source),
            "service": service,
            "slots": spans(frame_source, text),
        }
        if "call" in frame_source:
            ((method, parameters),) = frame_source["call"].items()
            frame["service_call"] = {"method": method, "parameters": texts(parameters)}
            frame["service_results"] = [texts(row) for row in frame_source["results"]]
        if speaker == "user":
            active[service] = frame_source.get("intent", active.get(service, "NONE"))
            values = state.setdefault(service, {})
            for slot_name, value in {
                **frame_source.get("inform", {}),
                **frame_source.get("keep", {}),
            }.items():
                values[slot_name] = [pair(value)[0]]
            for slot_name in frame_source.get("forget", []):
                values.pop(slot_name, None)
            requested_slots = frame_source.get("request", [])
            frame["state"] = {
                "active_intent": active[service],
                "requested_slots": list(requested_slots),
                "slot_values": {key: list(value) for key, value in sorted(values.items())},
            }
        frames.append(frame)
    return {"frames": frames, "speaker": speaker.upper(), "utterance": text}


def actions(frame_source: Json) -> list[Json]:
    """Return the acts of a frame in SGD's form."""
    frame_actions = []
    for key, act in ACTS.items():
        content = frame_source.get(key)
        if isinstance(content, dict):
            for name, value in content.items():
                surface, canonical = pair(value)
                frame_actions.append(action(act, name, [surface], [canonical]))
        elif isinstance(content, list):
            frame_actions += [action(act, name, [], []) for name in content]
        elif content:
            frame_actions.append(action(act, "", [], []))
    if "intent" in frame_source:
        frame_actions.append(
            action("INFORM_INTENT", "intent", [frame_source["intent"]], [frame_source["intent"]])
        )
    return frame_actions


def action(act: str, name: str, values: list[str], canonical: list[str]) -> Json:
    """Return a dialogue act in SGD's form."""
    return {"act": act, "canonical_values": canonical, "slot": name, "values": values}


def spans(frame_source: Json, text: str) -> list[Json]:
    """Return the start and end of every value in the text."""
    slot_spans = []
    for key in ("inform", "offer", "confirm"):
        for name, value in frame_source.get(key, {}).items():
            start = text.find(pair(value)[0])
            if start >= 0:
                end = start + len(pair(value)[0])
                slot_spans.append({"exclusive_end": end, "slot": name, "start": start})
    return slot_spans


def pair(value: Any) -> tuple[str, str]:
    """Return the surface and the canonical form of a value; a single value serves as both."""
    if isinstance(value, list):
        return str(value[0]), str(value[1])
    return str(value), str(value)


def texts(values: Json) -> dict[str, str]:
    """Return the values as texts, because YAML reads a bare date as a date."""
    return {name: str(value) for name, value in sorted(values.items())}


def write(path: Path, content: Any) -> None:
    """Write a JSON file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def main(out: Path = OUT) -> None:
    """Write the schema and the dialogues of every split, and the schemas of the variants."""
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
