"""This package copies inputs from URLs into the workspace, so that stages read local files.

This module knows which URLs are allowed, how messages show them and where the copies are. `store`
lists and fetches the files at a URL, `record` remembers the fetched files, and `local_copy` makes
the copy equal to the files at the URL.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from benchloom.core.progress import say
from benchloom.storage.workspace import workspace_lock
from scrapers.errors import MirrorError

INPUTS = "inputs"
"""The folder in a workspace that contains the copies."""
LOCAL = frozenset({"file", "local"})
WEB = frozenset({"http", "https"})
EXTRAS = {"hf": "hub", "http": "s3", "https": "s3", "s3": "s3", "s3a": "s3"}
"""A mapping from protocols to the extra that each needs; for the web this is aiohttp in `s3`."""
LOGIN = re.compile(r"(?!github:)[a-z][a-z0-9+.-]*://[^/\s@]*:[^/\s@]+@", re.IGNORECASE)
"""Matches the beginning of a URL with a password, but not `github://owner:name@commit/`."""
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://(.*)", re.DOTALL)
_SECRET = re.compile(
    r"[?&][^=&#]*(?:secret|passw|token|key|credential|signature|\bsig\b|auth)[^=&#]*=",
    re.IGNORECASE,
)
_NO_LOGIN_FOR = re.compile(r"https?://[^/\s]*@", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_KEY_DIGITS = 16
_LONGEST_NAME = 255
"""The maximum number of bytes in a file name on Linux and macOS."""


class Address(msgspec.Struct, frozen=True):
    """The URL of an input, parsed; `parts` are the host or bucket and the names in the path."""

    url: str
    scheme: str
    parts: tuple[str, ...]

    @property
    def redacted_url(self) -> str:
        """The URL without secrets, for messages."""
        return without_secrets(self.url)

    @property
    def is_folder(self) -> bool:
        """Whether the URL ends with a slash, which marks a folder."""
        return self.url.endswith("/")

    @property
    def key(self) -> str:
        """The name of the folder for the copy, a digest that does not reveal secrets in the URL."""
        digest = hashlib.sha256(self.url.rstrip("/").encode()).hexdigest()
        return f"{self.scheme}-{digest[:_KEY_DIGITS]}"

    def copy_path(self, workspace: Path) -> Path:
        """Return the path of the copy in a workspace.

        The path ends like that of the URL, so that rows name the same files as for a local input.
        """
        return workspace.joinpath(INPUTS, self.key, *self.parts)


def is_url(text: str) -> bool:
    """Whether a text is a URL and not a path."""
    return _URL.match(text) is not None


def is_remote(source: Path | str) -> bool:
    """Whether an input is a URL on another machine, so not a path and not a `file://` URL."""
    return isinstance(source, str) and is_url(source) and _scheme(source) not in LOCAL


def _scheme(url: str) -> str:
    return url.partition("://")[0].lower()


def local_path(text: str) -> Path | None:
    """Return the path that a `file://` URL contains, or None for any other text.

    Raises:
        MirrorError: the path is relative.
    """
    if not is_url(text) or _scheme(text) not in LOCAL:
        return None
    path = text.partition("://")[2]
    if not path.startswith("/"):
        raise MirrorError(f"{text}: write {_scheme(text)}:///, and an absolute path")
    return Path(path)


def without_secrets(url: str) -> str:
    """Return a URL with `...` in place of user name, password and the query of a web address."""
    without = re.sub(r"(?<=://)[^/\s@]*@", "...@", url) if _may_log_in(url) else url
    has_query = "?" in without and _scheme(url) in WEB
    return f"{without.partition('?')[0]}?..." if has_query else without


def holds_secret(text: str) -> bool:
    """Whether a text is a URL with a password, or with a parameter whose name suggests a secret."""
    return is_url(text) and (_may_log_in(text) or _SECRET.search(text) is not None)


def _may_log_in(url: str) -> bool:
    return LOGIN.match(url) is not None or _NO_LOGIN_FOR.match(url) is not None


def read_address(url: str) -> Address:
    """Parse the URL of an input, without contacting the server.

    Raises:
        MirrorError: the URL is invalid, names no file, or contains a password. The message does not
            show the password.
    """
    url_match = _URL.match(url)
    if url_match is None:
        raise MirrorError(f"{url} is not a URL; write PROTOCOL://HOST/PATH")
    scheme, path = url_match[1].lower(), url_match[2]
    if _CONTROL.search(url):
        raise MirrorError(
            f"{without_secrets(url)!a}: the URL contains a control character; remove this character"
        )
    if _may_log_in(url):
        raise MirrorError(
            f"{without_secrets(url)}: a URL must not contain a password; set credentials in the "
            f"environment, such as AWS_ACCESS_KEY_ID, or in ~/.netrc"
        )
    if "::" in path.partition("/")[0] or "::" in url.partition("://")[0]:
        raise MirrorError(
            f"{without_secrets(url)}: a URL cannot name a file inside an archive with '::'; "
            "pass the URL of the archive"
        )
    return Address(f"{scheme}://{path}", scheme, _parts(url, scheme, path))


def _parts(url: str, scheme: str, location: str) -> tuple[str, ...]:
    if scheme not in WEB:
        names = location.strip("/").split("/")
    else:
        try:
            url_parts = urlsplit(f"{scheme}://{location}")
            host, path = url_parts.netloc, url_parts.path
        except ValueError as error:
            raise MirrorError(f"{without_secrets(url)}: {error}") from error
        if not host or path.strip("/") == "" or path.endswith("/"):
            raise MirrorError(
                f"{without_secrets(url)}: the URL has no file name; a web server cannot list a "
                f"folder, so pass the URL of a file, such as a zip archive"
            )
        names = [host, *map(unquote, path.strip("/").split("/"))]
    if names == [""]:
        missing_part = "bucket" if scheme in {"s3", "s3a", "gs", "gcs"} else "host"
        raise MirrorError(
            f"{without_secrets(url)}: the URL has no {missing_part}; add the {missing_part}"
        )
    for name in names:
        if fault := name_fault(name):
            raise MirrorError(f"{without_secrets(url)}: {fault}")
    return tuple(names)


def name_fault(name: str) -> str | None:
    """Return why a name in a URL cannot be the name of a local file, or None if it can."""
    if name == "":
        return "the path contains two slashes without a name between them"
    if name in {".", ".."} or "/" in name:
        return f"'{name}' leads out of its folder"
    if _CONTROL.search(name):
        return f"the name {name!a} contains a control character"
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return f"the name {name!a} is not UTF-8"
    if size > _LONGEST_NAME:
        return f"the name '{name[:40]}...' has {size} bytes; the limit is {_LONGEST_NAME}"
    return None


Input = Path | str
"""An input: a path, which may be text, or the URL of a file or folder."""


def input_path(source: Input, workspace: Path) -> Path:
    """Return the local path of an input; for a URL it is the path of the copy in the workspace."""
    if isinstance(source, Path) or not is_url(source):
        return Path(source)
    return local_path(source) or read_address(source).copy_path(workspace)


def fetched(inputs: Iterable[Input], workspace: Path) -> list[Path]:
    """Copy all inputs at URLs into the workspace, and return the local paths of all inputs.

    The caller must have locked the workspace.
    """
    sources = list(inputs)
    places = [input_path(source, workspace) for source in sources]  # faults before any request
    for source in dict.fromkeys(source for source in sources if is_remote(source)):
        # Store clients are imported only for inputs behind URLs.
        from scrapers.mirrors.local_copy import mirror

        say(mirror(read_address(str(source)), workspace).summary_line)
    return places


@contextmanager
def read_here(inputs: Iterable[Input], workspace: Path) -> Iterator[list[Path]]:
    """Copy all inputs at URLs into the workspace, and yield the local paths of all inputs.

    If there are copies, the workspace is locked in the block, so that the copies do not change.
    """
    sources = list(inputs)
    if not any(map(is_remote, sources)):
        yield [input_path(source, workspace) for source in sources]
        return
    with workspace_lock(workspace):
        yield fetched(sources, workspace.resolve())
