"""Podcasts: shows and episodes, from the supplied answers."""

from benchloom.device.actions.photos import count_of
from benchloom.device.call import Call, action, answered
from benchloom.device.items import AppItem, Content, MadeAnswer
from benchloom.device.items.coercion import content_text, text_of

library = answered("getpodcastsfromlibrary", "Podcasts of the library")


@action("getepisodesforpodcast")
def episodes(call: Call) -> Content:
    """Return the episodes of each podcast, from the supplied answers."""
    return call.ask_each("Episodes of the podcast {}", map(text_of, call.input()))


@action("searchpodcasts")
def search(call: Call) -> Content:
    """Return the podcasts that a search of the store finds, from the supplied answers."""
    term = content_text(call.input("WFSearchTerm"))
    if not term:
        return ()
    call.run.effect("request", {"store": "podcasts", "term": term})
    shows = call.run.ask(f"Podcasts about {term}")[0]
    return shows[: count_of(call, "WFItemLimit")] if call.has("WFItemLimit") else shows


@action("playpodcast")
def play(call: Call) -> Content:
    """Log that a podcast is played; return the podcast."""
    shows = call.input("WFPodcastShow")
    order = call.text("WFPodcastPlaybackOrder")
    details: dict[str, object] = {"podcasts": [text_of(show) for show in shows], "order": order}
    call.run.effect("played podcast", details)
    return shows


@action("podcasts.subscribe")
def subscribe(call: Call) -> Content:
    """Log that each podcast is subscribed to; return the podcasts."""
    shows = call.input()
    for show in shows:
        call.run.effect("subscribed to podcast", {"podcast": text_of(show)})
    return shows


@action("properties.podcast")
@action("properties.podcastshow")
def podcast_property(call: Call) -> Content:
    """Return a property of each podcast or episode, by default its name."""
    return call.properties(item for item in call.input() if isinstance(item, AppItem | MadeAnswer))
