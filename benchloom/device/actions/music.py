"""Music: what plays, queues and playlists; songs are answers."""

from benchloom.device.call import GUESS, GUIDE, Call, Example, action
from benchloom.device.items.coercion import text_of
from benchloom.device.items.content import AppItem, Content, MadeAnswer
from benchloom.device.items.properties import property_of

_SONG = AppItem("music", "Anthem", {"Title": "Anthem", "Artist": "Ada"})
_ANSWER: Content = (MadeAnswer(("answer 0",)),)
_ANYTHING: tuple[Content, ...] = ((), ("x",), (1, 2))


def _passed_on(call: Call, kind: str, **details: object) -> Content:
    call.run.effect(kind, details)
    return call.previous


@action("playmusic", GUESS, *(Example({}, before, before) for before in ((), ("x",), (_SONG,))))
def play_music(call: Call) -> Content:
    """Play music, which is an effect; the input is passed on."""
    return _passed_on(
        call,
        "played music",
        music=[text_of(item) for item in call.input("WFMediaItems")],
        shuffle=call.text("WFPlayMusicActionShuffle"),
        repeat=call.text("WFPlayMusicActionRepeat"),
    )


@action("pausemusic", GUESS, *(Example({}, before, before) for before in _ANYTHING))
def pause_music(call: Call) -> Content:
    """Play or pause, which is an effect; the input is passed on."""
    return _passed_on(call, "playback", change=call.text("WFPlayPauseBehavior", "Play/Pause"))


@action("skipforward", GUESS, *(Example({}, before, before) for before in _ANYTHING))
def skip_forward(call: Call) -> Content:
    """Skip to the next song, which is an effect; the input is passed on."""
    return _passed_on(call, "playback", change="next")


@action("skipback", GUESS, *(Example({}, before, before) for before in _ANYTHING))
def skip_back(call: Call) -> Content:
    """Skip to the beginning or the previous song, which is an effect; the input is passed on."""
    return _passed_on(call, "playback", change=call.text("WFSkipBackBehavior", "Beginning"))


@action("clearupnext", GUESS, *(Example({}, before, before) for before in _ANYTHING))
def clear_queue(call: Call) -> Content:
    """Clear the queue of songs, which is an effect; the input is passed on."""
    return _passed_on(call, "playback", change="clear queue")


@action(
    "addmusictoupnext",
    GUESS,
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
    GUESS,
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
    f"{GUIDE}/apdaf74d75a5/ios",
    Example(
        {"WFPlaylistName": "Work", "WFPlaylistItems": (_SONG,)},
        (AppItem("playlist", "Work", {"Songs": [_SONG]}),),
    ),
    Example({"WFPlaylistName": "a"}, (AppItem("playlist", "a", {"Songs": ["x"]}),), ("x",)),
    Example({}, (AppItem("playlist", "", {"Songs": []}),)),
)
def create_playlist(call: Call) -> Content:
    """Create a playlist of the input, which is an effect."""
    name, music = call.text("WFPlaylistName"), call.input("WFPlaylistItems")
    call.run.effect("created playlist", {"name": name, "music": [text_of(item) for item in music]})
    return (AppItem("playlist", name, {"Songs": list(music)}),)


@action(
    "get.playlist",
    GUESS,
    Example({"WFPlaylistName": "Work"}, _ANSWER),
    Example({"WFPlaylistName": ("a",)}, _ANSWER, ("x",)),
    Example({}, _ANSWER),
)
def playlist(call: Call) -> Content:
    """Return the songs of a playlist, which are an answer."""
    return call.run.ask(f"Songs of the playlist {call.text('WFPlaylistName')}")[0]


@action(
    "getcurrentsong",
    f"{GUIDE}/apdd882cf653/ios",
    *(Example({}, _ANSWER, before) for before in _ANYTHING),
)
def current_song(call: Call) -> Content:
    """Return the song that plays, which is an answer."""
    return call.run.ask("Current song")[0]


@action(
    "exportsong",
    GUESS,
    Example({}, _ANSWER),
    Example({"WFExportSongActionSelectMultiple": True}, _ANSWER),
    Example({"WFExportSongActionSelectMultiple": False}, _ANSWER, ("x",)),
)
def select_music(call: Call) -> Content:
    """Return the music that the person selects, one song unless several are allowed."""
    music = call.run.ask("Select music")[0]
    return music if call.flag("WFExportSongActionSelectMultiple") else music[:1]


@action("shazamMedia", GUESS, *(Example({}, _ANSWER, before) for before in _ANYTHING))
def recognise_song(call: Call) -> Content:
    """Return the song that the microphone hears, which is an answer."""
    return call.run.ask("Recognised song")[0]


@action(
    "properties.music",
    GUESS,
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
    name = call.text("WFContentItemPropertyName", "Name")
    songs = [item for item in call.input() if isinstance(item, AppItem | MadeAnswer)]
    return tuple(property_of(song, name) for song in songs)
