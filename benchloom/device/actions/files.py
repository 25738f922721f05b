"""Actions on files of the simulated device; no file of this machine is read or written."""

from benchloom.device.call import Call, action, property_of_each
from benchloom.device.errors import ActionError
from benchloom.device.items import (
    Content,
    File,
    Item,
    MadeAnswer,
    ending_of_kind,
    kind_of_name,
    text_file,
)
from benchloom.device.items.coercion import content_text, text_of
from benchloom.device.items.item_types import file_of
from benchloom.device.items.properties import type_name

_LONGEST_TEXT = 2000
_TEXT_KINDS = frozenset(kind_of_name(f"a.{ending}") for ending in ("txt", "csv", "json", "md"))


def _path(call: Call, name: str) -> str:
    return call.text(name).strip().strip("/")


@action("setitemname")
def set_name(call: Call) -> Content:
    """Return each item as a file with a name; the default extension is that of its type."""
    name = call.text("WFName")
    keeps_name = call.flag("WFDontIncludeFileExtension")
    return tuple(_named(file_of(item), name, keeps_name=keeps_name) for item in call.input())


def _named(file: File, name: str, *, keeps_name: bool) -> File:
    ending = ending_of_kind(file.kind)
    if not keeps_name and "." not in name and ending:
        name = f"{name}.{ending}"
    kind = kind_of_name(name, file.kind)
    return File(name, kind, file.text, file.digest, file.width, file.height)


@action("getitemtype")
def item_type(call: Call) -> Content:
    """Return the name of each item's type."""
    return tuple(type_name(item) for item in call.input())


@action("documentpicker.save")
def save_file(call: Call) -> Content:
    """Save each item as a file of the device, at the path or in the folder of the arguments.

    A simulated answer is saved as text if the path has the extension of a text file.
    """
    results: list[Item] = []
    target = call.text("WFFileDestinationPath")
    for item in call.input():
        is_text = isinstance(item, MadeAnswer) and kind_of_name(target) in _TEXT_KINDS
        file = file_of(text_of(item) if is_text else item)
        path = target.strip("/")
        if not path or target.endswith("/") or "." not in path.rpartition("/")[2]:
            path = f"{path}/{file.name}".strip("/")
        call.device.files[path] = file
        call.run.effect("saved file", _saved(path, file))
        results.append(file)
    return tuple(results)


def _saved(path: str, file: File) -> dict[str, object]:
    text = {} if file.text is None else {"text": file.text[:_LONGEST_TEXT]}
    return {"path": path, "digest": file.digest, **text}


@action("documentpicker.open")
def open_file(call: Call) -> Content:
    """Return a file of the device by its path.

    If the file is missing, return nothing if the action allows this. Otherwise return a file that
    is an answer from a file of answers, or a simulated answer.
    """
    path = _path(call, "WFGetFilePath")
    if path in call.device.files and not call.flag("WFShowFilePicker"):
        return (call.device.files[path],)
    if path and not call.flag("WFFileErrorIfNotFound", default=True):
        return ()
    return call.run.ask(f"File {path}".strip())[0]


@action("file.createfolder")
def create_folder(call: Call) -> Content:
    """Create a folder on the device."""
    path = _path(call, "WFFilePath")
    if not path:
        raise ActionError("a folder needs a name")
    folder = File(path.rpartition("/")[2], "public.folder")
    call.device.files.setdefault(f"{path}/", folder)
    call.run.effect("created folder", {"path": path})
    return (folder,)


@action("file.append")
def append_to_file(call: Call) -> Content:
    """Append text to a file of the device, by default on a new line."""
    path, added = _path(call, "WFFilePath"), content_text(call.input())
    before = call.device.files.get(path)
    text = added
    if before is not None:
        joint = "\n" if call.flag("WFAppendOnNewLine", default=True) else ""
        parts = (text_of(before), added)
        is_first = call.text("WFAppendFileWriteMode", "Append") == "Prepend"
        text = joint.join(parts[::-1] if is_first else parts)
    file = call.device.files[path] = text_file(path.rpartition("/")[2], text)
    call.run.effect("saved file", _saved(path, file))
    return (file,)


file_property = property_of_each(["properties.files"], lambda item: [file_of(item)])


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
