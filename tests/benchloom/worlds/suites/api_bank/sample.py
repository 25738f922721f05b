"""A tiny copy of API-Bank with databases and dialogues that were written for the tests."""

import json
from collections.abc import Mapping, Sequence
from functools import cache

from benchloom.core.records.values import Plain
from benchloom.storage.inputs import SourceObject
from benchloom.worlds import Session
from benchloom.worlds.suites.api_bank.user_copy import read_databases
from benchloom.worlds.suites.api_bank.world import world
from tests.support.formats import stored_object

ADA = {"username": "ada", "password": "plum-7"}
TOKEN = "t0k3n-ada"
FILES: dict[str, object] = {
    "Account.json": {
        "ada": {"password": "plum-7", "token": TOKEN, "email": "ada@lomm.test"},
        "bo": {"password": "fig-3", "token": "t0k3n-bo", "email": "bo@lomm.test"},
    },
    "Agenda.json": {
        "1": {"content": "Prune", "time": "2023-04-02", "location": "yard", "username": "ada"},
        "2": {"content": "Paint", "time": "2023-04-03", "location": "shed", "username": "bo"},
    },
    "Alarm.json": {"1": {"time": "2023-04-02 06:10:00", "username": "ada"}},
    "Appointments.json": {
        "11112222": {"patient_name": "Cleo", "date": "2023-05-01", "doctor_name": "Dr. Fenn"}
    },
    "Bank.json": {"ada": {"balance": 12.5, "age": 30, "city": "Lomm"}},
    "HealthData.json": {"u1": [{"time": "2023-03-01 08:00:00", "pulse": 61}]},
    "History.json": {
        "02-30": [{"Title": "Odd day", "Date": "1712-02-30", "Description": "It happened once."}]
    },
    "Hotel.json": {
        "4": {
            "hotel_name": "Mill",
            "check_in_time": "2023-04-01",
            "check_out_time": "2023-04-02",
            "room_count": 1,
            "adult_count": 2,
            "child_count": 0,
        }
    },
    "ImageCaptioning.json": [{"url": "http://lomm.test/a.png", "caption": "a heron"}],
    "Meeting.json": {
        "1": {
            "meeting_topic": "Harvest",
            "start_time": "2023-04-05 10:00:00",
            "end_time": "2023-04-05 11:00:00",
            "location": "barn",
            "attendees": ["Dev", "Esi"],
            "username": "ada",
        }
    },
    "QuestionAnswering.json": {
        "http://lomm.test/d.txt": [{"question": "Who grows plums?", "answer": "Ada does."}]
    },
    "Reminder.json": {"1": {"content": "Water", "time": "2023-04-01 07:00:00", "username": "ada"}},
    "Scenes.json": {"dusk": [{"name": "lamp", "description": "the lamp by the door"}]},
    "SearchEngine.json": {
        "raw_documents": [
            {"title": f"About {word}", "url": f"http://lomm.test/{word}", "abstract": text}
            for word, text in (
                ("plums", "Plums grow on trees and are blue."),
                ("herons", "Herons stand in the river."),
                ("mills", "Mills stand at the river and grind."),
                ("boots", "Boots keep feet dry."),
            )
        ]
    },
    "SpeechRecognition.json": {"http://lomm.test/a.wav": "the heron stands"},
    "Stock.json": {"PLUM": {"2023-03-01": 7.25}},
    "Symptom.json": {
        "sore thumb": [{"name": "Splinter", "description": "Wood in it.", "aid": "Pull it out."}]
    },
    "TimeSwitch.json": {"lamp": [{"time": "2023-04-01 20:00:00", "on": True}]},
    "Wiki.json": {
        "grey heron": {"url": "http://lomm.test/h", "summary": "A bird.", "content": "..."}
    },
    "exceptions.json": {
        "GetUserToken": ["Who is that?", "Not the word."],
        "GetAlarm": ["Nothing rings at {time}!"],
        "CheckToken": ["No such token."],
    },
}


def dialogue_turn(text: str, role: str = "User") -> dict[str, Plain]:
    """Return a turn of a dialogue."""
    return {"role": role, "text": text}


def recorded_call(
    name: str, arguments: Mapping[str, Plain], output: Plain, exception: str | None = None
) -> dict[str, Plain]:
    """Return a recorded call with its result or exception."""
    result: dict[str, Plain] = {
        "api_name": name,
        "input": dict(arguments),
        "output": output,
        "exception": exception,
    }
    return {"role": "API", "api_name": name, "param_dict": dict(arguments), "result": result}


def lines(*entries: Mapping[str, Plain]) -> bytes:
    """Return the bytes of a dialogue file with one entry per line."""
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)


def copy_of(
    dialogues: Mapping[str, bytes], changed: Mapping[str, bytes | None] | None = None
) -> list[SourceObject]:
    """Return the files of a copy, with databases replaced or removed (None) by `changed`."""
    files: dict[str, bytes | None] = {
        f"copy/init_database/{name}": json.dumps(content).encode()
        for name, content in FILES.items()
    }
    files |= {f"copy/init_database/{name}": data for name, data in (changed or {}).items()}
    files |= {f"copy/dialogues/{name}": data for name, data in dialogues.items()}
    return [stored_object(name, data) for name, data in sorted(files.items()) if data is not None]


@cache
def start() -> str:
    """Return the initial state of the copy."""
    return read_databases(copy_of({}))


def session() -> Session:
    """Return a session in the world of the copy."""
    return Session(world(start()))


Calls = Sequence[tuple[str, dict[str, Plain], Plain]]
"""Tools, arguments, and outcomes, which are results or the kind and text of a refusal."""
