"""siri-shortcuts.de: its structure is unknown; the generic link-harvesting adapter reads it."""

from scrapers.pages.harvest import HarvestSite


class SiriShortcutsDe(HarvestSite):
    """A small German site."""

    name = "siri_shortcuts_de"
    home = "https://siri-shortcuts.de/"
    notes = "generic adapter"


SITE = SiriShortcutsDe()
