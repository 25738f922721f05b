"""Names and texts of our own, by the words of what they name; a joined key is two words.

The last word of an entity's noun chooses its names, the last word of a parameter's title its texts.
"""

from collections.abc import Mapping

PAGES = "Accounts|Advanced|Appearance|Data|Notifications|Privacy|Sounds|Storage"
PEOPLE = "Ada Oduya|Bruno Keller|Chiara Voss|Dev Malik|Elif Aydin|Frida Lund|Goran Petrov|Hana Sato"
FILES = "Budget|Invoices|Lake house|Recipes|Rental papers|School|Thesis|Travel"
NAMES: Mapping[str, str] = {
    "account": "Household|Savings|Travel|Work",
    "accessory fan light lamp": "Desk lamp|Hall light|Kitchen light|Porch light",
    "alarm": "Bins|Bread|Early ferry|Piano|School run|Swim",
    "album playlist": (
        "Best of March|Garden|Lake weekend|Old town walk|Rainy days|Road trip|Skating|Summer"
    ),
    "article": (
        "A bridge reopens|Fewer bees this spring|How tides work|New rules for e-bikes|"
        "Rye bread returns"
    ),
    "asset photo picture image": (
        "Birthday cake|Boats at dawn|Cat on the stairs|First snow|Market square|Red umbrella"
    ),
    "award": "Longest streak|Month of rides|Perfect week",
    "board project": "Garden shed|Kitchen move|Newsletter|Team offsite",
    "book": "Harbour Lights|Night Trains|The Salt Road|Winter Orchard",
    "bookmark link reading-list tab window": (
        "Bus timetable|Choir schedule|Ferry prices|Library catalogue|Seed shop|Weather radar"
    ),
    "calendar": "Family|Football|Holidays|School|Work",
    "card pass ticket": "Bakery stamp card|Ferry ticket|Gym card|Library card|Museum pass",
    "channel feed topic": "Cycling|Gardening|Local news|Science|Chess",
    "collection group": "Archive|Hobbies|House|Paperwork|Receipts|Trips",
    "contact person people handle attendee recipient": PEOPLE,
    "conversation chat": "Book club|Choir|Family|Neighbours|Running group",
    "device tv": "Bedroom TV|Living room TV|Office speaker",
    "document file node folder item draft": FILES,
    "event appointment meeting": (
        "Boiler check|Dentist|Parents' evening|Piano lesson|Rehearsal|Swim meet|Team lunch"
    ),
    "face": "Classic|Moon phase|Numbers|Seasons|Sunrise|Two hands",
    "focus": "Driving|Fitness|Reading|Sleep|Work",
    "home": "Cabin|City flat|Summer house",
    "ingredient": "Basil|Lentils|Rye flour|Yoghurt",
    "list": "Camping|Christmas|Garden|Groceries|Hardware shop|House|Packing|Work",
    "location place city region": "Brisk|Lomm|Osterby|Port Selda|Skerry",
    "memory": "A day at the lake|Grandma's garden|Three years of snow",
    "message mail email": (
        "About the keys|Lunch on Friday|New phone number|Parking|Thanks for the cake"
    ),
    "note": "Bike repair|Gift ideas|Guitar chords|Meter readings|Paint colours|Wifi in the cabin",
    "podcast episode": "Deep Water|Evening Physics|Letters Home|The Long Table",
    "recipe": "Apple crumble|Chickpea stew|Onion tart|Plum dumplings|Rye bread",
    "reminder task todo todoist to-do": (
        "Book the ferry|Buy milk|Buy stamps|Call the plumber|Pay the rent|Renew the library card|"
        "Return the drill|Sharpen the knives|Sweep the stairs|Water the ferns"
    ),
    "restaurant hotel flight reservation": "Harbour Inn|Old Mill|Flight to Lomm|Table at Salt",
    "scene": "Bedtime|Cooking|Film night|Good morning",
    "section": "Cellar|Later|Soon|This week",
    "server": "Backup server|Office server|Photo server",
    "workflow shortcut": (
        "Bedtime mode|Log water|Morning briefing|Send my arrival time|Split the bill"
    ),
    "song music track media": "Blue Ferry|Hollow Hills|Paper Lanterns|Slow Rain",
    "stream radio station": "Harbour FM|Jazz at Night|Radio Skerry",
    "symbol template theme": "Classic|Modern|Plain",
    "tag keyword": "errand|family|idea|urgent",
    "timer": "Eggs|Laundry|Pasta|Tea",
    "transaction order": "Bakery|Bookshop|Ferry tickets|Garden centre",
    "trend": "Running pace|Standing hours|Walking distance",
    "workout activity": "Evening swim|Hill run|Long walk|Morning ride",
}
TEXTS: Mapping[str, str] = {
    "message content body reply caption text sentence tweet": (
        "Dinner is at seven|I am on my way|Running ten minutes late|"
        "See you at the harbour|The parcel has arrived"
    ),
    "note notes description comment memo": (
        "Ask for the blue one|Bring the receipt|Ring twice|Use the side door"
    ),
    "address": "Harbour Lane 4|Mill Road 12|Old Square 7",
    "city location place": "Brisk|Lomm|Osterby|Port Selda|Skerry",
    "company organisation organization": "Brisk Bakery|Lomm Ferries|Selda Books",
    "given first": "Ada|Bruno|Chiara|Elif|Hana",
    "family last": "Aydin|Keller|Lund|Petrov|Sato",
    "middle": "Joan|Marit|Otto",
    "search query criteria term phrase keywords": (
        "bicycle|ferry|garden chairs|lentils|rye bread|winter coat"
    ),
    "tag tags": "errand|family|idea|urgent",
    "subject": "Lunch on Friday|Meter readings|New keys",
    "word": "estuary|gentian|ledger",
    "author": "Ines Marlow|Tomas Hale",
    "quote": "Slow is smooth|Begin again tomorrow",
    "phone phone-number": "+4430555012|+4430555034|+4430555078",
    "email email-address": "ada@brisk.example|elif@lomm.example|goran@selda.example",
    "product": "Garden chair|Reading lamp|Rye flour",
    "person recipient friend": PEOPLE,
}
