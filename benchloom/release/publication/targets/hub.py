"""Publish to the Hugging Face Hub, where a release is a commit with the tag `v<version>`.

Large files are uploaded first. Then one commit adds the release and removes the files of the
previous release. Then the files are read back as a reader would download them, and at last the
commit is tagged. So `main` always contains a whole release, and only verified releases have tags.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from benchloom.core.errors import GateError, RunError
from benchloom.release.manifest import MANIFEST, ReleaseFile
from benchloom.release.publication.hub_repository import HubFile, HubRefs, HubRepository
from benchloom.release.publication.target import Publication, Step
from benchloom.release.versions import version_key

_MAX_FINDINGS = 100
SCHEMES = ("hf",)
_ADDRESS = re.compile(r"hf://datasets/([A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*)/?", re.ASCII)
_TAG = re.compile(r"v(\d+\.\d+\.\d+)", re.ASCII)
_AT_ONCE = 32  # Most files whose upload one request prepares.


def open_url(url: str) -> "HubTarget":
    """Return the target for the address `hf://datasets/OWNER/NAME`, or raise RunError."""
    match = _ADDRESS.fullmatch(url)
    if match is None:
        raise RunError(f"{url} is not a dataset on the Hub; write hf://datasets/OWNER/NAME")
    return HubTarget(url, match[1])


class _EarlierFile(msgspec.Struct, frozen=True):
    path: str
    bytes: int


class _Earlier(msgspec.Struct, frozen=True):
    # Only fields that the manifests of all formats have.
    version: str
    files: tuple[_EarlierFile, ...]


@dataclass(frozen=True)
class _RemoteState:
    # `refs` is None if there is no repository, `tagged` if there is no tag of the version. `files`
    # are the files of the tagged commit, else of `main`.
    refs: HubRefs | None
    tagged: str | None
    files: dict[str, HubFile]
    steps: list[Step]


class HubTarget:
    """A dataset repository on the Hub.

    HF_ENDPOINT is the address of the Hub, HF_TOKEN the token.
    """

    def __init__(self, url: str, repository: str) -> None:
        self.name = url
        self._repository = HubRepository(url, repository)

    def check_identity(self) -> None:
        """Raise TokenError if the Hub does not recognise the token."""
        self._repository.check_identity()

    def try_out(self) -> None:
        """Raise RunError if the token may not write to the repository.

        If the repository is missing, the token must be allowed to create it.
        """
        self._repository.try_out()

    def plan(self, publication: Publication) -> list[Step]:
        """Return the files to send, to keep and to remove. Files are compared by their digests."""
        return self._remote_state(publication).steps

    def send(self, publication: Publication, report: Callable[[Step], None]) -> list[Step]:
        """Upload, commit and read back the files, and tag the commit.

        If the release already has its tag on the Hub, the files are only compared with those on the
        Hub.
        """
        state = self._remote_state(publication)
        if state.refs is None:
            self._repository.create()
            state = self._remote_state(publication)
        if state.tagged is None:
            commit = self._commit(publication, state, report)
            self._verify(publication, commit)
            self._repository.tag(_tag(publication), commit)
        for step in state.steps:
            if step.action != "send":
                report(step)
        return state.steps

    def _remote_state(self, publication: Publication) -> _RemoteState:
        refs = self._repository.refs()
        tagged = refs.tags.get(_tag(publication)) if refs else None
        commit = tagged or (refs.main if refs else None)
        files = self._repository.files(commit) if commit else {}
        earlier = None if tagged else self._earlier(commit, files)
        same = {
            file.path
            for file in publication.files
            if file.path in files and files[file.path].equals(file, publication.folder)
        }
        version = publication.version
        if tagged or (earlier is not None and earlier.version == version):
            self._refuse_change(publication, same, whole=tagged is not None)
        elif refs is not None:
            self._refuse_going_back(version, refs, earlier)
        steps = [] if tagged else list(_removals(publication, files, earlier))
        steps += [
            _step(file, "keep" if file.path in same else "send") for file in publication.files
        ]
        return _RemoteState(refs, tagged, files, steps)

    def _earlier(self, commit: str | None, files: dict[str, HubFile]) -> _Earlier | None:
        if commit is None or MANIFEST not in files:
            return None
        content = self._repository.content(commit, MANIFEST)
        try:
            return msgspec.json.decode(content, type=_Earlier)
        except msgspec.DecodeError as error:
            finding = f"{MANIFEST}: {error}; publish to a separate repository"
            raise GateError(
                f"{self.name} has other files, which are not a release", (finding,)
            ) from error

    def _refuse_change(self, publication: Publication, same: set[str], *, whole: bool) -> None:
        names = [file.path for file in publication.files] if whole else [MANIFEST]
        differing = [name for name in names if name not in same]
        if differing:
            raise GateError(
                f"{self.name}: release {publication.version} is already published with other "
                "content; publish it as a new version",
                tuple(f"{name}: releases are never changed" for name in reversed(differing[-20:])),
            )

    def _refuse_going_back(self, version: str, refs: HubRefs, earlier: _Earlier | None) -> None:
        # Readers of `main` would get the rows of an older release.
        versions = [tag[1] for name in refs.tags if (tag := _TAG.fullmatch(name))]
        newest = max(
            [*versions, *([earlier.version] if earlier else [])], key=version_key, default=""
        )
        if newest and version_key(newest) > version_key(version):
            raise GateError(
                f"{self.name}: the newer release {newest} is already published",
                (f"{version} is older; build a release with a newer version",),
            )

    def _commit(
        self, publication: Publication, state: _RemoteState, report: Callable[[Step], None]
    ) -> str:
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        main = state.refs.main if state.refs else None
        sends = [step for step in state.steps if step.action == "send"]
        removals = [step for step in state.steps if step.action == "remove"]
        if main is not None and not sends and not removals:
            return main  # a publication that ended between its commit and its tag
        additions = [
            CommitOperationAdd(step.path, publication.folder / step.path) for step in sends
        ]
        for start in range(0, len(sends), _AT_ONCE):
            self._repository.upload(additions[start : start + _AT_ONCE])
            for step in sends[start : start + _AT_ONCE]:
                report(step)
        return self._repository.commit(
            [*additions, *(CommitOperationDelete(step.path, is_folder=False) for step in removals)],
            f"Release {publication.version}",
            publication.manifest.content_digest,
            main,
        )

    def _verify(self, publication: Publication, commit: str) -> None:
        # Git computes the names of small files from their content. The name of a file in LFS is
        # the digest that the client announced, so its bytes are downloaded and compared.
        files = self._repository.files(commit)
        differing = [
            file.path
            for file in publication.files
            if file.path not in files
            or not files[file.path].equals(file, publication.folder)
            or (
                files[file.path].sha256 is not None
                and self._repository.digest(commit, file.path) != file.sha256
            )
        ]
        if differing:
            findings = tuple(
                f"{path}: the digest of the sent file differs" for path in differing[:_MAX_FINDINGS]
            )
            raise GateError(
                f"{self.name}: upload failed, no tag was set; publish again",
                findings,
            )


def _tag(publication: Publication) -> str:
    return f"v{publication.version}"


def _step(file: ReleaseFile | _EarlierFile, action: str) -> Step:
    return Step(path=file.path, action=action, bytes=file.bytes)


def _removals(
    publication: Publication, files: dict[str, HubFile], earlier: _Earlier | None
) -> Iterator[Step]:
    # Files that the previous release did not contain are kept.
    release_paths = {file.path for file in publication.files}
    for file in earlier.files if earlier else ():
        if file.path in files and file.path not in release_paths:
            yield _step(file, "remove")
