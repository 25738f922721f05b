"""The requests to calculate with days and times that users can make, with their wording."""

from benchloom.worlds.everyday.rules import WEEKDAYS
from benchloom.worlds.requests.dice import Dice
from benchloom.worlds.requests.draws import clock, day, number, today, words
from benchloom.worlds.requests.wants import Drawn, Named, Question, Requests, Want, ask
from benchloom.worlds.suites.everyday.requests._objects import BILL, PERSON, RESTAURANT, STARTS


def _weeks(dice: Dice) -> Drawn:
    days = dice.one_of((7, 14, 21, 30))
    return Drawn(days, str(days))


_LATER = Named(
    "dates.shift_date",
    "date",
    "the day {days} days after {date}",
    by={"days": number(8, 60), "date": day(1, 40)},
)
_FROM_TODAY = Named(
    "dates.shift_date", "date", "{days} days from {date}", by={"days": _weeks, "date": today()}
)
_WEEKDAY = Named(
    "dates.next_weekday",
    "date",
    "the first {weekday} after {date}",
    by={"weekday": words(*WEEKDAYS), "date": day(8, 40)},
)
_DUE = Named(
    "bank.search_bills", "due_date", "the {paid} bill of {name} is due", name="biller", by=BILL.by
)
REQUESTS = Requests(
    wants=(
        Want(
            "restaurants.create_reservation",
            "book a table for {party_size} at {restaurant_id} on {date}, at {time}",
            {
                "party_size": number(2, 6),
                "restaurant_id": RESTAURANT,
                "date": _WEEKDAY,
                "time": clock(12, 20),
            },
            makes=("reservation_id", "that table"),
        ),
        Want(
            "home.add_guest",
            "let {person_id} open the front door until {until}",
            {"person_id": PERSON, "until": _FROM_TODAY},
        ),
    ),
    questions=(
        Question("tell me the date of {it}", _LATER),
        Question("tell me the date of {it}", _WEEKDAY),
        ask(
            "tell me how many days there are from {since} to {until}",
            "dates.days_between",
            "days",
            {"since": day(1, 40), "until": day(41, 300)},
        ),
        ask(
            "work out how many working days there are from {since} until {until}",
            "dates.days_between",
            "working_days",
            {"since": today(), "until": _DUE},
        ),
        ask("tell me on which weekday {date}", "dates.get_weekday", "weekday", {"date": _DUE}),
        ask(
            "tell me which weekday {date} is",
            "dates.get_weekday",
            "weekday",
            {"date": day(20, 300)},
        ),
        ask(
            "tell me what time it is {minutes_later} minutes after {start} begins",
            "dates.shift_time",
            "start",
            {"minutes_later": number(20, 200), "start": STARTS},
        ),
    ),
)
