"""The adapter for siri-shortcuts.de, which reads only links because the structure is unknown."""

from scrapers.pages.harvest import HarvestSite


class SiriShortcutsDe(HarvestSite):
    name = "siri_shortcuts_de"
    home = "https://siri-shortcuts.de/"
    notes = "generic adapter"


SITE = SiriShortcutsDe()
