"""The things that users call by name in requests, and the read calls that find the things."""

from benchloom.worlds.everyday.rules import CITIES
from benchloom.worlds.requests.draws import no, words
from benchloom.worlds.requests.wants import Named

ALL = {"limit": 50}
ALARM = Named("alarms.search_alarms", "alarm_id", "the {name} alarm", query="label", name="label")
CONTACT = Named("contacts.search_contacts", "contact_id", "{name}", name="name", listing=ALL)
PERSON = CONTACT.for_field("person_id").among(blocked=False)
EMAIL = CONTACT.for_field("email")
GROUP = Named("contacts.search_groups", "group_id", "the group {name}", name="name")
ACCOUNT = Named("bank.search_accounts", "bank_account_id", "my {name} account", name="name")
OTHER_ACCOUNT = ACCOUNT.for_field("bank_account_id")
PAYEE = Named("bank.find_payee", "payee_account_id", "{person_id}", by={"person_id": PERSON})
BILL = Named(
    "bank.search_bills",
    "bill_id",
    "the {paid} bill of {name}",
    name="biller",
    by={"paid": no("unpaid", "open")},
)
BILL_AMOUNT = BILL.for_field("amount_cents", "as much as the {paid} bill of {name} comes to")
CARD = Named("wallet.search_cards", "card_id", "my {name}", name="label")
PAYMENT_ON = Named(
    "wallet.search_payments", "amount_cents", "what I last paid to {name}", name="payee"
)
DEVICE = Named("home.search_devices", "device_id", "the {name}", name="name")
SCENE = Named("home.search_scenes", "scene_id", 'the scene "{name}"', name="name")
PRODUCT = Named("shopping.search_products", "product_id", "the {name}", name="name")
FOLDER = Named("mail.search_folders", "folder_id", "the folder {name}", name="name")
MAIL = Named("mail.search_mails", "mail_id", 'the mail "{name}" in my inbox', name="subject")
MAIL_IN = Named(
    "mail.search_mails",
    "mail_id",
    'the mail "{name}" in {folder_id}',
    name="subject",
    by={"folder_id": FOLDER},
)
EVENT = Named("calendar.search_events", "event_id", 'my event "{name}"', name="title", listing=ALL)
CALENDAR = Named("calendar.search_calendars", "calendar_id", "my {name} calendar", name="name")
THREAD = Named(
    "messages.search_threads",
    "thread_id",
    "the {kind} chat {name}",
    name="title",
    by={"kind": words("group")},
)
NOTICES = Named(
    "messages.search_threads",
    "thread_id",
    'the {kind} channel "{name}"',
    name="title",
    by={"kind": words("notices")},
)
LIST = Named("reminders.search_lists", "list_id", "the {name} list", name="name")
CITY = words(*CITIES)
RESTAURANT = Named("restaurants.search_restaurants", "restaurant_id", "{name}", name="name")
COMPANY_OF = CONTACT.for_field("company")
PRICE = PRODUCT.for_field("price_cents", "the price of the {name}")
BALANCE = ACCOUNT.for_field("balance_cents", "what is on my {name} account")
STARTS = EVENT.for_field("start")

NAMED_OBJECTS = {
    "alarm_id": ALARM,
    "bank_account_id": ACCOUNT,
    "bill_id": BILL,
    "calendar_id": CALENDAR,
    "card_id": CARD,
    "contact_id": CONTACT,
    "device_id": DEVICE,
    "event_id": EVENT,
    "folder_id": FOLDER,
    "group_id": GROUP,
    "list_id": LIST,
    "mail_id": MAIL,
    "payee_account_id": PAYEE,
    "person_id": PERSON,
    "product_id": PRODUCT,
    "restaurant_id": RESTAURANT,
    "scene_id": SCENE,
    "thread_id": THREAD,
}
"""A mapping from names of arguments, such as `alarm_id`, to the things that users name instead."""
