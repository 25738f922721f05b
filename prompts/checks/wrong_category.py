"""Check that the words of a label and its shortcut support the label's category.

A label is the category, name and description that a model gives a shortcut.
"""

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
        "learn study school student word dictionary translate translation language read "
        "reader book fact reference wiki wikipedia lesson quiz exam math calculate "
        "calculator number convert converter conversion history science teach teacher "
        "tutorial course definition meaning spell pronounce pronunciation question answer "
        "bible verse explain explanation unit article news chart emoji chemistry archive "
        "oracle english morse alphabet letter code symbol sign university college class "
        "homework grammar vocabulary flashcard encyclopedia knowledge trivia geography "
        "country map research formula statistics average example practice week year size compare"
    ),
    "Entertainment & Media": (
        "music song play playlist album movie film video photo picture image game podcast "
        "watch listen tv stream joke fun radio media youtube artist team match sport gif "
        "camera meme story wallpaper party sound book comic article news audio draw paint "
        "episode spotify netflix concert ticket steam channel singer lyric subtitle theatre "
        "cinema screenshot magic trick prank animation strobe flash dice coin riddle novel "
        "anime twitch voice clip holiday mp3 guess score puzzle scramble filter effect "
        "cartoon roll celebrity tiktok instagram roll social word"
    ),
    "Lifestyle & Social": (
        "friend family people message chat social tweet twitter facebook instagram whatsapp "
        "tiktok telegram wechat weibo post share sms call contact birthday party gift love "
        "partner date mood emoji diary journal gratitude quote wish greet selfie travel "
        "trip flight hotel holiday vacation map route direction drive taxi car parking "
        "transit train bus ferry weather temperature warm cold rain food eat lunch dinner "
        "meal recipe cook coffee tea restaurant shop grocery cafe outfit fashion wear style "
        "horoscope fortune tarot zodiac oracle ching pray prayer religion church pet dog "
        "cat baby child clock wallpaper mother father nearby place meet phrase decide "
        "random option choice invitation memory anniversary community sleep morning night "
        "island beach city neighbour"
    ),
}
"""A mapping from categories to everyday words about their subjects."""
_OPEN = frozenset({"", "Productivity & Utilities"})
"""Categories that fit any label: no category (an empty string) and the most general one."""
_STEMS = {category: stem_set(words) for category, words in _WORDS.items()}
_WEAK = stem_set(
    "show watch run walk read word number text data file device phone picture image order work "
    "question answer step convert camera sound period app share match "
    "hold dictionary explain code web account emoji battery wifi wi network fit "
    "post clip example average letter call contact message people name date week year option "
    "choice random decide style filter effect map holiday rate symbol sign place language "
    "draw paint guess clock wallpaper route direction research formula statistic practice "
    "screenshot child book shop morning night novel voice converter english community "
    "status size compare social city"
)
"""Words that occur in labels of any category. They support a category, but are no evidence against
another one."""
_NARROW = frozenset({"Health & Fitness", "Home & Smart Devices", "Business & Finance"})
"""Categories with a narrow subject. The label itself must contain a word about the subject; a word
of the shortcut is not enough."""
_MEDIA = "Entertainment & Media"
_DEVELOPMENT = "Development & API"
"""The category of experiments, which may be about any subject."""
_LIFESTYLE = "Lifestyle & Social"
"""A category that overlaps with all others. A bedtime shortcut also belongs to health, for
example."""
LONGEST = 200
CLEARLY = 2
"""A label is dropped only if it has this many more words about another category."""


def examine(subject: Subject) -> Finding:
    """Drops a label without a word about its category, or with more words about another.

    A label is the category, name and description that a model gives a shortcut. The word about the
    category may also be in the shortcut. A single word about another category counts only if the
    shortcut contains such a word, too.
    """
    label = _stems(subject.text)
    if subject.category in _OPEN:
        strong = {key: len(label & _STEMS[key] - _WEAK) for key in (*_NARROW, _MEDIA)}
        other = max(strong, key=strong.__getitem__)
        if subject.category and strong[other] > CLEARLY:
            return dropped("wrong_category", f"the label is about {other}")
        return passing("a category that holds anything")
    about = _STEMS[subject.category]
    # A long text, such as the markup of a page, has words of every category.
    target = _stems(" ".join(text for text in texts_about(subject) if len(text) <= LONGEST))
    evidence = label if subject.category in _NARROW else label | (target - _WEAK)
    if subject.category != _DEVELOPMENT and not evidence & about:
        return dropped("wrong_category", f"nothing is about {subject.category}")
    if subject.category == _LIFESTYLE:
        return passing("a category with something of all others")
    said = {
        category: len(label & stems - _WEAK)
        for category, stems in _STEMS.items()
        if category != _LIFESTYLE
    }
    other = max(said, key=said.__getitem__)
    own = said[subject.category]
    if said[other] < own + (CLEARLY if own else 1):
        return passing("no other category is clearer")
    if said[other] < CLEARLY and other not in _NARROW and not target & _STEMS[other] - _WEAK:
        return passing("one word about another category")
    return dropped("wrong_category", f"the label is about {other}")


def _stems(text: str) -> set[str]:
    return {stem(word) for word in plain(text).split()}


CHECK = Check(
    name="wrong_category",
    kinds=frozenset({"category"}),
    explains={"wrong_category": "The category of the label does not fit the shortcut."},
    examine=examine,
)
