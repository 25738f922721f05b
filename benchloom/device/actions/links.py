"""Links to files, addresses in texts, and files that are removed."""

from benchloom.device.call import Call, action
from benchloom.device.items import Content, Location, MadeAnswer
from benchloom.device.items.coercion import text_of
from benchloom.device.items.item_types import file_of


@action("file.getlink")
def file_link(call: Call) -> Content:
    """Share a file by a link, which is an effect; the link is an answer."""
    files = [file_of(item) for item in call.input("WFFile")]
    if not files:
        return ()
    call.run.effect("shared by link", {"files": [file.name for file in files]})
    return call.run.ask(f"Link to {files[0].name}")[0]


@action("file.delete")
def delete_file(call: Call) -> Content:
    """Delete files of the device by their bytes and name, which is an effect."""
    for item in call.input():
        file = file_of(item)
        paths = [path for path, stored in call.device.files.items() if stored == file]
        for path in paths:
            del call.device.files[path]
        call.run.effect("deleted file", {"name": file.name, "paths": list(paths)})
    return ()


@action("detect.address")
def addresses(call: Call) -> Content:
    """Return the addresses of the input: each text as a whole."""
    return tuple(
        item if isinstance(item, Location | MadeAnswer) else Location(text, street=text)
        for item in call.input()
        if (text := text_of(item).strip())
    )
