"""What a person calls the things that tools do and the values that they return.

A tool that is not listed is called by its name or its description.
"""

import re

from benchloom.worlds.user.words import PROPER, label_of, verb_and_thing, with_article, words_of
from benchloom.worlds.world import World

_LISTED = """
accounts.change_password: change a password
accounts.update_account state: {} the sign-in code of an account
accounts.request_code: get a sign-in code sent
alarms.next_alarm: find out {} of the alarm that rings next
bank.create_account: open a bank account
bank.find_payee: find out the account into which somebody is paid
bank.search_accounts: find out {} of one of my bank accounts
bank.transfer: transfer some money
calculator.calculate: work out a formula
calculator.percentage: work out a percentage of a number
calculator.split_cents: split an amount of money
calculator.summarise_numbers: work out {} of some numbers
calendar.create_event: put an event into my calendar
calendar.invite: invite somebody to one of my events
contacts.add_to_group: put a contact into a group
contacts.contact_from_mail: save the sender of a mail as a contact
contacts.find_relatives: find out {} of somebody's relative
dates.get_weekday: find out on which weekday a day falls
dates.days_between: find out {} between two dates
dates.next_weekday: find out when a certain weekday comes next
dates.shift_date: count some days forward or back from a date
dates.shift_time: count some minutes forward or back from a time
dictionary.define_word: find out what a word means
dictionary.find_antonym: find the opposite of a word
dictionary.find_synonym: find another word for a word
encyclopedia.get_article: find out what an article of the encyclopedia says
encyclopedia.search_linked_articles: find out which article another one leads to
encyclopedia.search_naming_articles: find out which article mentions something
home.add_guest: let somebody open the front door for some time
home.remove_guest: stop letting somebody open the front door
home.add_to_scene: put a device into a scene
home.create_device: add a device to my home
home.create_timed_switch: have a device switched every day at a certain time
home.delete_timed_switch: remove a timed switch
home.delete_device: remove a device
home.run_scene: run a scene
home.run_scene_at_alarm: have an alarm start a scene
mail.get_mail: find out what a mail says
mail.reply_mail: reply to a mail
mail.update_mail folder_id: move a mail to another folder
messages.add_member: add somebody to a chat
messages.message_person: write a message to somebody
notes.append_to_note: add a line to a note
notes.get_note: find out what one of my notes says
notes.note_from_mail: save a mail as a note
notes.note_from_message: save a message as a note
notes.update_note notebook_id: move a note to another notebook
reminders.complete_reminder: tick off a reminder
reminders.create_list: create a list of reminders
reminders.create_reminder: set a reminder
reminders.remind_of_event: be reminded of an event
reminders.remind_of_mail: be reminded of a mail
reminders.update_reminder list_id: move a reminder to another list
restaurants.add_companion: bring somebody along to a reservation
restaurants.add_reservation_to_calendar: put a reservation into my calendar
restaurants.create_reservation: book a table
restaurants.delete_reservation: cancel a reservation
shopping.add_to_basket: put something into my basket
shopping.create_order: order something
shopping.create_review: review a product
shopping.return_order: return an order
shopping.show_basket: find out {} of my basket
shopping.update_basket: change how many of a product are in my basket
stocks.dearest_share: find out which share of a sector is the most expensive
stocks.get_close: find out what a share cost at the end of a day
stocks.value_shares: find out what some shares are worth
texts.change_case: change the letters of a text to capitals or small ones
texts.replace_text: replace a word in a text
translate.detect_language: find out which language a phrase is in
translate.get_phrase: say something in another language
translate.translate_text: translate a phrase
travel.add_trip_to_calendar: put a trip into my calendar
travel.book_stay: book a hotel room
travel.book_trip: book a trip
travel.get_departure: find out {} of a departure
units.add_measures: add up two measures
units.convert_temperature: convert a temperature to another scale
units.convert_units: convert a measure to another unit
wallet.create_card: get a new card
wallet.create_request: ask somebody for money
wallet.decline_request: decline to pay what somebody asks me for
wallet.delete_request: withdraw my request for money
wallet.pay_person: pay somebody
wallet.pay_request: pay what somebody asks me for
weather.get_forecast: find out {} on a certain day
weather.search_forecasts: find out {} of a forecast
weather.warmest_city: find out which city is warmest on a day
api_bank.BookHotel: book a hotel room
api_bank.AddAgenda: add something to my agenda
api_bank.AddMeeting: schedule a meeting
api_bank.AppointmentRegistration: make a doctor's appointment
api_bank.Calculator: work out a formula
api_bank.CancelRegistration: cancel a doctor's appointment
api_bank.DocumentQA: get a question about a document answered
api_bank.EmergencyKnowledge: find out what helps against an illness
api_bank.GetUserToken: log in to my account
api_bank.ModifyAgenda: change something in my agenda
api_bank.ModifyPassword: change my password
api_bank.ModifyRegistration: move a doctor's appointment
api_bank.OpenBankAccount: open a bank account
api_bank.QueryAgenda: look something up in my agenda
api_bank.QueryBalance: find out what is in my bank account
api_bank.QueryHealthData: look up my health data
api_bank.QueryHistoryToday: find out what happened on a day in history
api_bank.QueryRegistration: look up a doctor's appointment
api_bank.QueryStock: find out the price of a stock on a day
api_bank.RecordHealthData: record some health data
api_bank.RegisterUser: open an account
api_bank.SearchEngine: search for something on the web
api_bank.SpeechRecognition: find out what is said in a recording
api_bank.SymptomSearch: find out what a symptom may come from
Banks_1.TransferMoney: transfer some money
Banks_2.TransferMoney: transfer some money
Calendar_1.AddEvent: put an event into my calendar
Events_1.BuyEventTickets: buy tickets for an event
Events_2.BuyEventTickets: buy tickets for an event
Events_3.BuyEventTickets: buy tickets for an event
Homes_1.ScheduleVisit: schedule a visit to an apartment
Homes_2.ScheduleVisit: schedule a visit to a property
Hotels_1.ReserveHotel: book a hotel room
Hotels_2.BookHouse: book a house for a holiday
Hotels_3.ReserveHotel: book a hotel room
Hotels_4.ReserveHotel: book a hotel room
Media_2.RentMovie: rent a movie
Media_3.PlayMovie: watch a movie
Movies_1.BuyMovieTickets: buy tickets for a movie
Music_1.PlaySong: play a song
Music_2.PlayMedia: play a song
Music_3.PlayMedia: play a song
Payment_1.MakePayment: send somebody money
Payment_1.RequestPayment: ask somebody for money
RentalCars_1.ReserveCar: rent a car
RentalCars_2.ReserveCar: rent a car
RentalCars_3.ReserveCar: rent a car
Restaurants_1.ReserveRestaurant: book a table at a restaurant
Restaurants_2.ReserveRestaurant: book a table at a restaurant
RideSharing_1.GetRide: get a taxi
RideSharing_2.GetRide: book a cab
Services_1.BookAppointment: make an appointment with a hair stylist
Services_2.BookAppointment: make an appointment with a dentist
Services_3.BookAppointment: make an appointment with a doctor
Services_4.BookAppointment: make an appointment with a therapist
Trains_1.GetTrainTickets: buy train tickets
Buses_1.BuyBusTicket: buy bus tickets
Buses_2.BuyBusTicket: buy bus tickets
Buses_3.BuyBusTicket: buy bus tickets
Alarm_1.AddAlarm: set an alarm
Buses_1.FindBus: find out {} of a bus
Buses_3.FindBus: find out {} of a bus
Events_3.FindEvents: find out {} of an event
Flights_3.SearchOnewayFlight: find out {} of a flight
Flights_3.SearchRoundtripFlights: find out {} of a return flight
Flights_4.SearchOnewayFlight: find out {} of a flight
Flights_4.SearchRoundtripFlights: find out {} of a return flight
Homes_1.FindApartment: find out {} of an apartment to rent
Homes_2.FindHomeByArea: find out {} of a home
Hotels_2.SearchHouse: find out {} of a house for a holiday
Hotels_4.SearchHotel: find out {} of a hotel
Media_2.FindMovies: find out {} of a movie
Media_3.FindMovies: find out {} of a movie
Movies_1.FindMovies: find out {} of a movie
Movies_2.FindMovies: find out {} of a movie
Movies_3.FindMovies: find out {} of a movie
Music_3.LookupMusic: find out {} of a song
RentalCars_1.GetCarsAvailable: find out {} of a rental car
RentalCars_3.GetCarsAvailable: find out {} of a rental car
Restaurants_2.FindRestaurants: find out {} of a restaurant
Services_1.FindProvider: find out {} of a hair stylist
Services_4.FindProvider: find out {} of a therapist
Trains_1.FindTrains: find out {} of a train
Travel_1.FindAttractions: find out {} of a tourist attraction
Weather_1.GetWeather: find out {} on a certain day
"""
_VERBS = {"update": "change", "modify": "change"}
NAMES = frozenset({"name", "title", "label"})
_GOALS = dict(line.split(": ", 1) for line in _LISTED.strip().splitlines())
_MINE = (
    (r"\bone of the user's\b", "one of my"),
    (r"\bof the user's own\b|\bof the user's\b|\bof the user\b", "of mine"),
    (r"\bthe user's\b", "my"),
    (r"\bthe user\b", "me"),
)
_TITLES = {
    "play media": "play a media item",
    "search on web": "search the web",
    "search in Chrome": "search the web in Chrome",
    "change monitoring": "change the mode of monitoring",
}
_UNCOUNTED = frozenset({"radio", "media", "music", "web", "monitoring", "service", "bluetooth"})
_JOINS = re.compile(r"\b(?:on|in|to|the|my|your|of|a|an)\b")
_PLAIN = frozenset(
    re.findall(
        "[a-z]+",
        "create update delete send cancel pay forward lock unlock share modify add open show stop"
        " play start",
    )
)


def _common(match: re.Match[str]) -> str:
    """Return a word in small letters, unless it is a name."""
    return match[0] if match[0] in PROPER else match[0].lower()


def _title(match: re.Match[str]) -> str:
    """Return a title such as `open list` with the article of its noun."""
    noun = match[2]
    counted = not noun.endswith("s") and noun.split()[-1] not in _UNCOUNTED
    is_noun = not _JOINS.search(noun) and counted
    return f"{match[1]} {with_article(noun) if is_noun else noun}"


def phrase_of(tool: str, argument: str = "") -> str:
    """Return what a person calls a tool, without the description of its world.

    `argument` is the only thing that a change sets.
    """
    listed = _GOALS.get(f"{tool} {argument}") or _GOALS.get(tool)
    if listed is not None:
        return listed
    verb, thing = verb_and_thing(tool)
    noun = words_of(thing)
    a_noun = noun if thing in _UNCOUNTED else with_article(noun)
    if verb in _VERBS and argument in NAMES:
        return f"rename {a_noun}"
    if verb in _VERBS and argument:
        return f"change the {words_of(label_of(argument))} of {a_noun}"
    return f"{_VERBS.get(verb, verb)} {a_noun}"


def goal_of(tool: str, world: World, argument: str = "") -> str:
    """Return what a tool does as a phrase that follows `I want to`.

    `argument` is the only thing that a change sets. A phrase about an answer contains `{}`, where
    the names of the fields go.
    """
    verb, thing = verb_and_thing(tool)
    if f"{tool} {argument}" in _GOALS or tool in _GOALS:
        return phrase_of(tool, argument)
    if verb in _PLAIN and re.fullmatch(r"[a-z]+", thing):
        return phrase_of(tool, argument)
    about = re.split(r"[.;:,(]| - | The best match", world.tools[tool].about)[0].strip()
    for pattern, words in _MINE:
        about = re.sub(pattern, words, about)
    # A title has capitals in the middle, which a sentence has not.
    about = re.sub(r"(?<= )[A-Z][a-z]+", _common, about)
    about = about[:1].lower() + about[1:]
    if about in _TITLES:
        return _TITLES[about]
    about = re.sub(r"^(\w+ to) ([a-z]+)$", r"\1 a \2", about)
    about = re.sub(r"^(\w+) ((?:new )?\w+(?: [a-z]+){0,2}?)(?: with \w+)?$", _title, about)
    # Descriptions say what the tool does: it tells what the user wants to know.
    return re.sub(r"^tell ", "find out ", about)
