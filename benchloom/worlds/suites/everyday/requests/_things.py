"""Things that people call by a name, and the reads that find them."""

from benchloom.worlds.suites.everyday.asking.draws import no, words
from benchloom.worlds.suites.everyday.asking.wants import Named

ALL = {"limit": 50}
ALARM = Named(
    tool="alarms.search_alarms",
    query="label",
    name="label",
    field="alarm_id",
    text="the {name} alarm",
)
CONTACT = Named(
    tool="contacts.search_contacts",
    query="query",
    name="name",
    field="contact_id",
    text="{name}",
    listing=ALL,
)
PERSON = Named(
    tool="contacts.search_contacts",
    query="query",
    name="name",
    field="person_id",
    text="{name}",
    listing=ALL,
)
EMAIL = Named(
    tool="contacts.search_contacts",
    query="query",
    name="name",
    field="email",
    text="{name}",
    listing=ALL,
)
GROUP = Named(
    tool="contacts.search_groups",
    query="query",
    name="name",
    field="group_id",
    text="the group {name}",
)
ACCOUNT = Named(
    tool="bank.search_accounts",
    query="query",
    name="name",
    field="bank_account_id",
    text="my {name} account",
)
OTHER_ACCOUNT = Named(
    tool="bank.search_accounts",
    query="query",
    name="name",
    field="bank_account_id",
    text="my {name} account",
)
PAYEE = Named(
    tool="bank.find_payee",
    by={"person_id": PERSON},
    field="payee_account_id",
    text="{person_id}",
    one=True,
)
BILL = Named(
    tool="bank.search_bills",
    query="query",
    name="biller",
    field="bill_id",
    by={"paid": no("unpaid", "open")},
    text="the {paid} bill of {name}",
)
BILL_AMOUNT = Named(
    tool="bank.search_bills",
    query="query",
    name="biller",
    field="amount_cents",
    by={"paid": no("unpaid", "open")},
    text="as much as the {paid} bill of {name} comes to",
)
CARD = Named(
    tool="wallet.search_cards",
    query="query",
    name="label",
    field="card_id",
    text="my {name}",
)
PAYMENT_ON = Named(
    tool="wallet.search_payments",
    query="query",
    name="payee",
    field="amount_cents",
    text="what I last paid to {name}",
)
DEVICE = Named(
    tool="home.search_devices",
    query="query",
    name="name",
    field="device_id",
    text="the {name}",
)
SCENE = Named(
    tool="home.search_scenes",
    query="query",
    name="name",
    field="scene_id",
    text='the scene "{name}"',
)
PRODUCT = Named(
    tool="shopping.search_products",
    query="query",
    name="name",
    field="product_id",
    text="the {name}",
)
FOLDER = Named(
    tool="mail.search_folders",
    query="query",
    name="name",
    field="folder_id",
    text="the folder {name}",
)
MAIL = Named(
    tool="mail.search_mails",
    query="query",
    name="subject",
    field="mail_id",
    text='the mail "{name}" in my inbox',
)
MAIL_IN = Named(
    tool="mail.search_mails",
    query="query",
    name="subject",
    field="mail_id",
    by={"folder_id": FOLDER},
    text='the mail "{name}" in {folder_id}',
)
EVENT = Named(
    tool="calendar.search_events",
    query="query",
    name="title",
    field="event_id",
    text='my event "{name}"',
    listing=ALL,
)
CALENDAR = Named(
    tool="calendar.search_calendars",
    query="query",
    name="name",
    field="calendar_id",
    text="my {name} calendar",
)
THREAD = Named(
    tool="messages.search_threads",
    query="query",
    name="title",
    field="thread_id",
    by={"kind": words("group")},
    text="the {kind} chat {name}",
)
NOTICES = Named(
    tool="messages.search_threads",
    query="query",
    name="title",
    field="thread_id",
    by={"kind": words("notices")},
    text='the {kind} channel "{name}"',
)
LIST = Named(
    tool="reminders.search_lists",
    query="query",
    name="name",
    field="list_id",
    text="the {name} list",
)
CITY = words("Brisk", "Lomm", "Osterby", "Port Selda", "Skerry")
RESTAURANT = Named(
    tool="restaurants.search_restaurants",
    query="query",
    name="name",
    field="restaurant_id",
    text="{name}",
)
COMPANY_OF = Named(
    tool="contacts.search_contacts",
    query="query",
    name="name",
    field="company",
    text="{name}",
    listing=ALL,
)
PRICE = Named(
    tool="shopping.search_products",
    query="query",
    name="name",
    field="price_cents",
    text="the price of the {name}",
)
BALANCE = Named(
    tool="bank.search_accounts",
    query="query",
    name="name",
    field="balance_cents",
    text="what is on my {name} account",
)
STARTS = Named(
    tool="calendar.search_events",
    query="query",
    name="title",
    field="start",
    text='my event "{name}"',
    listing=ALL,
)
