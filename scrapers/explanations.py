"""Explanations of the reasons for which a page or a link of a site has no row."""

from collections.abc import Mapping

from benchloom.core.errors import Explanation

EXPLANATIONS: Mapping[str, Explanation] = {
    "too_complex": Explanation("The page would take too much time or memory to read."),
    "drift": Explanation(
        "The page has changed so much that it cannot be read.",
        "Report the page to us; its captured bytes are kept.",
    ),
    "not_html": Explanation("The response is not a web page."),
    "not_found": Explanation("The page does not exist."),
    "no_rest_api": Explanation("The site does not offer its interface for programs."),
    "free_library": Explanation("The page is the overview of a free library, not an entry."),
    "no_listing_on_page": Explanation("The page lists no shortcut."),
    "shortcut_file": Explanation("The page is a shortcut file, not an entry."),
    "disallowed": Explanation("The robots.txt of the site does not allow the page."),
    "timeout": Explanation("The site did not respond in time.", "Crawl again later."),
    "connection": Explanation("The site could not be reached.", "Crawl again later."),
    "too_large": Explanation("The response is larger than the limit."),
    "truncated": Explanation("The response ended too early.", "Crawl again later."),
    "server_error": Explanation("The site reported an internal error.", "Crawl again later."),
    "too_many_requests": Explanation(
        "The site limited the number of requests.", "Crawl again later."
    ),
    "address_refused": Explanation(
        "The name leads to an address that is not on the public network."
    ),
    "bad_redirect": Explanation(
        "The site redirects in a circle, or to an address that the crawler does not follow."
    ),
    "bad_encoding": Explanation("The response has an unknown or damaged compression."),
    "bad_url": Explanation("The address is not a web address."),
    "no_browser": Explanation(
        "The page needs a browser, and there is none.", "See 'benchloom doctor'."
    ),
    "browser": Explanation("The browser could not show the page."),
}
