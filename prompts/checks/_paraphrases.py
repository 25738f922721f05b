"""List the everyday words and phrases that people use instead of the name of a service.

Checks use them to recognise that "something to eat" refers to an API named FindRestaurants.
"""

import re
from functools import lru_cache

from prompts.language.words import stem, stem_set

_GROUPS = (
    (
        "rental rentalcars hatchback sedan suv convertible van wheels vehicle automobile drive "
        "car rent hire pickup"
    ),
    (
        "restaurant eat dinner lunch brunch bite dine diner cuisine food hungry table seat meal "
        "dining breakfast"
    ),
    "hotel stay sleep accommodation room night lodging inn roof hostel",
    (
        "house stay sleep accommodation apartment place lodging night cottage cabin villa home "
        "rental"
    ),
    "home rent buy apartment house property flat place bedroom bathroom live visit viewing",
    "flight fly flying flown plane airfare airport airline trip travel air ticket",
    "bus coach ride trip travel journey ticket",
    "train rail railway trip travel journey ticket ride",
    "movie film cinema picture watch showing screening showtime theater",
    "media movie film watch stream show play",
    "music song hear listen tune track album play artist singer band",
    "event concert show gig match game play live sport music theater ticket seat admission",
    "ticket seat fare admission entry",
    "balance account money fund left have checking savings",
    "transfer send move wire money account",
    "bank account money balance checking savings send transfer pay",
    "payment pay owe owed settle debt charge money request back dollar send receive transfer",
    "calendar free busy schedule agenda plan appointment meeting event",
    "alarm wake woken woke awake reminder clock",
    (
        "weather rain umbrella sunny warm cold hot outside degree temperature forecast humid "
        "wind humidity"
    ),
    "therapist psychologist counselor counseling counselling psychiatrist therapy shrink",
    "dentist teeth tooth dental",
    "doctor physician gynecologist specialist ent medical dentist therapist appointment health",
    "stylist salon hair haircut hairdresser barber unisex",
    (
        "service provider appointment dentist doctor therapist psychologist counselor salon "
        "stylist hairdresser barber haircut"
    ),
    "message share location let know text where chat send",
    (
        "travel attraction sight see visit sightseeing explore landmark museum thing tour park "
        "trip tourist"
    ),
    "ridesharing cab taxi lift drive ride pick",
    "ride cab taxi lift drive pick car share",
    "translate translation language",
    "photo picture image camera",
    "duplicate copy copies",
    "timer countdown minute",
    "note memo write",
    "mail email send",
    "route direction map navigate walk drive",
)
"""In each group, the first word is from the name of a service; people say the other words
instead."""


_PHRASES = (
    (r"put\b.{0,40}\bon\b", ("play", "movie", "music", "media")),
    ((r"(?:things?|stuff|something|anything)(?: (?!i\b|we\b|you\b)[\w']+){0,2} to do\b|"
     r"what(?:'s there| is there)?(?: for [\w']+)? to do\b|what (?:can|could) (?:i|we|you) do\b|"
     r"worth (?:a visit|seeing)|activities\b|"
     r"(?:interesting|famous|popular|pretty|beautiful|nice) (?:places?|spots?)\b"),
     ("attraction", "travel")),
    (r"what(?:'s| is) on\b|go(?:ing)? to (?:tonight|see)|something to go to", ("event", "movie")),
    (r"what(?:'s| is| will|'ll)? (?:it|the \w+|things?)? ?(?:going to |gonna |will )?be like",
     ("weather",)),
    (r"how (?:hot|cold|warm|wet|windy|humid) ", ("weather",)),
    (r"get up\b|get out of bed", ("alarm",)),
    (r"get (?:me|us) in\b|a place for|squeeze (?:me|us) in", ("reserve", "book")),
    (r"(?:see|look at|visit|view) (?:it|the place|that one|them)\b", ("visit",)),
    (r"(?:take|bring|drive|get) (?:me|us|him|her|them) (?:to|there|home)", ("ride", "ridesharing")),
    (r"(?:do i|will i|if i) have (?:any )?(?:time|anything)|am i (?:free|busy)", ("calendar",)),
)  # fmt: skip
"""Pairs of a pattern for an everyday phrase, and words in the names of the services that the phrase
means."""
_PATTERNS = tuple(
    (re.compile(rf"\b(?:{pattern})", re.IGNORECASE), heads) for pattern, heads in _PHRASES
)


def phrased(text: str) -> frozenset[str]:
    """Return the stems of service names to which everyday phrases in a text refer.

    "How hot will it be" refers to "weather", for example.
    """
    return frozenset(
        stem(head) for pattern, heads in _PATTERNS if pattern.search(text) for head in heads
    )


@lru_cache(maxsize=4096)
def paraphrases(stems: frozenset[str]) -> frozenset[str]:
    """Return the stems of everyday words for the services whose names contain one of `stems`."""
    return frozenset(
        word
        for head, group in _STEMMED
        if any(
            head == word_stem or (len(head) > 3 and word_stem.startswith(head))
            for word_stem in stems
        )
        for word in group
    )


_STEMMED = tuple((stem(group.split(" ", 1)[0]), stem_set(group)) for group in _GROUPS)
