"""Inputs behind URLs, copied into the workspace file by file, so that stages read local files.

This module says which URLs are allowed, how messages show them and where a copy goes. `store`
queries the file system behind a URL, `record` remembers the fetched files, and `mirroring` makes
the copy equal to the store.
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
"""The folder of a workspace that holds the copies."""
LOCAL = frozenset({"file", "local"})
WEB = frozenset({"http", "https"})
EXTRAS = {"hf": "hub", "http": "s3", "https": "s3", "s3": "s3", "s3a": "s3"}
"""The extra that each protocol needs; the extra for S3 also installs aiohttp."""
LOGIN = re.compile(r"(?!github:)[a-z][a-z0-9+.-]*://[^/\s@]*:[^/\s@]+@", re.IGNORECASE)
"""The beginning of an address with a password; `github://owner:name@commit/` has none."""
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://(.*)", re.DOTALL)
_SECRET = re.compile(
    r"[?&][^=&#]*(?:secret|passw|token|key|credential|signature|\bsig\b|auth)[^=&#]*=",
    re.IGNORECASE,
)
_NO_LOGIN_FOR = re.compile(r"https?://[^/\s]*@", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_KEY_DIGITS = 16
_LONGEST_NAME = 255
"""Bytes of one name in the file systems of Linux and macOS."""


class Address(msgspec.Struct, frozen=True):
    """A URL of files: `parts` are the names in its path, with the host or bucket first."""

    url: str
    scheme: str
    parts: tuple[str, ...]

    @property
    def redacted_url(self) -> str:
        """The URL without secrets, for use in messages."""
        return without_secrets(self.url)

    @property
    def is_folder(self) -> bool:
        """Whether the URL ends with a slash, which marks a folder."""
        return self.url.endswith("/")

    @property
    def key(self) -> str:
        """The name of the copy in the workspace, which reveals nothing of the URL's query."""
        digest = hashlib.sha256(self.url.rstrip("/").encode()).hexdigest()
        return f"{self.scheme}-{digest[:_KEY_DIGITS]}"

    def copy_path(self, workspace: Path) -> Path:
        """Return the path of the copy in a workspace: the URL's path in the folder `key`.

        So paths in the copy are the same as in a local folder.
        """
        return workspace.joinpath(INPUTS, self.key, *self.parts)


def is_url(text: str) -> bool:
    """Whether an input is a URL and not a path."""
    return _URL.match(text) is not None


def is_remote(source: Path | str) -> bool:
    """Whether an input is a URL that names another machine."""
    return isinstance(source, str) and is_url(source) and _scheme(source) not in LOCAL


def _scheme(url: str) -> str:
    return url.partition("://")[0].lower()


def local_path(text: str) -> Path | None:
    """Return the path in a `file://` URL, or None for others.

    Raises MirrorError if the path is relative.
    """
    if not is_url(text) or _scheme(text) not in LOCAL:
        return None
    path = text.partition("://")[2]
    if not path.startswith("/"):
        raise MirrorError(f"{text}: write {_scheme(text)}:///, and an absolute path")
    return Path(path)


def without_secrets(url: str) -> str:
    """Return a URL without possible secrets: no password, and no query of a web address."""
    without = re.sub(r"(?<=://)[^/\s@]*@", "...@", url) if _may_log_in(url) else url
    has_query = "?" in without and _scheme(url) in WEB
    return f"{without.partition('?')[0]}?..." if has_query else without


def holds_secret(text: str) -> bool:
    """Whether a URL has a password, or a query parameter whose name suggests a secret."""
    return is_url(text) and (_may_log_in(text) or _SECRET.search(text) is not None)


def _may_log_in(url: str) -> bool:
    return LOGIN.match(url) is not None or _NO_LOGIN_FOR.match(url) is not None


def read_address(url: str) -> Address:
    """Parse a URL of files without contacting its store.

    Raises:
        MirrorError: the URL is invalid, names no file, or contains a password, which is not shown.
    """
    url_match = _URL.match(url)
    if url_match is None:
        raise MirrorError(f"{url} is not a URL; write PROTOCOL://HOST/PATH")
    scheme, path = url_match[1].lower(), url_match[2]
    if _CONTROL.search(url):
        raise MirrorError(f"{without_secrets(url)!a}: a control character in a URL; remove it")
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
        raise MirrorError(f"{without_secrets(url)}: names no {missing_part}; add it")
    for name in names:
        if fault := name_fault(name):
            raise MirrorError(f"{without_secrets(url)}: {fault}")
    return tuple(names)


def name_fault(name: str) -> str | None:
    """Return why a store's name cannot be a local file or folder name, or None if it can."""
    if name == "":
        return "the path has an empty name between two slashes"
    if name in {".", ".."} or "/" in name:
        return f"'{name}' leads out of its folder"
    if _CONTROL.search(name):
        return f"a control character in {name!a}"
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return f"{name!a} is no UTF-8"
    if size > _LONGEST_NAME:
        return f"'{name[:40]}...' is a name of {size} bytes; the limit is {_LONGEST_NAME}"
    return None


Input = Path | str
"""A path, or the URL of files; both may be text."""


def input_path(source: Input, workspace: Path) -> Path:
    """Return the path of an input. The path of a URL is that of its copy after the download."""
    if isinstance(source, Path) or not is_url(source):
        return Path(source)
    return local_path(source) or read_address(source).copy_path(workspace)


def fetched(inputs: Iterable[Input], workspace: Path) -> list[Path]:
    """Copy all inputs behind URLs and return all paths; the caller must lock the workspace."""
    sources = list(inputs)
    places = [input_path(source, workspace) for source in sources]  # faults before any request
    for source in dict.fromkeys(source for source in sources if is_remote(source)):
        # Store clients are imported only for inputs behind URLs.
        from scrapers.mirrors.local_copy import mirror

        say(mirror(read_address(str(source)), workspace).summary_line)
    return places


@contextmanager
def read_here(inputs: Iterable[Input], workspace: Path) -> Iterator[list[Path]]:
    """Copy inputs behind URLs and yield all paths; copies do not change inside the `with` block."""
    sources = list(inputs)
    if not any(map(is_remote, sources)):
        yield [input_path(source, workspace) for source in sources]
        return
    with workspace_lock(workspace):
        yield fetched(sources, workspace.resolve())
