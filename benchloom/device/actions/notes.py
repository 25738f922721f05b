"""Actions on notes, which are rows of the simulated everyday apps."""

from benchloom.device.call import Call, action
from benchloom.device.items import AppItem, Content, Item
from benchloom.device.items.coercion import content_text, text_of


@action("createnote")
@action("com.apple.mobilenotes.SharingExtension")
def create_note(call: Call) -> Content:
    """Create a note; its title is its first line."""
    body = content_text(call.input("WFCreateNoteInput"))
    title = body.partition("\n")[0].strip()
    folder = call.device.everyday.group_id("notebooks", call.text("folder"))
    created = call.change(
        "created note",
        "notes.create_note",
        {"title": title, "text": body, "notebook_id": folder},
        "note",
    )
    return (created or AppItem("note", title, {"Body": body}),)


@action("appendnote")
def append_to_note(call: Call) -> Content:
    """Append text to notes on a new line; return the notes."""
    added = content_text(call.input())
    results: list[Item] = []
    for item in call.content("WFNote"):
        if isinstance(item, AppItem) and item.row_id:
            arguments = {"note_id": item.row_id, "text": added}
            longer = call.change("appended to note", "notes.append_to_note", arguments, "note")
            results.append(longer or item)
            continue
        call.run.effect("appended to note", {"note": text_of(item), "text": added})
        if isinstance(item, AppItem):
            body = f"{text_of(item.properties.get('Body', ''))}\n{added}"
            results.append(AppItem(item.kind, item.name, {**item.properties, "Body": body}))
        else:
            results.append(item)
    return tuple(results)
