"""Tools for appointments of patients with doctors."""

import msgspec

from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.databases import Appointment
from benchloom.worlds.suites.api_bank.part import (
    DAY,
    SUCCESS,
    Part,
    fill_from,
    moment,
    need,
    refused,
)
from benchloom.worlds.tool import read_tool, tool

_DIGITS = 8
_SCHEMA = """
CREATE TABLE appointments (
    appointment_id TEXT PRIMARY KEY, patient_name TEXT NOT NULL, date TEXT NOT NULL,
    doctor_name TEXT NOT NULL
) STRICT;
"""


@tool(doctor_name="the doctor's name.")
def AppointmentRegistration(state: State, *, patient_name: str, date: str, doctor_name: str) -> str:
    """Make an appointment with a doctor and return its id."""
    for name in (patient_name, doctor_name):
        need(state, name, ("AppointmentRegistration", 0), "patient and doctor are required")
    day = moment(date, DAY)
    query = "SELECT doctor_name FROM appointments WHERE patient_name = ? AND date = ?"
    rows = state.rows(query, patient_name, day)
    if any(row["doctor_name"] == doctor_name for row in rows):
        raise refused(state, "conflict", ("AppointmentRegistration", 1), "the appointment exists")
    if rows:
        text_key = ("AppointmentRegistration", 2)
        raise refused(state, "conflict", text_key, "the patient has an appointment on this day")
    key = _new_id(state, patient_name, day, doctor_name)
    values = {"patient_name": patient_name, "date": day, "doctor_name": doctor_name}
    state.add("appointments", appointment_id=key, **values)
    return key


@tool()
def CancelRegistration(state: State, *, appointment_id: str) -> str:
    """Cancel an appointment."""
    if not _is_there(state, appointment_id):
        raise refused(state, "not_found", ("CancelRegistration", 0), "no appointment has this id")
    state.remove("appointments", appointment_id=appointment_id)
    return SUCCESS


@tool(new_appointment_date="the day, like 2023-01-31.", new_appointment_doctor="the doctor.")
def ModifyRegistration(
    state: State, *, appointment_id: str, new_appointment_date: str, new_appointment_doctor: str
) -> str:
    """Move an appointment to another day or doctor."""
    if not _is_there(state, appointment_id):
        raise refused(state, "not_found", ("ModifyRegistration", 0), "no appointment has this id")
    need(state, new_appointment_doctor, ("ModifyRegistration", 1), "the doctor's name is missing")
    row = state.row("appointments", appointment_id=appointment_id)
    values = {
        "date": moment(new_appointment_date, DAY),
        "doctor_name": new_appointment_doctor,
    }
    if all(row[name] == value for name, value in values.items()):
        text_key = ("ModifyRegistration", 2)
        raise refused(state, "conflict", text_key, "the appointment has this day and doctor")
    state.change("appointments", {"appointment_id": appointment_id}, **values)
    return SUCCESS


@read_tool()
def QueryRegistration(state: State, *, patient_name: str, date: str) -> dict[str, Appointment]:
    """Find a patient's appointments on a day, by id."""
    query = "SELECT * FROM appointments WHERE patient_name = ? AND date = ? ORDER BY rowid"
    rows = state.rows(query, patient_name.strip(), date.strip())
    if not rows:
        raise refused(state, "not_found", ("QueryRegistration", 0), "no appointment on this day")
    return {str(row["appointment_id"]): msgspec.convert(row, Appointment) for row in rows}


def _is_there(state: State, key: str) -> bool:
    return bool(state.rows("SELECT 1 FROM appointments WHERE appointment_id = ?", key))


def _new_id(state: State, *content: str) -> str:
    number = int(hex_of(digest_of_parts("appointment", content)), 16)
    while True:
        key = f"{number % 10**_DIGITS:0{_DIGITS}}"
        if not _is_there(state, key):
            return key
        number += 1


PART = Part(
    schema=_SCHEMA,
    fill=fill_from("appointments", "appointment_id", lambda databases: databases.appointments),
    tools=globals(),
    descriptions={
        "patient_name": "who comes.",
        "date": "the day, like 2023-01-31.",
        "appointment_id": "its id.",
    },
    drawn_ids={"AppointmentRegistration": ()},
    goals={
        "AppointmentRegistration": "make a doctor's appointment",
        "CancelRegistration": "cancel a doctor's appointment",
        "ModifyRegistration": "move a doctor's appointment",
        "QueryRegistration": "look up a doctor's appointment",
    },
)
