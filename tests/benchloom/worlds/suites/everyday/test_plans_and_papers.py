"""Calendar, reminders, notes, accounts: no two things at once, nothing opened without its code."""

from benchloom.worlds.everyday.rules import USER
from tests.benchloom.worlds.suites.everyday.support import Visit


def test_no_two_events_of_the_start_overlap(visit: Visit) -> None:
    assert not visit.cells(
        "SELECT a.title, b.title FROM events AS a JOIN events AS b ON a.event_id < b.event_id "
        "WHERE a.busy AND b.busy AND a.start < b.end AND b.start < a.end"
    )
    ((first, last),) = visit.cells("SELECT min(start), max(start) FROM events")
    assert first < "2027-03-03"
    assert last > "2027-04-15"


def test_free_time_is_where_an_event_can_be_made(visit: Visit) -> None:
    """Every free slot takes an event, and after that there is none left."""
    day = "2027-03-18"
    slots = visit.told("calendar.find_free_time", date=day, minutes=15)
    assert slots
    for slot in slots:
        event = visit.told("calendar.create_event", title="Busy", **slot)
        over = {"title": "Twice", **slot}
        assert visit.refused("calendar.create_event", **over) == "conflict"
        assert visit.refused("calendar.update_event", event_id=event["event_id"]) is not None
    assert visit.told("calendar.find_free_time", date=day, minutes=15) == []


def test_times_of_events_make_sense(visit: Visit) -> None:
    make = "calendar.create_event"
    for start, end in (
        ("2027-03-14T10:00", "2027-03-14T11:00"),
        ("2027-04-30T11:00", "2027-04-30T10:00"),
        ("2027-04-30T10:00", "2027-05-02T10:00"),
        ("2027-02-30T10:00", "2027-02-30T11:00"),
    ):
        assert visit.refused(make, title="Odd", start=start, end=end) == "invalid_argument"
    school = {"title": "x", "start": "2027-04-30T10:00", "end": "2027-04-30T11:00"}
    assert visit.refused(make, calendar_id="school", **school) == "permission"


def test_an_event_that_moves_keeps_its_length(visit: Visit) -> None:
    event = visit.told(
        "calendar.create_event", title="Row", start="2027-04-25T06:00", end="2027-04-25T06:45"
    )
    moved = visit.told(
        "calendar.update_event", event_id=event["event_id"], start="2027-04-25T06:30"
    )
    assert (moved["start"], moved["end"]) == ("2027-04-25T06:30", "2027-04-25T07:15")


def test_an_invitation_is_a_mail(visit: Visit) -> None:
    event_id = visit.told(
        "calendar.create_event", title="Row", start="2027-04-25T06:00", end="2027-04-25T06:45"
    )["event_id"]
    guest = visit.told("calendar.invite", event_id=event_id, person_id="p003")
    assert guest["answer"] == "open"
    mails = visit.told("mail.search_mails", folder_id="sent", query="Invitation: Row")
    assert len(mails) == 1
    again = {"event_id": event_id, "person_id": "p003"}
    assert visit.refused("calendar.invite", **again) == "conflict"
    ((away, day),) = visit.cells(
        "SELECT person_id, first_day FROM absences WHERE first_day > '2027-03-16' "
        "ORDER BY person_id LIMIT 1"
    )
    early = {"title": "Early", "start": f"{day}T05:00", "end": f"{day}T05:20"}
    missed = visit.told("calendar.create_event", **early)["event_id"]
    not_there = {"event_id": missed, "person_id": away}
    assert visit.refused("calendar.invite", **not_there) == "unavailable"


def test_a_declined_event_leaves_time(visit: Visit) -> None:
    ((event, start, end),) = visit.cells(
        "SELECT event_id, start, end FROM events WHERE organiser_id <> ? AND busy "
        "AND start > '2027-03-16' AND calendar_id <> 'school' ORDER BY start LIMIT 1",
        USER,
    )
    assert visit.refused("calendar.delete_event", event_id=event) == "permission"
    other = {"title": "Instead", "start": start, "end": end}
    assert visit.refused("calendar.create_event", **other) == "conflict"
    visit.told("calendar.answer_event", event_id=event, answer="no")
    visit.told("calendar.create_event", **other)
    back = {"event_id": event, "answer": "yes"}
    assert visit.refused("calendar.answer_event", **back) == "conflict"


def test_reminders_of_a_mail_are_single_and_outlive_it(visit: Visit) -> None:
    mail = visit.told("mail.search_mails", folder_id="archive")
    mail_id = next(
        archived_mail["mail_id"] for archived_mail in mail if not archived_mail["starred"]
    )
    about = {"mail_id": mail_id, "due": "2027-03-16T10:00"}
    reminder = visit.told("reminders.remind_of_mail", **about)
    assert visit.refused("reminders.remind_of_mail", **about) == "conflict"
    visit.told("mail.delete_mail", mail_id=mail_id)
    left = visit.told("reminders.get_reminder", reminder_id=reminder["reminder_id"])
    assert left["mail_id"] is None
    visit.told("reminders.complete_reminder", reminder_id=reminder["reminder_id"])
    done = visit.refused("reminders.complete_reminder", reminder_id=reminder["reminder_id"])
    assert done == "conflict"


def test_reminders_refuse_the_past_and_lists_of_others(visit: Visit) -> None:
    make = "reminders.create_reminder"
    assert visit.refused(make, title="Late", due="2027-03-15T09:00") == "invalid_argument"
    assert visit.refused(make, title="Theirs", list_id="flat") == "permission"
    visit.told(make, title="Once")
    assert visit.refused(make, title="Once") == "conflict"
    event = visit.first("calendar.search_events", since="2027-03-20")
    reminder = visit.told(
        "reminders.remind_of_event", event_id=event["event_id"], minutes_before=90
    )
    assert reminder["due"] < event["start"]


def test_a_list_is_full_at_forty(visit: Visit) -> None:
    list_id = visit.told("reminders.create_list", name="Long")["list_id"]
    for number in range(40):
        visit.told("reminders.create_reminder", title=f"Thing {number}", list_id=list_id)
    more = {"title": "One more", "list_id": list_id}
    assert visit.refused("reminders.create_reminder", **more) == "unavailable"


def test_a_locked_note_tells_nothing(visit: Visit) -> None:
    note_id = visit.told("notes.create_note", title="Safe", text="left right left")["note_id"]
    visit.told("notes.lock_note", note_id=note_id)
    assert visit.told("notes.search_notes", query="left right left") == []
    thread = visit.first("messages.search_threads", kind="group")["thread_id"]
    for tool, more in (
        ("get_note", {}),
        ("delete_note", {}),
        ("append_to_note", {"text": "x"}),
        ("update_note", {"pinned": True}),
        ("share_note", {"thread_id": thread}),
        ("unlock_note", {"pin": "0000"}),
    ):
        assert visit.refused(f"notes.{tool}", note_id=note_id, **more) == "permission"
    opened = visit.told("notes.unlock_note", note_id=note_id, pin="2718")
    assert opened["text"] == "left right left"
    shared = visit.told("notes.share_note", note_id=note_id, thread_id=thread)
    assert shared["text"].endswith("left right left")


def test_notes_are_kept_from_messages_and_mails_once(visit: Visit) -> None:
    mail = visit.first("mail.search_mails", folder_id="archive")["mail_id"]
    note = visit.told("notes.note_from_mail", mail_id=mail)
    assert note["text"] == visit.told("mail.get_mail", mail_id=mail)["text"]
    assert visit.refused("notes.note_from_mail", mail_id=mail) == "conflict"
    visit.told("notes.update_note", note_id=note["note_id"], pinned=True)
    assert visit.refused("notes.delete_note", note_id=note["note_id"]) == "conflict"


def test_a_code_comes_by_mail_and_opens_once(visit: Visit) -> None:
    account = visit.first("accounts.search_accounts", locked=True)
    login_id = account["login_id"]
    change = "accounts.change_password"
    credentials = {"login_id": login_id, "password": "seven-lamps"}
    assert visit.refused(change, code="000000", **credentials) == "unavailable"
    sent = visit.told("accounts.request_code", login_id=login_id)
    assert visit.refused("accounts.request_code", login_id=login_id) == "conflict"
    code = visit.told("mail.get_mail", mail_id=sent["mail_id"])["code"]
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    assert visit.refused(change, code=wrong, **credentials) == "permission"
    assert visit.told(change, code=code, **credentials)["locked"] is False
    assert visit.refused(change, code=code, **credentials) == "unavailable"
    later = visit.told("accounts.request_code", login_id=login_id)
    assert visit.told("mail.get_mail", mail_id=later["mail_id"])["code"] != code


def test_accounts_that_matter_are_kept(visit: Visit) -> None:
    tax = visit.first("accounts.search_accounts", query="Gull Tax")
    assert visit.refused("accounts.delete_account", login_id=tax["login_id"]) == "permission"
    forum = visit.first("accounts.search_services", query="Piano")["service_id"]
    new = {"service_id": forum, "username": "ada_b", "password": "seven-lamps"}
    assert visit.refused("accounts.create_account", **new) == "conflict"
    kiln = visit.first("accounts.search_services", query="Kiln")["service_id"]
    kiln_account = visit.told("accounts.create_account", **{**new, "service_id": kiln})
    visit.told("accounts.update_account", login_id=kiln_account["login_id"], two_step=True)
    assert visit.refused("accounts.delete_account", login_id=kiln_account["login_id"]) == "conflict"
    visit.told("accounts.update_account", login_id=kiln_account["login_id"], two_step=False)
    visit.told("accounts.delete_account", login_id=kiln_account["login_id"])
