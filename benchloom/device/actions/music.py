"""Music: playback, queues and playlists; songs come from the supplied answers."""

from benchloom.device.call import Call, action, answered, passed_on
from benchloom.device.items import AppItem, Content, MadeAnswer
from benchloom.device.items.coercion import text_of


@action("playmusic")
def play_music(call: Call) -> Content:
    """Log that music is played; return the input."""
    return call.pass_on(
        "played music",
        music=[text_of(item) for item in call.input("WFMediaItems")],
        shuffle=call.text("WFPlayMusicActionShuffle"),
        repeat=call.text("WFPlayMusicActionRepeat"),
    )


@action("pausemusic")
def pause_music(call: Call) -> Content:
    """Log that playback starts or pauses; return the input."""
    return call.pass_on("playback", change=call.text("WFPlayPauseBehavior", "Play/Pause"))


skip_forward = passed_on("skipforward", "playback", change="next")


@action("skipback")
def skip_back(call: Call) -> Content:
    """Log a skip to the beginning or the previous song; return the input."""
    return call.pass_on("playback", change=call.text("WFSkipBackBehavior", "Beginning"))


clear_queue = passed_on("clearupnext", "playback", change="clear queue")


@action("addmusictoupnext")
def add_to_queue(call: Call) -> Content:
    """Log that music is added to the queue; return the music."""
    music = call.input("WFMusic")
    when = call.text("WFWhenToPlay", "Next")
    call.run.effect("queued music", {"music": [text_of(item) for item in music], "when": when})
    return music


@action("addtoplaylist")
def add_to_playlist(call: Call) -> Content:
    """Log that music is added to a playlist; return the music."""
    music = call.input()
    details: dict[str, object] = {
        "playlist": call.text("WFPlaylistName"),
        "music": [text_of(item) for item in music],
    }
    call.run.effect("added to playlist", details)
    return music


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


@action("properties.music")
def music_property(call: Call) -> Content:
    """Return a property of each song, by default its name."""
    return call.properties(item for item in call.input() if isinstance(item, AppItem | MadeAnswer))
