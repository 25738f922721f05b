"""Weather, shares, words, articles and phrases to look up; all of them invented."""

from collections.abc import Iterator
from datetime import date, timedelta

from benchloom.worlds.suites.everyday.arguments import CITIES
from benchloom.worlds.suites.everyday.rules import drawn

_SKIES = ("sunny", "cloudy", "rain", "showers", "fog", "storm")
_DAYS = 14
_SESSIONS = 30
COMPANIES = (
    ("ALDR", "Alder Grocers", "food"),
    ("BRFE", "Brisk Ferries", "transport"),
    ("GULL", "Gull Paper", "goods"),
    ("KETL", "Kettle Tiles", "goods"),
    ("LANT", "Lantern Works", "energy"),
    ("LOMM", "Lomm Water", "energy"),
    ("OSTI", "Osterby Insurance", "finance"),
    ("QUAY", "Quay Street Shops", "food"),
    ("SKLN", "Skerry Lines", "transport"),
    ("TERN", "Tern Telephone", "media"),
)
WORDS = (
    ("ample", "adjective", "more than enough", "plentiful scant"),
    ("brisk", "adjective", "quick and lively", "lively slow"),
    ("calm", "adjective", "without wind or worry", "quiet stormy"),
    ("ferry", "noun", "a ship that carries people across a water and back", "boat"),
    ("gather", "verb", "to bring together what lies apart", "collect scatter"),
    ("harbour", "noun", "a place where ships lie safely", "port"),
    ("hedge", "noun", "a row of bushes that marks where a garden ends", "fence"),
    ("kindle", "verb", "to set fire to something", "light quench"),
    ("lantern", "noun", "a lamp with a case that keeps out the wind", "lamp"),
    ("lively", "adjective", "full of movement", "brisk dull"),
    ("mend", "verb", "to make whole what is broken", "repair break"),
    ("orchard", "noun", "a piece of land with fruit trees", "grove"),
    ("plentiful", "adjective", "there in large numbers", "ample scarce"),
    ("quench", "verb", "to put out a fire, or to end thirst", "douse kindle"),
    ("quilt", "noun", "a warm cover made of several layers", "blanket"),
    ("repair", "verb", "to make something work again", "mend damage"),
    ("scant", "adjective", "hardly enough", "meagre ample"),
    ("scatter", "verb", "to throw in many directions", "spread gather"),
    ("thrifty", "adjective", "careful with money", "frugal wasteful"),
    ("wander", "verb", "to walk without a goal", "roam"),
)
"""Word, kind, meaning, and a word that means the same; a second one means the opposite."""
ARTICLES = (
    ("Brisk", "places", "Brisk is the oldest town of the coast; its ferries run since 1802."),
    ("Lomm", "places", "Lomm lies on the river Ale and has 41,000 people and seven bridges."),
    ("Osterby", "places", "Osterby is known for its tiles, which cover roofs as far as Skerry."),
    ("Port Selda", "places", "Port Selda is the largest harbour; 9 of 10 ships call there."),
    ("Skerry", "places", "Skerry stands on an island; a tunnel of 4 km leads there since 1974."),
    ("Ale", "nature", "The Ale is a river of 212 km, which rises in the Grove Hills near Osterby."),
    ("Grove Hills", "nature", "The Grove Hills are up to 861 m high and full of beeches."),
    ("Sea holly", "nature", "Sea holly grows on dunes near Skerry and blooms in July."),
    ("Iva Brandt", "people", "Iva Brandt (1850-1921) built the seven bridges of Lomm."),
    ("Oskar Hale", "people", "Oskar Hale (1902-1988) wrote novels that play in Port Selda."),
    ("Tove Ilves", "people", "Tove Ilves (born 1949) found how sea holly keeps its water."),
    ("Lantern Fair", "events", "The Lantern Fair is held in Brisk in the first week of November."),
    ("Ferry strike", "events", "The ferry strike of 1926 lasted 61 days and began in Brisk."),
    ("Tunnel opening", "events", "The tunnel to Skerry was opened on 3 May 1974."),
)
LANGUAGES = ("english", "german", "french", "spanish")
_PHRASES = """
good morning|guten Morgen|bonjour|buenos días
good night|gute Nacht|bonne nuit|buenas noches
thank you|danke|merci|gracias
please|bitte|s'il vous plaît|por favor
excuse me|Entschuldigung|excusez-moi|perdone
how much is it|was kostet das|combien ça coûte|cuánto cuesta
where is the station|wo ist der Bahnhof|où est la gare|dónde está la estación
where is the harbour|wo ist der Hafen|où est le port|dónde está el puerto
a table for two|einen Tisch für zwei|une table pour deux|una mesa para dos
the bill, please|die Rechnung, bitte|l'addition, s'il vous plaît|la cuenta, por favor
I am lost|ich habe mich verlaufen|je suis perdu|estoy perdido
I need help|ich brauche Hilfe|j'ai besoin d'aide|necesito ayuda
when does the ferry leave|wann fährt die Fähre|quand part le ferry|cuándo sale el ferry
I do not understand|ich verstehe nicht|je ne comprends pas|no entiendo
see you tomorrow|bis morgen|à demain|hasta mañana
two tickets, please|zwei Karten, bitte|deux billets, s'il vous plaît|dos billetes, por favor
the water|das Wasser|l'eau|el agua
the bread|das Brot|le pain|el pan
the key|der Schlüssel|la clé|la llave
the room|das Zimmer|la chambre|la habitación
"""


def forecasts() -> Iterator[tuple[str, str, str, int, int, int, int]]:
    """City, day, sky, lowest and highest degrees, chance of rain in percent, wind in km/h."""
    for city in CITIES:
        for past in range(_DAYS):
            on = (date(2027, 3, 15) + timedelta(days=past)).isoformat()
            sky = _SKIES[drawn(len(_SKIES), "sky", city, on)]
            low = 1 + drawn(7, "low", city, on)
            high = low + 2 + drawn(9, "high", city, on)
            wet = sky in {"rain", "showers", "storm"}
            rain = 60 + 5 * drawn(9, "rain", city, on) if wet else 5 * drawn(7, "rain", city, on)
            wind = 40 * (sky == "storm") + 5 + 5 * drawn(7, "wind", city, on)
            yield city, on, sky, low, high, rain, wind


def closes() -> Iterator[tuple[str, str, int]]:
    """Symbol, day and price in cents of the sessions before the start, from Monday to Friday."""
    days = (date(2027, 3, 14) - timedelta(days=past) for past in range(2 * _SESSIONS))
    sessions = sorted(
        [session_day for session_day in days if session_day.weekday() < 5][:_SESSIONS]
    )
    for symbol, _, _ in COMPANIES:
        price = 1_000 + 50 * drawn(200, "price", symbol)
        for on in sessions:
            step = drawn(81, "step", symbol, on.isoformat()) - 40
            price = max(100, price + price * step // 1_000)
            yield symbol, on.isoformat(), price


def phrases() -> Iterator[tuple[int, str, str]]:
    """Number, language and text of every phrase."""
    for number, line in enumerate(_PHRASES.strip().splitlines()):
        for language, text in zip(LANGUAGES, line.split("|"), strict=True):
            yield number, language, text
