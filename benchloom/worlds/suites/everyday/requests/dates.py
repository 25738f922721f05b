"""Days and times, reckoned."""

from benchloom.worlds.suites.everyday.asking.draws import clock, day, number, today, words
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import BILL, PERSON, RESTAURANT, STARTS

_WEEKDAYS = words("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LATER = Named(
    tool="dates.shift_date",
    by={"days": number(8, 60), "date": day(1, 40)},
    field="date",
    text="the day {days} days after {date}",
    one=True,
)
_WEEKDAY = Named(
    tool="dates.next_weekday",
    by={"weekday": _WEEKDAYS, "date": day(8, 40)},
    field="date",
    text="the first {weekday} after {date}",
    one=True,
)
_DUE = Named(
    tool="bank.search_bills",
    query="query",
    name="biller",
    field="due_date",
    by=BILL.by,
    text="the {paid} bill of {name} is due",
)
REQUESTS = Requests(
    wants=(
        Want(
            tool="restaurants.create_reservation",
            text="book a table for {party_size} at {restaurant_id} on {date}, at {time}",
            take={
                "party_size": number(2, 6),
                "restaurant_id": RESTAURANT,
                "date": _WEEKDAY,
                "time": clock(12, 20),
            },
            makes=("reservation_id", "that table"),
        ),
        Want(
            tool="home.add_guest",
            text="let {person_id} open the front door until {until}",
            take={"person_id": PERSON, "until": _LATER},
        ),
    ),
    questions=(
        Question(text="tell me the date of {it}", about=_LATER),
        Question(text="tell me the date of {it}", about=_WEEKDAY),
        Question(
            text="tell me how many days {it}",
            about=Named(
                tool="dates.days_between",
                by={"since": day(1, 40), "until": day(41, 300)},
                field="days",
                text="there are from {since} to {until}",
                one=True,
            ),
        ),
        Question(
            text="work out how many working days {it}",
            about=Named(
                tool="dates.days_between",
                by={"since": today(), "until": _DUE},
                field="working_days",
                text="there are from {since} until {until}",
                one=True,
            ),
        ),
        Question(
            text="tell me on which weekday {it}",
            about=Named(
                tool="dates.get_weekday",
                by={"date": _DUE},
                field="weekday",
                text="{date}",
                one=True,
            ),
        ),
        Question(
            text="tell me which weekday {it} is",
            about=Named(
                tool="dates.get_weekday",
                by={"date": day(20, 300)},
                field="weekday",
                text="{date}",
                one=True,
            ),
        ),
        Question(
            text="tell me what time it is {it}",
            about=Named(
                tool="dates.shift_time",
                by={"minutes_later": number(20, 200), "start": STARTS},
                field="start",
                text="{minutes_later} minutes after {start} begins",
                one=True,
            ),
        ),
    ),
)
