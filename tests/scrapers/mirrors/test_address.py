"""Check which URLs mirrors accept, how they are displayed, and the path of their copy."""

from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from scrapers.mirrors import holds_secret, is_url, local_path, read_address, without_secrets

SECRET = "planted-4711"


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("s3://bucket/a/b/", "bucket/a/b"),
        ("s3://bucket", "bucket"),
        ("S3://bucket/a", "bucket/a"),
        ("https://host:81/a%20b/c.zip?version=2#part", "host:81/a b/c.zip"),
        ("github://owner:name@main/folder", "owner:name@main/folder"),
        ("memory:///a", "a"),
    ],
)
def test_path_of_a_copy_ends_like_its_url(url: str, path: str) -> None:
    parts = read_address(url).copy_path(Path("space")).relative_to("space/inputs").parts
    assert "/".join(parts[1:]) == path


def test_copies_of_different_urls_have_different_paths() -> None:
    urls = [
        "s3://b/x",
        "gs://b/x",
        "https://b/x",
        "http://b/x",
        "http://b/x?id=1",
        "http://b/x?id=2",
        "http://b/%78%20",
        "s3://b/x/y",
    ]
    folders = {read_address(url).copy_path(Path()).parts[1] for url in urls}
    assert len(folders) == len(urls)
    assert read_address("s3://b/x").copy_path(Path()) == read_address("s3://b/x/").copy_path(Path())


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("s3://", "the URL has no bucket"),
        ("s3:///", "the URL has no bucket"),
        ("memory://", "the URL has no host"),
        ("s3://bucket/../x", "'..' leads out of its folder"),
        ("s3://bucket//x", "two slashes without a name between them"),
        ("s3://bucket/" + "x" * 300, "has 300 bytes"),
        ("s3://bucket/a\nb", "a control character"),
        ("https://host/a/%2e%2e/x", "'..' leads out of its folder"),
        ("https://host/a%2Fb", "'a/b' leads out of its folder"),
        ("https://host/", "a web server cannot list a folder"),
        ("https://host/folder/", "a web server cannot list a folder"),
        ("https:///x", "a web server cannot list a folder"),
        ("https://[half/x", "Invalid IPv6"),
        ("zip://a::s3://bucket/x.zip", "pass the URL of the archive"),
        (f"s3://me:{SECRET}@bucket/x", "a URL must not contain a password"),
        (f"https://{SECRET}@host/x.zip", "a URL must not contain a password"),
    ],
)
def test_invalid_url_is_refused_in_one_line(url: str, fault: str) -> None:
    with pytest.raises(RunError) as caught:
        read_address(url)
    assert fault in str(caught.value)
    assert "\n" not in str(caught.value)
    assert SECRET not in str(caught.value)


def test_secrets_in_urls_are_hidden() -> None:
    assert without_secrets(f"https://host/a.zip?sig={SECRET}") == "https://host/a.zip?..."
    assert without_secrets(f"https://me:{SECRET}@host/a.zip") == "https://...@host/a.zip"
    assert without_secrets("s3://bucket/what?.json") == "s3://bucket/what?.json"
    assert without_secrets("github://owner:name@main/x") == "github://owner:name@main/x"


@pytest.mark.parametrize(
    ("url", "secret"),
    [
        ("https://h/a.zip?X-Amz-Signature=1", True),
        ("https://h/a.zip?x=1&sig=2", True),
        ("https://h/a.zip?access_token=1", True),
        ("https://h/a.zip?version=1", False),
        ("s3://b/x", False),
        ("github://owner:name@main/x", False),
        ("s3://me:word@b/x", True),
        ("a/path?token=1", False),
    ],
)
def test_urls_with_secrets_are_detected(url: str, secret: bool) -> None:
    assert holds_secret(url) is secret


def test_paths_and_file_urls_are_local() -> None:
    assert not is_url("/a/b")
    assert not is_url("C://x")
    assert local_path("file:///a/b c") == Path("/a/b c")
    assert local_path("s3://b/x") is None
    with pytest.raises(RunError, match="write file:///, and an absolute path"):
        local_path("file://host/x")
