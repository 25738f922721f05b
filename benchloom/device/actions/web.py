"""Links, parts of URLs, web pages and translations; web content comes from the supplied answers."""

from urllib.parse import SplitResult, urlsplit

from benchloom.device.call import Call, action
from benchloom.device.errors import ActionError
from benchloom.device.items import Content, MadeAnswer, RichText
from benchloom.device.items.coercion import content_text, html_of, text_of
from benchloom.device.items.item_types import urls_of


@action("detect.link")
def detect_links(call: Call) -> Content:
    """Return the URLs in the input."""
    return tuple(url for item in call.input() for url in urls_of(item))


@action("geturlcomponent")
def url_component(call: Call) -> Content:
    """Return a part of each URL, by default the scheme."""
    name = call.text("WFURLComponent", "Scheme")
    urls = [url for item in call.input("WFURL") for url in urls_of(item)]
    try:
        return tuple(_part(urlsplit(url.address), name) for url in urls)
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


@action("url.expand")
def expand_url(call: Call) -> Content:
    """Return the target of a shortened URL, from the supplied answers."""
    url = content_text(call.input("URL"))
    return call.request(url, "HEAD") if url else ()


@action("getwebpagecontents")
def web_page(call: Call) -> Content:
    """Return the contents of a web page, from the supplied answers."""
    url = content_text(call.input())
    return call.request(url) if url else ()


@action("url.getheaders")
def headers(call: Call) -> Content:
    """Return the HTTP headers of a URL's response, from the supplied answers."""
    url = content_text(call.input())
    return call.request(url, "HEAD") if url else ()


@action("properties.safariwebpage")
def page_property(call: Call) -> Content:
    """Return a property of each web page, by default its name.

    The URL is read from the page; other properties come from the supplied answers.
    """
    name = call.text("WFContentItemPropertyName", "Name")
    pages = call.input()
    if name == "Page URL":
        return tuple(url for page in pages for url in urls_of(page))
    return tuple(part for page in pages for part in call.run.ask(f"{name} of {text_of(page)}")[0])


@action("text.translate")
def translate(call: Call) -> Content:
    """Return the translation of a text, from the supplied answers."""
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
