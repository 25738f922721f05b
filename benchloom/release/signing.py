"""Sign `manifest.json`, which lists every other file of a release, in minisign's format.

The library is py-minisign, an optional dependency that only signatures need.
"""

import importlib
from pathlib import Path
from types import ModuleType

from benchloom.core.errors import GateError, RunError, extra
from benchloom.release.manifest import MANIFEST, SIGNATURE, Manifest, read_manifest
from benchloom.storage.workspace import write_file

MAX_BYTES = 8 * 1024
"""Maximum size of a key or signature file in bytes. Real files have a few hundred bytes."""
_TRUSTED = "trusted comment: "
_COMMENT = "benchloom release {} {}"


def sign_release(folder: Path, key: Path, password: str | None = None) -> Path:
    """Sign a release with a secret key of minisign, and return the path of the signature.

    Raises RunError if the key or its password cannot be used, or py-minisign is not installed.
    """
    minisign = _library()
    manifest = read_manifest(folder)
    try:
        secret = minisign.SecretKey.from_bytes(_content(key))
        if secret.is_encrypted():
            if password is None:
                raise RunError(f"{key} has a password; set BENCHLOOM_SIGN_PASSWORD")
            secret.decrypt(password)
        content = (folder / MANIFEST).read_bytes()
        signature = secret.sign(content, trusted_comment=_comment_of(manifest))
    except minisign.Error as error:
        raise RunError(f"{key} is not a usable secret key of minisign: {error}") from error
    path = folder / SIGNATURE
    write_file(path, bytes(signature))
    return path


def check_signature(folder: Path, key: Path) -> str:
    """Verify the signature of a release with a public key, and return the signer's comment.

    Raises RunError if the key cannot be used, and GateError if the signature is missing or does not
    match.
    """
    minisign = _library()
    try:
        public = minisign.PublicKey.from_bytes(_content(key))
    except minisign.Error:
        try:
            public = minisign.PublicKey.from_base64(_content(key).strip())
        except minisign.Error as error:
            raise RunError(f"{key} is not a public key of minisign: {error}") from error
    path = folder / SIGNATURE
    if not path.is_file():
        raise GateError(f"{folder.name} is not signed", (f"{SIGNATURE}: the file is missing",))
    try:
        signature = minisign.Signature.from_bytes(_content(path))
        public.verify((folder / MANIFEST).read_bytes(), signature)
    except (minisign.Error, RunError) as error:
        raise GateError(
            f"{folder.name} is not signed by {key.name}", (f"{SIGNATURE}: {error}",)
        ) from error
    return str(signature.trusted_comment)


def signature_note(folder: Path, manifest: Manifest) -> str:
    """Say in one line whether a release is signed, for people without the public key.

    The signature is not verified; only its comment is compared with the manifest.
    """
    path = folder / SIGNATURE
    if not path.is_file():
        return f"not signed: there is no {SIGNATURE}"
    lines = _content(path).decode("utf-8", "replace").splitlines()
    comment = next((line[len(_TRUSTED) :] for line in lines if line.startswith(_TRUSTED)), "")
    if comment.startswith(_COMMENT.format("", "").rstrip()) and comment != _comment_of(manifest):
        return f"{SIGNATURE} is outdated: it belongs to {comment}; sign the release again"
    return f"signed, but {SIGNATURE} was not verified: pass the public key with --key FILE"


def _comment_of(manifest: Manifest) -> str:
    return _COMMENT.format(manifest.version, manifest.content_digest)


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RunError(f"{path}: {error.strerror or error}") from error
    if len(content) > MAX_BYTES:
        raise RunError(f"{path} is too large for a key or signature; pass a file of minisign")
    return content


def _library() -> ModuleType:
    with extra("sign", "signatures"):
        return importlib.import_module("minisign")
