"""Check that something about the target points at the category that a label gives it."""

from prompts.checks import Check, Finding, dropped, passing
from prompts.checks._supported import texts_about
from prompts.language.words import plain, stem, stem_set
from prompts.subject import Subject

_WORDS = {
    "Productivity & Utilities": "reminder calendar event task pdf document print",
    "Health & Fitness": (
        "health fitness workout exercise run walk step calorie water drink weight sleep heart "
        "medicine pill doctor meditate yoga gym diet food eat symptom breath blood body "
        "training sport cycle swim mood stress allergy air pollution pollen protein caffeine "
        "bmi period covid virus"
    ),
    "Home & Smart Devices": (
        "home house lamp light lock door garage thermostat heating accessory room device smart "
        "speaker plug switch scene camera tv vacuum homekit fan curtain blind alarm appliance "
        "pump battery wifi bluetooth phone watch flashlight torch laundry wash network wi dryer "
        "dishwasher kitchen oven kettle household garden"
    ),
    "Development & API": (
        "api json code script developer server url web http ssh git github regex html css xml "
        "program request token debug database query app version encode decode base64 terminal "
        "shell data file text markdown hash command linux javascript python endpoint test "
        "sample"
    ),
    "Business & Finance": (
        "money price pay bill budget bank cost currency stock invoice tax tip rent expense "
        "finance business meeting client salary dollar euro crypto bitcoin coin loan interest "
        "discount fare cash amount spend exchange account customer contract company order sale "
        "shop work portfolio holding invest asset board project"
    ),
    "Education & Reference": (
        "learn study school word dictionary translate translation language read book fact "
        "reference wiki wikipedia lesson quiz exam math calculate number convert history "
        "science teach course definition meaning spell question answer bible verse explain unit "
        "article news chart emoji chemistry archive oracle"
    ),
    "Entertainment & Media": (
        "music song play playlist album movie film video photo picture image game podcast watch "
        "listen tv show stream joke fun radio media youtube artist team match sport gif camera "
        "meme story wallpaper party sound book comic article news"
    ),
}
"""Everyday words about the subjects of the categories; Lifestyle & Social has none."""
_OPEN = frozenset({"", "Productivity & Utilities", "Lifestyle & Social"})
"""Categories that hold anything, and none."""
_STEMS = {category: stem_set(words) for category, words in _WORDS.items()}

_WEAK = stem_set(
    "show watch run walk read word number text data file device phone picture image order work "
    "question answer step convert camera sound period app share match "
    "hold dictionary explain code web account emoji battery wifi wi network fit"
)
"""Words of labels in any category: they support one, but prove no other one."""
_NARROW = frozenset({"Health & Fitness", "Home & Smart Devices", "Business & Finance"})
"""Categories of one subject: a label in one of them needs a word about it."""
LONGEST = 200
CLEARLY = 2
"""How many more words of a label have to be about another category than about its own."""


class WrongCategory(Check):
    """Drops a label in a category of one subject without a word about it, or about another one.

    One word about another category proves it only if the target has such a word, too.
    """

    name = "wrong_category"
    kinds = frozenset({"category"})
    explains = (("wrong_category", "The category in the text is not that of the shortcut."),)

    def examine(self, subject: Subject) -> Finding:
        """Drop a label whose words do not fit its category."""
        if subject.category in _OPEN:
            return passing("a category that holds anything")
        label = _stems(subject.text)
        if subject.category in _NARROW and not label & _STEMS[subject.category]:
            return dropped("wrong_category", f"nothing is about {subject.category}")
        said = {category: len(label & stems - _WEAK) for category, stems in _STEMS.items()}
        other = max(said, key=said.__getitem__)
        own = said[subject.category]
        if said[other] < own + (CLEARLY if own else 1):
            return passing("no other category is clearer")
        # A long text, such as the markup of a page, has words of every category.
        target = _stems(" ".join(text for text in texts_about(subject) if len(text) <= LONGEST))
        if said[other] < CLEARLY and other not in _NARROW and not target & _STEMS[other] - _WEAK:
            return passing("one word about another category")
        return dropped("wrong_category", f"the label is about {other}")


def _stems(text: str) -> set[str]:
    return {stem(word) for word in plain(text).split()}


CHECK = WrongCategory()
