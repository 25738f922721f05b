"""Actions on audio and video files, which have no bytes; an operation changes a file's digest."""

from benchloom.device.call import Call, action, answered
from benchloom.device.items import (
    Content,
    File,
    derived,
    digest_of_text,
    ending_of_kind,
)
from benchloom.device.items.coercion import content_text
from benchloom.device.items.item_types import files_in

_METADATA = ("Title", "Artist", "Album", "Genre", "Year")


@action("encodemedia")
def encode(call: Call) -> Content:
    """Return each film or sound encoded: as audio only, at another speed, or with metadata."""
    settings = [
        call.text("WFMediaSpeed", "Normal"),
        call.text("WFMediaCustomSpeed"),
        call.text("WFMediaSize", "Passthrough"),
        call.text("WFMediaAudioFormat", "M4A"),
    ]
    metadata: dict[str, str] = {}
    if call.flag("Metadata"):
        texts = {part: call.text(f"WFMetadata{part}") for part in _METADATA}
        metadata = {part: text for part, text in texts.items() if text}
    kind = "com.apple.quicktime-movie"
    if call.flag("WFMediaAudioOnly"):
        kind = "com.apple.m4a-audio" if settings[-1] == "M4A" else "public.aiff-audio"
    ending = ending_of_kind(kind) or "aiff"
    return tuple(
        derived(
            file,
            "encode",
            f"{file.name.rpartition('.')[0] or file.name}.{ending}",
            kind,
            settings=settings,
            metadata=metadata,
        )
        for file in files_in(call.input("WFMedia"))
    )


@action("trimvideo")
def trim(call: Call) -> Content:
    """Return each film or sound after the user trimmed it, from the supplied answers.

    The device has no user, so each trimmed file is an answer from a file or a simulated answer.
    """
    names = (file.name for file in files_in(call.input("WFInputMedia")))
    return call.ask_each("Trim {}", names, 1)


record = answered("recordaudio", "Record audio")


@action("makespokenaudiofromtext")
def spoken_audio(call: Call) -> Content:
    """Return a text as an audio file of its speech."""
    text = content_text(call.input())
    names = ("Rate", "Pitch", "Language", "Voice")
    voice = [call.text(f"WFSpeakText{name}") for name in names]
    digest = digest_of_text("\n".join(["spoken", *voice, text]))
    return (File("Spoken Audio.m4a", "com.apple.m4a-audio", None, digest),) if text else ()
