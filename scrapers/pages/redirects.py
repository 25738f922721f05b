"""Redirects inside a site."""

from collections.abc import Callable

import msgspec

from scrapers.errors import FetchError
from scrapers.pages.addresses import host_of, is_plain_address, join_address
from scrapers.pages.page import Page, PageRequest
from scrapers.pages.site import redirect_target

MAX_REDIRECTS = 5


def follow_inside(
    fetch: Callable[[PageRequest], Page], request: PageRequest, hosts: tuple[str, ...]
) -> Page:
    """Fetch a page, following redirects that stay on `hosts`; one that leaves them is returned.

    Raises FetchError (bad_redirect) after more than five redirects, and for a redirect to another
    port of the site or with user info.
    """
    for _ in range(MAX_REDIRECTS + 1):
        page = fetch(request)
        target = join_address(page.url or "", redirect_target(page))
        if target is None or host_of(target) not in hosts:
            return page
        if not is_plain_address(target):
            raise FetchError(request.url, "bad_redirect", "to another port, or with a user's name")
        request = msgspec.structs.replace(request, url=target)
    raise FetchError(request.url, "bad_redirect", f"more than {MAX_REDIRECTS} redirects")
