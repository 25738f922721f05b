"""The raw bytes of one response: their position in the archive and how they were fetched."""

from typing import Literal

import msgspec

CaptureKind = Literal["response", "rendered", "revisit", "fault"]


class Header(msgspec.Struct, frozen=True, gc=False):
    """One response header, with its name as the server wrote it."""

    name: str
    value: str


def header_value(headers: tuple[Header, ...], name: str) -> str | None:
    """Return the value of the first header called `name`, ignoring letter case."""
    lowercase_name = name.lower()
    return next((h.value for h in headers if h.name.lower() == lowercase_name), None)


class Capture(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One record of a web archive.

    `capture_id` identifies the content of a response (URL, status, body), not its time: the
    same response fetched twice has one id, so rows made from it do not depend on the clock.
    `kind` is `response`, `rendered` (the page after its scripts ran), `revisit` (unchanged
    since `refers_to`) or `fault` (no usable response; `fault` says why). `fetched_at` is UTC in
    ISO 8601. `body_digest` and `body_bytes` are the digest and size of the decoded body. `warc`
    is the file's path under the captures folder, `offset` and `length` the position of the
    record in it, in bytes.
    """

    capture_id: str
    site: str
    kind: CaptureKind
    url: str
    fetched_at: str
    status: int
    headers: tuple[Header, ...]
    body_digest: str
    body_bytes: int
    warc: str
    offset: int
    length: int
    refers_to: str | None = None
    fault: str | None = None

    def header(self, name: str) -> str | None:
        """The value of the first header called `name`, in any letter case."""
        return header_value(self.headers, name)
