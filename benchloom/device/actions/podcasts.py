"""Podcasts: shows and episodes, which are answers."""

from benchloom.device.actions.photos import count_of
from benchloom.device.call import Call, action, answered
from benchloom.device.items import AppItem, Content, MadeAnswer
from benchloom.device.items.coercion import content_text, text_of

library = answered("getpodcastsfromlibrary", "Podcasts of the library")


@action("getepisodesforpodcast")
def episodes(call: Call) -> Content:
    """Return the episodes of each podcast, which are answers."""
    return call.ask_each("Episodes of the podcast {}", map(text_of, call.input()))


@action("searchpodcasts")
def search(call: Call) -> Content:
    """Return the podcasts that a search of the store gives, which are an answer."""
    term = content_text(call.input("WFSearchTerm"))
    if not term:
        return ()
    call.run.effect("request", {"store": "podcasts", "term": term})
    shows = call.run.ask(f"Podcasts about {term}")[0]
    return shows[: count_of(call, "WFItemLimit")] if call.has("WFItemLimit") else shows


@action("playpodcast")
def play(call: Call) -> Content:
    """Play a podcast, which is an effect; the podcast is passed on."""
    shows = call.input("WFPodcastShow")
    order = call.text("WFPodcastPlaybackOrder")
    details: dict[str, object] = {"podcasts": [text_of(show) for show in shows], "order": order}
    call.run.effect("played podcast", details)
    return shows


@action("podcasts.subscribe")
def subscribe(call: Call) -> Content:
    """Subscribe to each podcast, which is an effect; the podcasts are passed on."""
    shows = call.input()
    for show in shows:
        call.run.effect("subscribed to podcast", {"podcast": text_of(show)})
    return shows


@action("properties.podcast")
@action("properties.podcastshow")
def podcast_property(call: Call) -> Content:
    """Return a property of each podcast or episode: its name if none is chosen."""
    return call.properties(item for item in call.input() if isinstance(item, AppItem | MadeAnswer))
