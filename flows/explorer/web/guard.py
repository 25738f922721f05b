"""Control access to pages: only a browser on this machine that has the token may request them."""

from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

from fastapi import Response
from fastapi.responses import HTMLResponse, RedirectResponse

from benchloom.worlds.servers.access import LOOPBACK_NAMES, headers_of, host_of, is_same
from flows.explorer.web.pages import render

COOKIE = "benchloom-explore"
TOKEN = "token"
_OPEN = frozenset({"/style.css", "/favicon.ico"})
"""Paths that need no token, because they contain no data of the release."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Headers that forbid scripts, frames, content from other sites, and caching."""


def guarded(application: Any, token: str, writes: frozenset[str] = frozenset()) -> Any:
    """Wrap an application so that requests need the token; an empty token disables the check.

    `writes` are the paths that accept our own forms.
    """

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return

        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                # A browser that may not send the referrer also hides the origin of a form.
                more = {"Referrer-Policy": "same-origin"} if scope["path"] in writes else {}
                headers = (HEADERS | more).items()
                own_headers = [(name.lower().encode(), text.encode()) for name, text in headers]
                own_names = {name for name, _ in own_headers}
                other_headers = [
                    header for header in message["headers"] if header[0].lower() not in own_names
                ]
                message = {**message, "headers": [*other_headers, *own_headers]}
            await send(message)

        refused = refusal(scope, token, writes)
        await (refused or application)(scope, receive, sent)

    return answer


def refusal(scope: Any, token: str, writes: frozenset[str] = frozenset()) -> Response | None:
    """Return the response that refuses or redirects a request.

    Returns None if the request is allowed.
    """
    headers = headers_of(scope["headers"])
    sent = scope["method"] == "POST" and scope["path"] in writes
    if scope["method"] != "GET" and not sent:
        return _message_page(405, "Pages cannot be changed", "Only GET requests are allowed.")
    # The browser sends the origin of the page that contains the form.
    if sent and headers.get("origin", "") != f"http://{headers.get('host', '')}":
        return _message_page(
            403, "Request of another site", "Use the form on a page of this explorer."
        )
    if host_of(headers.get("host", "")) not in LOOPBACK_NAMES:
        return _message_page(
            421, "Wrong host name", "Open the address that the command has printed."
        )
    if not _is_ours(headers):
        return _message_page(
            403, "Request of another site", "Open the address that the command has printed."
        )
    if not token or scope["path"] in _OPEN:
        return None
    pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    offered_token = next((value for name, value in pairs if name == TOKEN), None)
    if offered_token is not None and is_same(offered_token, token):
        return _enter(scope["path"], [pair for pair in pairs if pair[0] != TOKEN], token)
    if is_same(_cookie(headers.get("cookie", "")), token):
        return None
    return _message_page(
        403,
        "The token is missing",
        "Open the address with the token that the command has printed. If you followed a link on "
        "another page, press Enter in the address bar.",
    )


def _is_ours(headers: dict[str, str]) -> bool:
    """Whether a request comes from our pages, or from a user who opens one of our pages."""
    origin = headers.get("origin")
    if origin is not None and host_of(origin.partition("://")[2]) not in LOOPBACK_NAMES:
        return False
    if headers.get("sec-fetch-site") in {"cross-site", "same-site"}:
        # A page of another site may link to our pages, but load nothing from them.
        return headers.get("sec-fetch-mode") == "navigate" and (
            headers.get("sec-fetch-dest") == "document"
        )
    return True


def _cookie(text: str) -> str:
    try:
        morsel = SimpleCookie(text).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def _enter(path: str, pairs: list[tuple[str, str]], token: str) -> Response:
    """Redirect to the same page without the token in its URL, moving the token to a cookie."""
    url = "/" + path.lstrip("/\\") + (f"?{urlencode(pairs)}" if pairs else "")
    answer = RedirectResponse(url, status_code=303)
    answer.set_cookie(COOKIE, token, httponly=True, samesite="strict", path="/")
    return answer


def _message_page(status: int, title: str, text: str) -> Response:
    return HTMLResponse(render("message.html.j2", title=title, text=text, home=False), status)
