"""Check that the text is English."""

from prompts.checks._mentions import quotations_of
from prompts.checks.base import Check, Finding, dropped, passing
from prompts.language.values import plain
from prompts.language.words import word_set
from prompts.styles import style_named
from prompts.subject import Subject

LATIN_SHARE = 0.85
LEAST_FUNCTION_WORDS = 0.12
LEAST_IN_LABELS = 0.05
SHORT = 9
"""Up to this many words a text needs no English function words."""
CLEARLY = 2
"""Foreign function words that tell the language of a short text or of fragments."""
_ENGLISH = word_set(
    "a an the and or but if for of to in on at by with from into is are was be it its "
    "this that i me my we our you your he she they what which who when where how can "
    "could would should will do does have has not no so as some any all please need want "
    "find get give show set about than then before after every each tell make"
)
_OTHER_WORDS = (
    "der die das und ist nicht ein eine ich mir mit für auf den dem zu bitte "
    "le la les des une est et je pour dans avec sur que mon ma mes du au "
    "el los las y es un una por para con mi del al quiero "
    "il che di per sono con non gli della nel "
    "o os uma não com meu minha em "
    "het een van en ik mijn voor met op"
)
_OTHERS = frozenset(_OTHER_WORDS.split())


class Language(Check):
    """Judges by script, then by function words: enough English words, and more than foreign."""

    name = "language"
    kinds = frozenset({"query", "instruction", "category", "nested", "dialogue"})
    explains = (("not_english", "The text is not English."),)

    def examine(self, subject: Subject) -> Finding:
        """Drop a text in another script or language; its values and quotations do not count."""
        text = subject.text
        for entry in subject.required:
            text = text.replace(entry.value, " ")
        for quotation in quotations_of(text):
            if any(quotation in source for source in subject.sources):
                text = text.replace(quotation, " ")
        if not any(map(str.isalpha, text)):
            return dropped("not_english", "no letters")
        latin = 1.0
        if not text.isascii():
            latin = sum(map(str.isalpha, filter(str.isascii, text)))
            latin /= sum(map(str.isalpha, text))
        if latin < LATIN_SHARE:
            return dropped("not_english", f"{latin:.0%} of the letters are English ones")
        words = plain(text).split()
        english, foreign = function_words(text)
        bare = len(words) <= SHORT or style_named(subject.style).fragments
        least = LEAST_IN_LABELS if subject.kind == "category" else LEAST_FUNCTION_WORDS
        if bare:
            other = foreign > english and (foreign >= CLEARLY or not text.isascii())
        else:
            other = foreign > english or english / len(words) < least
        if other:
            return dropped(
                "not_english",
                f"{english} English and {foreign} other function words of {len(words)}",
            )
        return passing(f"{english} English function words of {len(words)}")


def function_words(text: str) -> tuple[int, int]:
    """Return how many function words of a text are English, and how many of other languages."""
    words = plain(text).split()
    return sum(word in _ENGLISH for word in words), sum(word in _OTHERS for word in words)


CHECK = Language()
