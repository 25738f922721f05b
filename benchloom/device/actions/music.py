"""Actions on music and podcasts; the songs and episodes are answers that the caller supplies."""

from benchloom.device.actions.photos import count_of
from benchloom.device.call import Call, action, answered, passed_on
from benchloom.device.items import AppItem, Content
from benchloom.device.items.coercion import content_text, text_of


@action("playmusic")
def play_music(call: Call) -> Content:
    """Log that music is played; return the input."""
    return call.pass_on(
        "played music",
        music=[text_of(item) for item in call.input("WFMediaItems")],
        shuffle=call.text("WFPlayMusicActionShuffle"),
        repeat=call.text("WFPlayMusicActionRepeat"),
    )


pause_music = passed_on("pausemusic", "playback", {"change": ("WFPlayPauseBehavior", "Play/Pause")})
skip_forward = passed_on("skipforward", "playback", change="next")
skip_back = passed_on("skipback", "playback", {"change": ("WFSkipBackBehavior", "Beginning")})
clear_queue = passed_on("clearupnext", "playback", change="clear queue")
add_to_queue = passed_on(
    "addmusictoupnext",
    "queued music",
    {"when": ("WFWhenToPlay", "Next")},
    content="WFMusic",
    texts="music",
)
add_to_playlist = passed_on(
    "addtoplaylist",
    "added to playlist",
    {"playlist": "WFPlaylistName"},
    content="WFInput",
    texts="music",
)


@action("createplaylist")
def create_playlist(call: Call) -> Content:
    """Log that a playlist of the input is created."""
    name, music = call.text("WFPlaylistName"), call.input("WFPlaylistItems")
    call.run.effect("created playlist", {"name": name, "music": [text_of(item) for item in music]})
    return (AppItem("playlist", name, {"Songs": list(music)}),)


playlist = answered("get.playlist", "Songs of the playlist {WFPlaylistName}", WFPlaylistName="")
current_song = answered("getcurrentsong", "Current song")


@action("exportsong")
def select_music(call: Call) -> Content:
    """Return the music that the user selects, one song unless several are allowed."""
    music = call.run.ask("Select music")[0]
    return music if call.flag("WFExportSongActionSelectMultiple") else music[:1]


recognise_song = answered("shazamMedia", "Recognised song")


library = answered("getpodcastsfromlibrary", "Podcasts of the library")


@action("getepisodesforpodcast")
def episodes(call: Call) -> Content:
    """Return the episodes of each podcast, from the supplied answers.

    Nothing is downloaded: the episodes are an answer from a file or a simulated answer.
    """
    return call.ask_each("Episodes of the podcast {}", map(text_of, call.input()))


@action("searchpodcasts")
def search(call: Call) -> Content:
    """Return the podcasts that a search of the store finds, from the supplied answers.

    The store is not searched: the podcasts are an answer from a file or a simulated answer.
    """
    term = content_text(call.input("WFSearchTerm"))
    if not term:
        return ()
    call.run.effect("request", {"store": "podcasts", "term": term})
    shows = call.run.ask(f"Podcasts about {term}")[0]
    return shows[: count_of(call, "WFItemLimit")] if call.has("WFItemLimit") else shows


play = passed_on(
    "playpodcast",
    "played podcast",
    {"order": "WFPodcastPlaybackOrder"},
    content="WFPodcastShow",
    texts="podcasts",
)


@action("podcasts.subscribe")
def subscribe(call: Call) -> Content:
    """Log that each podcast is subscribed to; return the podcasts."""
    shows = call.input()
    for show in shows:
        call.run.effect("subscribed to podcast", {"podcast": text_of(show)})
    return shows
