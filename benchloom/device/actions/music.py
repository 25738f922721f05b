"""Music: what plays, queues and playlists; songs are answers."""

from benchloom.device.call import ANSWER, GUIDE, PASSED, Call, Example, action, answered, passed_on
from benchloom.device.items import AppItem, Content, MadeAnswer
from benchloom.device.items.coercion import text_of

_SONG = AppItem("music", "Anthem", {"Title": "Anthem", "Artist": "Ada"})


def _passed_on(call: Call, kind: str, **details: object) -> Content:
    call.run.effect(kind, details)
    return call.previous


@action("playmusic", *(Example({}, before, before) for before in ((), ("x",), (_SONG,))))
def play_music(call: Call) -> Content:
    """Play music, which is an effect; the input is passed on."""
    return _passed_on(
        call,
        "played music",
        music=[text_of(item) for item in call.input("WFMediaItems")],
        shuffle=call.text("WFPlayMusicActionShuffle"),
        repeat=call.text("WFPlayMusicActionRepeat"),
    )


@action("pausemusic", *PASSED)
def pause_music(call: Call) -> Content:
    """Play or pause, which is an effect; the input is passed on."""
    return _passed_on(call, "playback", change=call.text("WFPlayPauseBehavior", "Play/Pause"))


skip_forward = passed_on("skipforward", "playback", change="next")


@action("skipback", *PASSED)
def skip_back(call: Call) -> Content:
    """Skip to the beginning or the previous song, which is an effect; the input is passed on."""
    return _passed_on(call, "playback", change=call.text("WFSkipBackBehavior", "Beginning"))


clear_queue = passed_on("clearupnext", "playback", change="clear queue")


@action(
    "addmusictoupnext",
    Example({"WFMusic": (_SONG,)}, (_SONG,)),
    Example({"WFWhenToPlay": "Later"}, ("x",), ("x",)),
    Example({}, ()),
)
def add_to_queue(call: Call) -> Content:
    """Add music to the queue, which is an effect; the music is passed on."""
    music = call.input("WFMusic")
    when = call.text("WFWhenToPlay", "Next")
    call.run.effect("queued music", {"music": [text_of(item) for item in music], "when": when})
    return music


@action(
    "addtoplaylist",
    Example({"WFInput": (_SONG,), "WFPlaylistName": "Work"}, (_SONG,)),
    Example({}, (1, 2), (1, 2)),
    Example({"WFPlaylistName": "Work"}, ()),
)
def add_to_playlist(call: Call) -> Content:
    """Add music to a playlist, which is an effect; the music is passed on."""
    music = call.input()
    details: dict[str, object] = {
        "playlist": call.text("WFPlaylistName"),
        "music": [text_of(item) for item in music],
    }
    call.run.effect("added to playlist", details)
    return music


@action(
    "createplaylist",
    Example(
        {"WFPlaylistName": "Work", "WFPlaylistItems": (_SONG,)},
        (AppItem("playlist", "Work", {"Songs": [_SONG]}),),
    ),
    Example({"WFPlaylistName": "a"}, (AppItem("playlist", "a", {"Songs": ["x"]}),), ("x",)),
    Example({}, (AppItem("playlist", "", {"Songs": []}),)),
    source=f"{GUIDE}/apdaf74d75a5/ios",
)
def create_playlist(call: Call) -> Content:
    """Create a playlist of the input, which is an effect."""
    name, music = call.text("WFPlaylistName"), call.input("WFPlaylistItems")
    call.run.effect("created playlist", {"name": name, "music": [text_of(item) for item in music]})
    return (AppItem("playlist", name, {"Songs": list(music)}),)


playlist = answered("get.playlist", "Songs of the playlist {WFPlaylistName}", WFPlaylistName="")


current_song = answered("getcurrentsong", "Current song", f"{GUIDE}/apdd882cf653/ios")


@action(
    "exportsong",
    Example({}, ANSWER),
    Example({"WFExportSongActionSelectMultiple": True}, ANSWER),
    Example({"WFExportSongActionSelectMultiple": False}, ANSWER, ("x",)),
)
def select_music(call: Call) -> Content:
    """Return the music that the person selects, one song unless several are allowed."""
    music = call.run.ask("Select music")[0]
    return music if call.flag("WFExportSongActionSelectMultiple") else music[:1]


recognise_song = answered("shazamMedia", "Recognised song")


@action(
    "properties.music",
    Example({"WFInput": (_SONG,), "WFContentItemPropertyName": "Artist"}, ("Ada",)),
    Example({"WFInput": (_SONG,)}, ("Anthem",)),
    Example(
        {"WFContentItemPropertyName": "Album"},
        (MadeAnswer(("song", "Album")),),
        (MadeAnswer(("song",)),),
    ),
    Example({"WFInput": ("no song",), "WFContentItemPropertyName": "Artist"}, ()),
)
def music_property(call: Call) -> Content:
    """Return a property of each song: its name if none is chosen."""
    return call.properties(item for item in call.input() if isinstance(item, AppItem | MadeAnswer))
