"""The databases of API-Bank as typed records.

The JSON of `Databases` is the initial state of API-Bank's world.
"""

from typing import Annotated, Any, TypeAlias

import msgspec

from benchloom.worlds.suite import decode_start

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class Account(msgspec.Struct, frozen=True):
    """A user account; the database is a mapping from user names to accounts."""

    password: str
    token: str
    email: str = ""


class Agenda(msgspec.Struct, frozen=True):
    """A plan of a user."""

    content: str
    time: str
    location: str
    username: str


class Alarm(msgspec.Struct, frozen=True):
    """An alarm of a user."""

    time: str
    username: str


class Reminder(msgspec.Struct, frozen=True):
    """A reminder of a user."""

    content: str
    time: str
    username: str


class Meeting(msgspec.Struct, frozen=True):
    """A meeting that a user has scheduled."""

    meeting_topic: str
    start_time: str
    end_time: str
    location: str
    attendees: list[str]
    username: str


class Appointment(msgspec.Struct, frozen=True):
    """A patient's appointment with a doctor."""

    patient_name: str
    date: str
    doctor_name: str


class Funds(msgspec.Struct, frozen=True):
    """The balance of a user's bank account."""

    balance: float


class Booking(msgspec.Struct, frozen=True):
    """A booking of hotel rooms."""

    hotel_name: str
    check_in_time: str
    check_out_time: str
    room_count: Count
    adult_count: Count
    child_count: Count


class Device(msgspec.Struct, frozen=True):
    """A device of a scene."""

    name: str
    description: str


class Switching(msgspec.Struct, frozen=True):
    """A time at which a device is switched on or off."""

    time: str
    on: bool


class Event(msgspec.Struct, frozen=True, rename="pascal"):
    """A historical event."""

    title: str
    date: str
    description: str


class Image(msgspec.Struct, frozen=True):
    """A picture and its caption."""

    url: str
    caption: str


class Answer(msgspec.Struct, frozen=True):
    """A question about a document, with its answer."""

    question: str
    answer: str


class Disease(msgspec.Struct, frozen=True):
    """A disease that may cause a symptom, and its treatment."""

    name: str
    description: str
    aid: str


class Page(msgspec.Struct, frozen=True):
    """A page in the search engine's results."""

    title: str
    url: str
    abstract: str


class Pages(msgspec.Struct, frozen=True):
    """All pages of the search engine, with the words of each page.

    The words are missing if the user's copy of API-Bank does not contain them.
    """

    raw_documents: list[Page] = []
    tokenized_documents: list[list[str]] = []


class Article(msgspec.Struct, frozen=True):
    """An article of the encyclopaedia."""

    url: str
    summary: str
    content: str = ""


class Databases(msgspec.Struct, frozen=True, rename="pascal", forbid_unknown_fields=True):
    """All databases of a copy of API-Bank; each field has the content of one file.

    The field `health_data` has the content of `HealthData.json`, and so on; only the file
    `exceptions.json`, with the error texts of each tool, has a name in lower case.
    """

    account: dict[str, Account] = {}
    agenda: dict[str, Agenda] = {}
    alarm: dict[str, Alarm] = {}
    appointments: dict[str, Appointment] = {}
    bank: dict[str, Funds] = {}
    health_data: dict[str, list[dict[str, Any]]] = {}
    history: dict[str, list[Event]] = {}
    hotel: dict[str, Booking] = {}
    image_captioning: list[Image] = []
    meeting: dict[str, Meeting] = {}
    question_answering: dict[str, list[Answer]] = {}
    reminder: dict[str, Reminder] = {}
    scenes: dict[str, list[Device]] = {}
    search_engine: Pages = Pages()
    speech_recognition: dict[str, str] = {}
    stock: dict[str, dict[str, float]] = {}
    symptom: dict[str, list[Disease]] = {}
    time_switch: dict[str, list[Switching]] = {}
    wiki: dict[str, Article] = {}
    exceptions: dict[str, list[str]] = {}


_DECODER = msgspec.json.Decoder(Databases)


def databases_of(start: str) -> Databases:
    """Decode the JSON of an initial state; raise `RunError` if the state is invalid."""
    return decode_start(start, _DECODER, "api-bank")
