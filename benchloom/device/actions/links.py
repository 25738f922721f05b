"""Share files by links, detect addresses in texts, and delete files."""

from benchloom.device.call import Call, action
from benchloom.device.items import Content, Location, MadeAnswer
from benchloom.device.items.coercion import text_of
from benchloom.device.items.item_types import file_of


@action("file.getlink")
def file_link(call: Call) -> Content:
    """Log that a file was shared by a link; return the link from the supplied answers."""
    files = [file_of(item) for item in call.input("WFFile")]
    if not files:
        return ()
    call.run.effect("shared by link", {"files": [file.name for file in files]})
    return call.run.ask(f"Link to {files[0].name}")[0]


@action("file.delete")
def delete_file(call: Call) -> Content:
    """Delete each input file from the device and log an effect.

    Files of the device are deleted if they have the bytes and the name of an input file.
    """
    for item in call.input():
        file = file_of(item)
        paths = [path for path, stored in call.device.files.items() if stored == file]
        for path in paths:
            del call.device.files[path]
        call.run.effect("deleted file", {"name": file.name, "paths": list(paths)})
    return ()


@action("detect.address")
def addresses(call: Call) -> Content:
    """Return the addresses of the input; each text counts as an address."""
    return tuple(
        item if isinstance(item, Location | MadeAnswer) else Location(text, street=text)
        for item in call.input()
        if (text := text_of(item).strip())
    )
