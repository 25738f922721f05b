"""Sound and film: media files as opaque digests with named operations."""

from benchloom.device.call import Call, action, answered
from benchloom.device.items import (
    Content,
    File,
    MadeAnswer,
    derived,
    digest_of_text,
    ending_of_kind,
)
from benchloom.device.items.coercion import content_text
from benchloom.device.items.item_types import answer_file

_METADATA = ("Title", "Artist", "Album", "Genre", "Year")


def _media_of(content: Content) -> list[File]:
    files = [answer_file(item) if isinstance(item, MadeAnswer) else item for item in content]
    return [file for file in files if isinstance(file, File)]


def _encoded(file: File, settings: list[str], metadata: dict[str, str], *, is_sound: bool) -> File:
    kind = "com.apple.quicktime-movie"
    if is_sound:
        kind = "com.apple.m4a-audio" if settings[-1] == "M4A" else "public.aiff-audio"
    name = f"{file.name.rpartition('.')[0] or file.name}.{ending_of_kind(kind) or 'aiff'}"
    return derived(file, "encode", name, kind, settings=settings, metadata=metadata)


@action("encodemedia")
def encode(call: Call) -> Content:
    """Return each film or sound in another form: its sound alone, faster, or with metadata."""
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
    is_sound = call.flag("WFMediaAudioOnly")
    return tuple(
        _encoded(file, settings, metadata, is_sound=is_sound)
        for file in _media_of(call.input("WFMedia"))
    )


@action("trimvideo")
def trim(call: Call) -> Content:
    """Return each film or sound as the person trims it, which is an answer."""
    names = (file.name for file in _media_of(call.input("WFInputMedia")))
    return call.ask_each("Trim {}", names, 1)


record = answered("recordaudio", "Record audio")


def _spoken(text: str, voice: list[str]) -> File:
    digest = digest_of_text("\n".join(["spoken", *voice, text]))
    return File("Spoken Audio.m4a", "com.apple.m4a-audio", None, digest)


@action("makespokenaudiofromtext")
def spoken_audio(call: Call) -> Content:
    """Return a text as a file of speech."""
    text = content_text(call.input())
    names = ("Rate", "Pitch", "Language", "Voice")
    voice = [call.text(f"WFSpeakText{name}") for name in names]
    return (_spoken(text, voice),) if text else ()
