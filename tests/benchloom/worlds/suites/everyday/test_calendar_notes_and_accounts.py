"""Check conflicts, limits and access codes of calendar, reminders, notes and accounts."""

from benchloom.worlds.everyday.rules import USER
from tests.benchloom.worlds.suites.everyday.support import Visit


def test_busy_events_of_the_start_do_not_overlap(visit: Visit) -> None:
    assert not visit.cells(
        "SELECT a.title, b.title FROM events AS a JOIN events AS b ON a.event_id < b.event_id "
        "WHERE a.busy AND b.busy AND a.start < b.end AND b.start < a.end"
    )
    ((first, last),) = visit.cells("SELECT min(start), max(start) FROM events")
    assert first < "2027-03-03"
    assert last > "2027-04-15"


def test_free_time_is_filled_by_events(visit: Visit) -> None:
    """Every free slot accepts an event, and afterwards no free time is left."""
    day = "2027-03-18"
    slots = visit.call("calendar.find_free_time", date=day, minutes=15)
    assert slots
    for slot in slots:
        event = visit.call("calendar.create_event", title="Busy", **slot)
        overlapping_event = {"title": "Twice", **slot}
        visit.refuses("conflict", "calendar.create_event", **overlapping_event)
        assert visit.refusal("calendar.update_event", event_id=event["event_id"]) is not None
    assert visit.call("calendar.find_free_time", date=day, minutes=15) == []


def test_event_with_invalid_times_is_refused(visit: Visit) -> None:
    make = "calendar.create_event"
    for start, end in (
        ("2027-03-14T10:00", "2027-03-14T11:00"),
        ("2027-04-30T11:00", "2027-04-30T10:00"),
        ("2027-04-30T10:00", "2027-05-02T10:00"),
        ("2027-02-30T10:00", "2027-02-30T11:00"),
    ):
        visit.refuses("invalid_argument", make, title="Odd", start=start, end=end)
    school = {"title": "x", "start": "2027-04-30T10:00", "end": "2027-04-30T11:00"}
    visit.refuses("permission", make, calendar_id="school", **school)


def test_moved_event_keeps_its_duration(visit: Visit) -> None:
    event = visit.call(
        "calendar.create_event", title="Row", start="2027-04-25T06:00", end="2027-04-25T06:45"
    )
    moved = visit.call(
        "calendar.update_event", event_id=event["event_id"], start="2027-04-25T06:30"
    )
    assert (moved["start"], moved["end"]) == ("2027-04-25T06:30", "2027-04-25T07:15")


def test_invitation_sends_a_mail_to_a_present_person(visit: Visit) -> None:
    event_id = visit.call(
        "calendar.create_event", title="Row", start="2027-04-25T06:00", end="2027-04-25T06:45"
    )["event_id"]
    guest = visit.call("calendar.invite", event_id=event_id, person_id="p003")
    assert guest["answer"] == "open"
    mails = visit.call("mail.search_mails", folder_id="sent", query="Invitation: Row")
    assert len(mails) == 1
    repeated_invitation = {"event_id": event_id, "person_id": "p003"}
    visit.refuses("conflict", "calendar.invite", **repeated_invitation)
    ((absent_person, day),) = visit.cells(
        "SELECT person_id, first_day FROM absences WHERE first_day > '2027-03-16' "
        "ORDER BY person_id LIMIT 1"
    )
    early = {"title": "Early", "start": f"{day}T05:00", "end": f"{day}T05:20"}
    event_during_absence = visit.call("calendar.create_event", **early)["event_id"]
    absent_invitation = {"event_id": event_during_absence, "person_id": absent_person}
    visit.refuses("unavailable", "calendar.invite", **absent_invitation)


def test_declined_event_frees_its_time(visit: Visit) -> None:
    ((event, start, end),) = visit.cells(
        "SELECT event_id, start, end FROM events WHERE organiser_id <> ? AND busy "
        "AND start > '2027-03-16' AND calendar_id <> 'school' ORDER BY start LIMIT 1",
        USER,
    )
    visit.refuses("permission", "calendar.delete_event", event_id=event)
    other = {"title": "Instead", "start": start, "end": end}
    visit.refuses("conflict", "calendar.create_event", **other)
    visit.call("calendar.answer_event", event_id=event, answer="no")
    visit.call("calendar.create_event", **other)
    back = {"event_id": event, "answer": "yes"}
    visit.refuses("conflict", "calendar.answer_event", **back)


def test_mail_reminder_is_unique_and_survives_the_mail(visit: Visit) -> None:
    archived_mails = visit.call("mail.search_mails", folder_id="archive")
    mail_id = next(
        archived_mail["mail_id"] for archived_mail in archived_mails if not archived_mail["starred"]
    )
    request = {"mail_id": mail_id, "due": "2027-03-16T10:00"}
    reminder = visit.call("reminders.remind_of_mail", **request)
    visit.refuses("conflict", "reminders.remind_of_mail", **request)
    visit.call("mail.delete_mail", mail_id=mail_id)
    remaining_reminder = visit.call("reminders.get_reminder", reminder_id=reminder["reminder_id"])
    assert remaining_reminder["mail_id"] is None
    visit.call("reminders.complete_reminder", reminder_id=reminder["reminder_id"])
    visit.refuses("conflict", "reminders.complete_reminder", reminder_id=reminder["reminder_id"])


def test_reminders_refuse_past_dates_and_foreign_lists(visit: Visit) -> None:
    make = "reminders.create_reminder"
    visit.refuses("invalid_argument", make, title="Late", due="2027-03-15T09:00")
    visit.refuses("permission", make, title="Theirs", list_id="flat")
    visit.call(make, title="Once")
    visit.refuses("conflict", make, title="Once")
    event = visit.first("calendar.search_events", since="2027-03-20")
    reminder = visit.call(
        "reminders.remind_of_event", event_id=event["event_id"], minutes_before=90
    )
    assert reminder["due"] < event["start"]


def test_reminder_list_holds_at_most_forty_reminders(visit: Visit) -> None:
    list_id = visit.call("reminders.create_list", name="Long")["list_id"]
    for number in range(40):
        visit.call("reminders.create_reminder", title=f"Thing {number}", list_id=list_id)
    more = {"title": "One more", "list_id": list_id}
    visit.refuses("unavailable", "reminders.create_reminder", **more)


def test_locked_note_is_hidden_until_unlocked(visit: Visit) -> None:
    note_id = visit.call("notes.create_note", title="Safe", text="left right left")["note_id"]
    visit.call("notes.lock_note", note_id=note_id)
    assert visit.call("notes.search_notes", query="left right left") == []
    thread = visit.first("messages.search_threads", kind="group")["thread_id"]
    for tool, more in (
        ("get_note", {}),
        ("delete_note", {}),
        ("append_to_note", {"text": "x"}),
        ("update_note", {"pinned": True}),
        ("share_note", {"thread_id": thread}),
        ("unlock_note", {"pin": "0000"}),
    ):
        visit.refuses("permission", f"notes.{tool}", note_id=note_id, **more)
    opened = visit.call("notes.unlock_note", note_id=note_id, pin="2718")
    assert opened["text"] == "left right left"
    shared = visit.call("notes.share_note", note_id=note_id, thread_id=thread)
    assert shared["text"].endswith("left right left")


def test_mail_becomes_a_note_only_once(visit: Visit) -> None:
    mail = visit.first("mail.search_mails", folder_id="archive")["mail_id"]
    note = visit.call("notes.note_from_mail", mail_id=mail)
    assert note["text"] == visit.call("mail.get_mail", mail_id=mail)["text"]
    visit.refuses("conflict", "notes.note_from_mail", mail_id=mail)
    visit.call("notes.update_note", note_id=note["note_id"], pinned=True)
    visit.refuses("conflict", "notes.delete_note", note_id=note["note_id"])


def test_code_sent_by_mail_works_only_once(visit: Visit) -> None:
    account = visit.first("accounts.search_accounts", locked=True)
    login_id = account["login_id"]
    change = "accounts.change_password"
    credentials = {"login_id": login_id, "password": "seven-lamps"}
    visit.refuses("unavailable", change, code="000000", **credentials)
    sent = visit.call("accounts.request_code", login_id=login_id)
    visit.refuses("conflict", "accounts.request_code", login_id=login_id)
    code = visit.call("mail.get_mail", mail_id=sent["mail_id"])["code"]
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    visit.refuses("permission", change, code=wrong, **credentials)
    assert visit.call(change, code=code, **credentials)["locked"] is False
    visit.refuses("unavailable", change, code=code, **credentials)
    later = visit.call("accounts.request_code", login_id=login_id)
    assert visit.call("mail.get_mail", mail_id=later["mail_id"])["code"] != code


def test_protected_accounts_cannot_be_deleted(visit: Visit) -> None:
    tax = visit.first("accounts.search_accounts", query="Gull Tax")
    visit.refuses("permission", "accounts.delete_account", login_id=tax["login_id"])
    forum = visit.first("accounts.search_services", query="Piano")["service_id"]
    new = {"service_id": forum, "username": "ada_b", "password": "seven-lamps"}
    visit.refuses("conflict", "accounts.create_account", **new)
    kiln = visit.first("accounts.search_services", query="Kiln")["service_id"]
    kiln_account = visit.call("accounts.create_account", **{**new, "service_id": kiln})
    visit.call("accounts.update_account", login_id=kiln_account["login_id"], two_step=True)
    visit.refuses("conflict", "accounts.delete_account", login_id=kiln_account["login_id"])
    visit.call("accounts.update_account", login_id=kiln_account["login_id"], two_step=False)
    visit.call("accounts.delete_account", login_id=kiln_account["login_id"])
