"""Tests of signing: releases are signed and verified, also by the minisign command if installed."""

import shutil
import subprocess
from pathlib import Path

import minisign
import pytest
from typer.testing import CliRunner

from benchloom.core.errors import BenchloomError, GateError, RunError
from benchloom.release import check_release
from benchloom.release.manifest import MANIFEST, SIGNATURE
from benchloom.release.publication import publish
from benchloom.release.publication.targets.filesystem import FileSystemTarget
from benchloom.release.signing import check_signature, sign_release
from flows.cli import build_app
from tests.support.samples.small_release import reseal, small_release


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_release(tmp_path_factory.mktemp("release"))


@pytest.fixture
def release(original: Path, tmp_path: Path) -> Path:
    return shutil.copytree(original, tmp_path / "releases" / original.name)


def write_keys(folder: Path, name: str = "key") -> tuple[Path, Path]:
    """Write a new key pair to files and return their paths: secret, public."""
    pair = minisign.KeyPair.generate()
    secret, public = folder / f"{name}.key", folder / f"{name}.pub"
    secret.write_bytes(bytes(pair.secret_key))
    public.write_bytes(bytes(pair.public_key))
    return secret, public


def run_benchloom(*words: object) -> BenchloomError | None:
    """Run the command line; return its one-line error, or None if it succeeded."""
    result = CliRunner().invoke(build_app(), [str(word) for word in words])
    if result.exception is None:
        assert result.exit_code == 0
        return None
    assert isinstance(result.exception, BenchloomError), result.exception
    assert len(str(result.exception).splitlines()) == 1
    return result.exception


def test_signed_release_is_verified_by_its_public_key(release: Path, tmp_path: Path) -> None:
    secret, public = write_keys(tmp_path)
    assert run_benchloom("release", "sign", release, "--key", secret) is None
    assert run_benchloom("release", "check", release, "--key", public) is None
    manifest = check_release(release)
    assert check_signature(release, public).endswith(manifest.content_digest)
    publish(release, FileSystemTarget(str(tmp_path / "published")))
    assert (
        run_benchloom("release", "check", tmp_path / "published" / "0.1.0", "--key", public) is None
    )


def test_other_key_or_changed_manifest_is_refused(release: Path, tmp_path: Path) -> None:
    secret, public = write_keys(tmp_path)
    _, other = write_keys(tmp_path, "other")
    missing = run_benchloom("release", "check", release, "--key", public)
    assert "is not signed" in str(missing)
    sign_release(release, secret)
    assert "not signed by other.pub" in str(
        run_benchloom("release", "check", release, "--key", other)
    )
    reseal(release, version="0.1.0", funnel=())
    changed = run_benchloom("release", "check", release, "--key", public)
    assert "not signed by key.pub" in str(changed)
    assert changed is not None
    assert changed.exit_code == 1


@pytest.mark.parametrize("content", [b"", b"\xff" * 400, b"a\n" * 4, b"x" * 100_000])
def test_invalid_key_or_signature_is_refused(release: Path, tmp_path: Path, content: bytes) -> None:
    secret, public = write_keys(tmp_path)
    bad = tmp_path / "bad"
    bad.write_bytes(content)
    with pytest.raises(RunError):
        sign_release(release, bad)
    with pytest.raises(RunError):
        check_signature(release, bad)
    sign_release(release, secret)
    (release / SIGNATURE).write_bytes(content)
    with pytest.raises(GateError):
        check_signature(release, public)
    with pytest.raises(RunError, match="nothing: No such file"):
        sign_release(release, tmp_path / "nothing")


def test_key_with_a_password_needs_it(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = minisign.KeyPair.generate()
    public = tmp_path / "key.pub"
    public.write_bytes(bytes(pair.public_key))
    pair.secret_key.encrypt("open", opslimit=minisign.OPSLIMIT // 1024, memlimit=2**24)
    secret = tmp_path / "key.key"
    secret.write_bytes(bytes(pair.secret_key))
    command = ("release", "sign", release, "--key", secret)
    assert "set BENCHLOOM_SIGN_PASSWORD" in str(run_benchloom(*command))
    monkeypatch.setenv("BENCHLOOM_SIGN_PASSWORD", "wrong")
    assert "is not a usable secret key" in str(run_benchloom(*command))
    monkeypatch.setenv("BENCHLOOM_SIGN_PASSWORD", "open")
    assert run_benchloom(*command) is None
    check_signature(release, public)


def test_minisign_command_verifies_and_signs_alike(release: Path, tmp_path: Path) -> None:
    command = shutil.which("minisign")
    if command is None:
        pytest.skip("the minisign command is not installed: see scripts/install-minisign")
    secret, public = tmp_path / "own.key", tmp_path / "own.pub"
    key_command = [command, "-G", "-W", "-p", str(public), "-s", str(secret)]
    subprocess.run(key_command, check=True, capture_output=True)
    sign_release(release, secret)
    names = ["-m", str(release / MANIFEST), "-x", str(release / SIGNATURE)]
    subprocess.run([command, "-V", "-p", str(public), *names], check=True, capture_output=True)
    (release / SIGNATURE).unlink()
    subprocess.run([command, "-S", "-s", str(secret), *names], check=True, capture_output=True)
    check_signature(release, public)
