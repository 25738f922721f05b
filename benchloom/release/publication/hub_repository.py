"""Read and write a dataset repository on the Hugging Face Hub, to publish a release."""

import hashlib
import logging
import os
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from benchloom.core.errors import BenchloomError, RunError, extra
from benchloom.release.manifest import ReleaseFile, file_digest
from benchloom.release.publication.hub_faults import TokenError, ask_hub

if TYPE_CHECKING:
    from collections.abc import Sequence

    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
    from huggingface_hub.hf_api import RepoFile

DATASET: Final = "dataset"
MAIN: Final = "main"
T = TypeVar("T")
_TOKEN = re.compile(r"[!-~]+")


@dataclass(frozen=True)
class HubRefs:
    """The commit of the branch `main`, and a mapping from each tag to its commit."""

    main: str | None
    tags: dict[str, str]


@dataclass(frozen=True)
class HubFile:
    """A file on the Hub: its size, its git blob id, and its SHA-256 if Git LFS stores it."""

    bytes: int
    sha256: str | None
    blob: str

    def equals(self, file: ReleaseFile, folder: Path) -> bool:
        """Return whether this file has the same bytes as the release's file in `folder`."""
        if self.sha256 is not None:
            return (self.sha256, self.bytes) == (file.sha256, file.bytes)
        return self.bytes == file.bytes and self.blob == _git_blob(folder / file.path)


def _git_blob(path: Path) -> str:
    hasher = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            hasher.update(chunk)
    return hasher.hexdigest()


class HubRepository:
    """A dataset repository on the Hub. All methods raise the errors of `ask_hub`.

    HF_ENDPOINT is the address of the Hub, by default the public one, and HF_TOKEN is the token. The
    constructor raises RunError if the client is not installed, or the token is missing or
    malformed.
    """

    def __init__(self, address: str, repository: str) -> None:
        self.address = address
        self._name = repository
        self._token = _token(address)
        self._api = _client(address, self._token)

    def _request(self, call: Callable[[], T]) -> T:
        return ask_hub(self.address, self._token, call)

    def _call(self, method: Callable[..., T], *arguments: object, **options: object) -> T:
        return self._request(lambda: method(self._name, *arguments, repo_type=DATASET, **options))

    def check_identity(self) -> None:
        """Raise TokenError if the Hub does not recognise the token.

        All other errors are ignored: servers that imitate the Hub may lack this request, and the
        next request reports all other faults.
        """
        try:
            self._request(self._api.whoami)
        except TokenError:
            raise
        except BenchloomError:
            return

    def try_out(self) -> None:
        """Raise RunError if the token may not write to the repository.

        If the repository is missing, the token must be allowed to create it.
        """
        if self.refs() is not None:
            self._call(self._api.auth_check, write=True)
            return
        role = self._request(lambda: _role(self._api.whoami()))
        if role == "read":
            raise RunError(f"{self.address}: the token in HF_TOKEN lacks write access")

    def refs(self) -> HubRefs | None:
        """Return the commits of `main` and all tags, or None if the repository is missing."""
        from huggingface_hub.errors import RepositoryNotFoundError

        def read() -> HubRefs | None:
            try:
                refs = self._api.list_repo_refs(self._name, repo_type=DATASET)
            except RepositoryNotFoundError as error:
                if error.response.status_code == 404:
                    return None
                raise  # the Hub also reports an invalid token (401) as a missing repository
            main = [ref.target_commit for ref in refs.branches if ref.name == MAIN]
            return HubRefs(
                main=main[0] if main else None,
                tags={ref.name: ref.target_commit for ref in refs.tags},
            )

        return self._request(read)

    def files(self, commit: str) -> dict[str, HubFile]:
        """Return a mapping from path to file, for all files of a commit."""
        from huggingface_hub.hf_api import RepoFile

        def read() -> dict[str, HubFile]:
            tree = self._api.list_repo_tree(
                self._name, recursive=True, revision=commit, repo_type=DATASET
            )
            return {entry.path: _file(entry) for entry in tree if isinstance(entry, RepoFile)}

        return self._request(read)

    def content(self, commit: str, path: str) -> bytes:
        """Download a file of a commit and return its bytes. Use this for small files only."""
        with tempfile.TemporaryDirectory(prefix="benchloom-hub-") as folder:
            return self._download(commit, path, folder).read_bytes()

    def digest(self, commit: str, path: str) -> str:
        """Download a file of a commit and return the SHA-256 of its bytes."""
        with tempfile.TemporaryDirectory(prefix="benchloom-hub-") as folder:
            return file_digest(self._download(commit, path, folder))

    def _download(self, commit: str, path: str, folder: str) -> Path:
        download = self._api.hf_hub_download
        return Path(self._call(download, path, revision=commit, local_dir=folder))

    def create(self) -> None:
        """Create the repository as a private one. Nothing happens if it already exists."""
        self._call(self._api.create_repo, private=True, exist_ok=True)

    def upload(self, additions: "Sequence[CommitOperationAdd]") -> None:
        """Upload large files before the commit that adds them.

        Files that the Hub already has are skipped.
        """
        self._call(self._api.preupload_lfs_files, additions, free_memory=False)

    def commit(
        self,
        operations: "Sequence[CommitOperationAdd | CommitOperationDelete]",
        title: str,
        text: str,
        parent: str | None,
    ) -> str:
        """Commit all operations to `main`, or none of them.

        Returns the id of the new commit. If `parent` is set and is not the newest commit of `main`,
        the commit fails.
        """
        new_commit = self._call(
            self._api.create_commit,
            operations,
            commit_message=title,
            commit_description=text,
            parent_commit=parent,
        )
        return new_commit.oid

    def tag(self, tag: str, commit: str) -> None:
        """Give a commit a tag. An existing tag is never moved."""
        self._call(self._api.create_tag, tag=tag, revision=commit)


def _role(account: Mapping[str, Any]) -> str:
    access_token = account.get("auth", {}).get("accessToken", {})
    return str(access_token.get("role", ""))


def _file(entry: "RepoFile") -> HubFile:
    return HubFile(
        bytes=entry.size, sha256=entry.lfs.sha256 if entry.lfs else None, blob=entry.blob_id
    )


def _token(address: str) -> str:
    token = os.environ.get("HF_TOKEN", "").strip()
    if not token:
        raise RunError(f"{address}: set HF_TOKEN to a token of the Hub with write access")
    if not _TOKEN.fullmatch(token):
        raise RunError(f"{address}: HF_TOKEN contains characters that a token cannot have")
    return token


def _client(address: str, token: str) -> "HfApi":
    # Git LFS identifies files by SHA-256, so a resumed publication sends no file twice. The
    # client's newer protocol (Xet) sends chunks to another service.
    os.environ.setdefault("HF_HUB_DISABLE_XET", "1")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    try:
        with extra("hub", f"{address}: publications to the Hub"):
            from huggingface_hub import HfApi
    except ValueError as error:
        raise RunError(f"{address}: HF_ENDPOINT is not a valid address: {error}") from error
    # The client's warnings about repeated requests contain signed addresses.
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
    return HfApi(endpoint=os.environ.get("HF_ENDPOINT") or None, token=token)
