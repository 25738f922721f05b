"""What people say instead of the name of an everyday service."""

from functools import lru_cache

from prompts.language.words import stem

_GROUPS = (
    "rental rentalcars hatchback sedan suv convertible van wheels vehicle automobile drive car",
    "restaurant eat dinner lunch brunch bite dine diner cuisine food hungry table seat meal",
    "hotel stay sleep accommodation room night lodging inn roof hostel",
    "house stay sleep accommodation apartment place lodging night",
    "home rent buy apartment house property flat place bedroom bathroom live visit viewing",
    "flight fly flying plane airfare airport airline trip travel",
    "bus coach ride trip travel journey",
    "train rail railway trip travel journey",
    "movie film cinema picture watch showing screening showtime",
    "media movie film watch stream show",
    "music song hear listen tune track album play artist",
    "event concert show gig match game play live sport music theater ticket seat admission",
    "balance account money fund left have checking savings",
    "transfer send move wire money account",
    "bank account money balance checking savings send transfer",
    "payment pay owe owed settle debt charge money request back dollar",
    "calendar free busy schedule agenda plan appointment meeting event",
    "alarm wake",
    "weather rain umbrella sunny warm cold hot outside degree temperature forecast humid wind",
    "therapist psychologist counselor psychiatrist therapy shrink",
    "dentist teeth tooth dental",
    "doctor physician gynecologist specialist ent medical",
    "stylist salon hair haircut barber unisex",
    "service provider appointment dentist doctor therapist psychologist counselor salon stylist",
    "message share location let know text where",
    "travel attraction sight see visit sightseeing explore landmark museum thing tour park",
    "ridesharing cab taxi lift drive ride pick",
    "ride cab taxi lift drive pick",
)


@lru_cache(maxsize=4096)
def paraphrases(stems: frozenset[str]) -> frozenset[str]:
    """Stems of what people say for the services that these stems name."""
    return frozenset(
        word
        for head, group in _STEMMED
        if any(head == one or (len(head) > 3 and one.startswith(head)) for one in stems)
        for word in group
    )


_STEMMED = tuple(
    (stem(group.split(" ", 1)[0]), frozenset(stem(word) for word in group.split()))
    for group in _GROUPS
)
