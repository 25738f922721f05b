"""Actions that ask the user or show something, use the clipboard, or open or request URLs."""

from benchloom.device.call import Call, action, passed_on
from benchloom.device.errors import ActionError
from benchloom.device.items import Content, Item, MadeAnswer, Url
from benchloom.device.items.coercion import content_text, number_of, text_of
from benchloom.device.items.item_types import dates_of, urls_of


@action("ask")
def ask(call: Call) -> Content:
    """Ask the user for a text, number, date or URL.

    A simulated user answers with the default answer of the action, if it has one.
    """
    kind = call.text("WFInputType", "Text")
    default = call.text(f"WFAskActionDefaultAnswer{'Number' if kind == 'Number' else ''}")
    answer, is_made = call.run.ask(call.text("WFAskActionPrompt"))
    if is_made and default:
        answer = (default,)
    results: list[Item] = []
    for item in answer:
        match kind:
            case "Number":
                number = number_of(item)
                results += () if number is None else (number,)
            case "Date" | "Time" | "Date and Time":
                results += dates_of(item, call.now)
            case "URL":
                results += urls_of(item) or (Url(text_of(item)),)
            case _:
                results.append(text_of(item))
    return tuple(results)


@action("choosefromlist")
def choose_from_list(call: Call) -> Content:
    """Let the user choose items, or keys of a dictionary; return the items or the keys' values.

    That keys return their values was not checked on a device.
    """
    content = call.input()
    if len(content) == 1 and isinstance(content[0], dict):
        names, items = tuple(content[0]), tuple(content[0].values())
    elif len(content) == 1 and isinstance(content[0], list):
        items = tuple(content[0])
        names = tuple(map(text_of, items))
    else:
        names, items = tuple(map(text_of, content)), content
    if not items:
        return ()
    answer, _ = call.run.ask(call.text("WFChooseFromListActionPrompt"), names)
    positions = {name: position for position, name in reversed([*enumerate(names)])}
    chosen = {item if type(item) is int else positions.get(text_of(item), 0) for item in answer}
    if not call.flag("WFChooseFromListActionSelectMultiple"):
        chosen = {min(chosen, default=0)}
    return tuple(item for position, item in enumerate(items) if position in chosen)


alert = passed_on(
    "alert", "alert", {"title": "WFAlertActionTitle", "message": "WFAlertActionMessage"}
)
notification = passed_on(
    "notification",
    "notification",
    {"title": "WFNotificationActionTitle", "body": "WFNotificationActionBody"},
)
show_result = passed_on("showresult", "shown", {"text": "Text"})
quick_look = passed_on("previewdocument", "shown", content="WFInput")


@action("openurl")
def open_url(call: Call) -> Content:
    """Log that URLs are opened; return the input."""
    content = call.input()
    for item in content:
        urls = urls_of(item) or [Url(text_of(item))]
        for url in urls:
            if url.address:
                call.run.effect("opened URL", {"url": url.address})
    return content


@action("setclipboard")
def set_clipboard(call: Call) -> Content:
    """Copy the input to the clipboard; return the input."""
    content = call.input()
    call.device.clipboard = content
    call.run.effect("clipboard", {"text": content_text(content)[:2000]})
    return content


@action("getclipboard")
def get_clipboard(call: Call) -> Content:
    """Return the content of the clipboard."""
    return call.device.clipboard


@action("downloadurl")
def get_contents(call: Call) -> Content:
    """Log that a URL is requested; return its content from the supplied answers.

    Nothing is downloaded: the content is an answer from a file or a simulated answer.
    """
    content = call.input("WFURL")
    items = [
        url.address for item in content if isinstance(item, MadeAnswer) for url in urls_of(item)
    ]
    url = items[0] if items else content_text(content)
    if not url:
        raise ActionError("Get Contents of URL needs a URL")
    return call.request(url, call.text("WFHTTPMethod", "GET"))


wait = passed_on("delay")
