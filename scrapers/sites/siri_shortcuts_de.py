"""siri-shortcuts.de: its shape is not known; read by the generic link-harvesting adapter."""

from scrapers.pages.harvest import HarvestSite


class SiriShortcutsDe(HarvestSite):
    """A small German site."""

    name = "siri_shortcuts_de"
    home = "https://siri-shortcuts.de/"
    notes = "generic adapter"


SITE = SiriShortcutsDe()
