"""Sentences that occur in several documents of a release."""

DESCRIPTION = (
    "Data for API-calling and tool-planning agents, built from what people really made: shared "
    "shortcuts as typed actions, the definitions of the APIs they call, plans from annotated "
    "dialogues, and generated queries with their checks. A release holds some or all of these."
)
LICENCE_ADDRESS = "https://www.apache.org/licenses/LICENSE-2.0"
LICENCE = (
    "Structure, figures, checks and generated texts are under Apache-2.0. What people made stays "
    "theirs: shortcuts, listings, definitions and dialogues keep the licence of their source, and "
    "the licence of each table is named with its columns. Every row names the source it came from."
)
TAKEDOWN = (
    "Whoever made a shortcut or a listing can have it taken out: tell the publisher of this "
    "release its iCloud link or the shortcut_id of the row. The next release leaves it out and "
    "keeps it out when it is crawled again; published releases are never changed, so the publisher "
    "withdraws those that hold it."
)
LIMITS = (
    "People shared these shortcuts in public; they are not a sample of what all people automate.",
    "Arguments are what their authors left in: many languages, and addresses that may be gone.",
    "Near duplicates stay in; only exact duplicates, also under renamed ids, are merged.",
    "Length and level come from the structure alone and say nothing about how useful one is.",
)
