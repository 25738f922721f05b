"""Choose values for the parameters of APIs by their type and the words of their titles.

A parameter without a fitting value is left out of requests.
"""

from collections.abc import Mapping, Sequence

from benchloom.core.plain_words import WORD
from benchloom.core.records import Parameter
from benchloom.core.records.values import Plain
from benchloom.worlds.suites.definitions.words import words_of

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


_FRACTIONS = frozenset(
    WORD.findall("aperture brightness depth exposure level pitch rate saturation volume warmth")
)
_PAGE_NOUNS = ("deep link", "deep links", "settings", "setting link")
_NO_CASES = frozenset({"unknown"})
_NAMING = frozenset({"name", "title", "label"})
_PARTS = frozenset(["family", "first", "given", "last", "middle"])
_GENERAL = frozenset(["content", "file", "input", "item", "items", "node", "text", "value"])
SEARCH = "search"
"""The word that selects search texts in `TEXTS`, whose other keys are nouns."""
SEARCHED = frozenset({"criteria", "phrase", "query", SEARCH, "term", "terms"})
"""Words in the name or title of a parameter that contains a search text."""
_NOT_SAID = frozenset(
    WORD.findall(
        "auth bundle class column command format id identifier index json key mode password path "
        "pid pitch port position prefix prompt rate script speed suffix token uti uuid version"
    )
)
"""Words in the titles of parameters whose values people do not say."""
_PERSONS = frozenset(
    ["contact", "people", "person", "payee", "payer", "receiver", "recipient", "recipients", "to"]
)
_TIMES = frozenset(["duration", "hours", "minutes", "seconds", "time"])
_DURATIONS: tuple[Plain, ...] = tuple({"value": value, "unit": "min"} for value in (5, 10, 25, 40))
_MOMENTS = (
    "2027-03-17T09:30",
    "2027-03-19T18:00",
    "2027-03-22T11:15",
    "2027-03-25T16:45",
    "2027-04-02T08:00",
    "2027-04-09T19:30",
    "2027-04-20T14:00",
)
"""Times in the five weeks after the start of the world's clock."""
_URLS = (
    "https://brisk.example/timetable",
    "https://lomm.example/recipes/rye",
    "https://selda.example/shop",
    "https://skerry.example/choir",
)


def old_names(noun: str) -> tuple[str, ...]:
    """Return names for the entities of this noun in the initial state."""
    # The last third is left to `new_names`, so that requests never create an existing name.
    names = names_for(noun)
    return names[: len(names) - len(names) // 3]


def new_names(noun: str) -> tuple[str, ...]:
    """Return names that a request can give to a new or renamed entity of this noun."""
    names = names_for(noun)
    return names[len(names) - len(names) // 3 :]


def values_for(parameter: Parameter, about: str) -> tuple[Plain, ...]:
    """Return values for a parameter, or an empty tuple if no fitting value is known.

    `about` contains words for the object of the API and ends in the noun of its entity, or is
    `SEARCH` for a search.
    """
    words = words_of(parameter.title or "")
    is_general = not set(words) - _GENERAL
    if is_general:
        words = (*words, *words_of(parameter.name))
    if parameter.type_kind == "enum":
        return tuple(case.value for case in parameter.enum_values if case.value not in _NO_CASES)
    if not _NOT_SAID.isdisjoint(words):
        return ()
    if parameter.type_kind == "measurement":
        return _DURATIONS if not _TIMES.isdisjoint(words) else ()
    match parameter.type:
        case "Boolean":
            return (True, False)
        case "Integer" | "Number" | "Decimal":
            return _numbers(words, about, whole=parameter.type == "Integer")
        case "Date" | "DateComponents":
            return () if "end" in words else _MOMENTS
        case "URL":
            return _URLS
        case "String" | "AttributedString":
            is_searched = not SEARCHED.isdisjoint(words) or (about == SEARCH and is_general)
            return _of_last_word(TEXTS, [SEARCH]) if is_searched else _texts(words, about)
        case "Person":
            return tuple(PEOPLE.split("|")) if not _PERSONS.isdisjoint(words) else ()
        case "Placemark":
            return _of_last_word(NAMES, ["place"])
        case _:
            return ()


def names_for(noun: str) -> tuple[str, ...]:
    """Return all names that the entities of this noun can have, or an empty tuple."""
    if noun.endswith(_PAGE_NOUNS):
        return tuple(PAGES.split("|"))
    return _of_last_word(NAMES, noun.split())


def _texts(words: Sequence[str], about: str) -> tuple[str, ...]:
    if not _NAMING.isdisjoint(words):
        other_words = [word for word in words if word not in _NAMING]
        return _of_last_word(TEXTS, list(_PARTS.intersection(other_words))) or (
            new_names(about) or _of_last_word(NAMES, other_words)
        )
    return _of_last_word(TEXTS, words) or _of_last_word(NAMES, words)


def _numbers(words: Sequence[str], about: str, *, whole: bool) -> tuple[Plain, ...]:
    if not whole and not _FRACTIONS.isdisjoint((*words, *about.split())):
        return (0.2, 0.4, 0.6, 0.8)
    if not _TIMES.isdisjoint(words):
        return (5, 10, 15, 20, 45)
    return (2, 3, 4, 6, 8, 12)


def _of_last_word(table: Mapping[str, str], words: Sequence[str]) -> tuple[str, ...]:
    specific_words = [word for word in words if word not in _GENERAL]
    general = [word for word in words if word in _GENERAL]
    for key in ("-".join(specific_words[-2:]), *specific_words[-1:], *general[-1:]):
        for keys, texts in table.items():
            if key in keys.split() or key.removesuffix("s") in keys.split():
                return tuple(texts.split("|"))
    return ()
