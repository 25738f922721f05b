"""Actions on URLs, web pages and translations; web content comes from the supplied answers."""

from urllib.parse import SplitResult, urlsplit

from benchloom.device.call import Call, action, read_each, requested
from benchloom.device.errors import ActionError
from benchloom.device.items import Content, MadeAnswer, RichText
from benchloom.device.items.coercion import content_text, html_of, text_of
from benchloom.device.items.item_types import urls_of

detect_links = read_each(["detect.link"], urls_of)


@action("geturlcomponent")
def url_component(call: Call) -> Content:
    """Return a part of each URL, by default the scheme."""
    name = call.text("WFURLComponent", "Scheme")
    try:
        return tuple(
            _part(urlsplit(url.address), name)
            for item in call.input("WFURL")
            for url in urls_of(item)
        )
    except ValueError as error:
        raise ActionError(f"the URL is not valid: {error}") from error


def _part(parts: SplitResult, name: str) -> str:
    port = "" if parts.port is None else str(parts.port)
    values = {
        "Scheme": parts.scheme,
        "User": parts.username or "",
        "Password": parts.password or "",
        "Host": parts.hostname or "",
        "Port": port,
        "Path": parts.path,
        "Query": parts.query,
        "Fragment": parts.fragment,
    }
    if name not in values:
        raise ActionError(f"unknown part of a URL '{name}'")
    return values[name]


expand_url = requested("url.expand", "URL", "HEAD")
web_page = requested("getwebpagecontents")
headers = requested("url.getheaders", method="HEAD")


@action("properties.safariwebpage")
def page_property(call: Call) -> Content:
    """Return a property of each web page, by default its name.

    The URL is read from the page; other properties come from the supplied answers.
    """
    name = call.text("WFContentItemPropertyName", "Name")
    pages = call.input()
    if name == "Page URL":
        return call.each(urls_of)
    return tuple(part for page in pages for part in call.run.ask(f"{name} of {text_of(page)}")[0])


@action("text.translate")
def translate(call: Call) -> Content:
    """Return the translation of a text, from the supplied answers.

    Nothing is translated: the translation is an answer from a file or a simulated answer.
    """
    text = content_text(call.input("WFInputText"))
    language = call.text("WFSelectedLanguage")
    return call.run.ask(f"Translate to {language or 'English'}: {text}")[0] if text else ()


@action("showwebpage")
def show_web_page(call: Call) -> Content:
    """Log that a web page is shown; return its URL."""
    content = call.input("WFURL")
    call.run.effect("shown web page", {"url": content_text(content)})
    return content


@action("getipaddress")
def ip_address(call: Call) -> Content:
    """Return an IP address of the device, from the ranges reserved for documentation."""
    if call.text("WFIPAddressTypeOption", "IPv4") == "IPv6":
        return ("2001:db8::10",)
    is_local = call.text("WFIPAddressSourceOption", "External") == "Local"
    return ("192.168.0.10" if is_local else "192.0.2.10",)


@action("gethtmlfromrichtext")
def make_html(call: Call) -> Content:
    """Return each item as HTML; return simulated answers unchanged."""
    return tuple(item if isinstance(item, MadeAnswer) else html_of(item) for item in call.input())


@action("getrichtextfromhtml")
def rich_text(call: Call) -> Content:
    """Return HTML as rich text."""
    return (RichText(content_text(call.input("WFHTML"))),)
