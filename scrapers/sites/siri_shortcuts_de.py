"""siri-shortcuts.de: its structure is unknown, so the generic adapter for links reads it."""

from scrapers.pages.harvest import HarvestSite


class SiriShortcutsDe(HarvestSite):
    name = "siri_shortcuts_de"
    home = "https://siri-shortcuts.de/"
    notes = "generic adapter"


SITE = SiriShortcutsDe()
