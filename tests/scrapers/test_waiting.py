"""Check that waits of a crawl are limited, and that redirects stay on plain addresses."""

import itertools
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from pathlib import Path

import pytest

from demo.replica.exchange import Request, Response, plain_404, robots
from demo.replica.server import running_replica
from demo.replica.settings import CONTACT, replica_settings
from demo.replica.world import World
from flows.stages.listings.crawl import crawl_sites
from flows.stages.listings.site_report import SiteReport
from scrapers.errors import FetchError, SiteRefusedError
from scrapers.http.answers import retry_after
from scrapers.http.client import WHOLE_REQUEST, Client
from scrapers.pages.addresses import is_plain_address
from scrapers.settings import CrawlSettings

HOST = "www.rcuts.com"
URL = f"https://{HOST}/"
TIMEOUT = 0.2
START = b"HTTP/1.1 200 OK\r\n"
Send = Callable[[socket.socket], None]


def send_slowly(first: bytes, piece: bytes, pause: float = 0.05) -> Send:
    """Return a function that sends some first bytes, then one piece after each pause."""

    def send(connection: socket.socket) -> None:
        connection.sendall(first)
        for _ in itertools.count():
            connection.sendall(piece)
            time.sleep(pause)

    return send


@contextmanager
def running_server(send: Send) -> Iterator[tuple[str, list[float]]]:
    """Run a server that answers every connection alike; yield its address and the request times."""
    request_times: list[float] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    request_times.append(time.monotonic())
                    with connection, suppress(OSError):
                        connection.recv(65536)
                        send(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}", request_times
        listening.shutdown(socket.SHUT_RDWR)
    thread.join(5)


@pytest.mark.long
@pytest.mark.parametrize(
    "send",
    [
        send_slowly(START, b"X"),
        send_slowly(START, b"X-Long: header\r\n"),
        send_slowly(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        send_slowly(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 400, 0.0),
        send_slowly(START + b"Content-Length: 9999\r\n\r\n", b"x"),
        send_slowly(START + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        send_slowly(START + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x"),
    ],
    ids=["header", "headers", "continue", "continue at once", "body", "chunks", "chunk header"],
)
def test_slow_answer_is_refused_at_the_limit(send: Send) -> None:
    with running_server(send) as (address, request_times):
        settings = CrawlSettings(contact=CONTACT, replica=address, delay=0, timeout=TIMEOUT)
        start = time.monotonic()
        with Client(settings) as client, pytest.raises(FetchError) as caught:
            client.get(URL)
        spent = time.monotonic() - start
    # Endless headers may also be refused for their size.
    assert caught.value.reason in {"timeout", "truncated"}
    if caught.value.reason == "timeout":
        assert len(request_times) == 1
    assert spent < 3 * WHOLE_REQUEST * TIMEOUT + 5


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("soon", None),
        ("7", 7.0),
        ("²", None),
        ("٣", None),
        ("-1", None),
        ("1.5", None),
        ("1e9", None),
        ("0", 0.0),
        (" 12 ", 12.0),
        ("9" * 400, None),
        ("Mon, 01 Jan 2024 00:00:00 +99999999999999", None),
        ("Mon, 99 Foo 99999 99:99:99 GMT", None),
        ("Mon, 01 Jan 0001 00:00:00 GMT", 0.0),
    ],
)
def test_retry_after_accepts_digits_and_dates(value: str | None, seconds: float | None) -> None:
    assert retry_after(value) == seconds


def test_retry_after_date_is_a_wait_until_then() -> None:
    moment = datetime.now(UTC) + timedelta(seconds=90)
    assert 80 < (retry_after(format_datetime(moment, usegmt=True)) or 0) <= 90


def _send(answer: bytes, connection: socket.socket) -> None:
    connection.sendall(answer)


def test_long_retry_after_is_refused() -> None:
    for header_value in (b"301", b"9" * 300):
        answer = (
            b"HTTP/1.1 503 No\r\nRetry-After: " + header_value + b"\r\nContent-Length: 0\r\n\r\n"
        )
        reply = partial(_send, answer)
        with running_server(reply) as (address, request_times):
            settings = CrawlSettings(contact=CONTACT, replica=address, delay=0)
            with (
                Client(settings) as client,
                pytest.raises(SiteRefusedError, match="the limit is 300 s"),
            ):
                client.get(URL)
        assert len(request_times) == 1


def crawl(folder: Path, answer: Callable[[Request], Response]) -> tuple[SiteReport, list[str]]:
    """Crawl a site that gives these answers, and return the report and the requested paths."""

    def respond(world: World, request: Request) -> Response:
        assert world.entries
        return answer(request)

    with running_replica() as replica:
        replica.overrides[HOST] = respond
        report = crawl_sites(["rcuts"], folder, replica_settings(replica, 0.0, timeout=1.0))[0]
        return report, [logged.path for logged in replica.log]


def redirect_to(target: str) -> Response:
    return Response(302, b"", (("Location", target),))


@pytest.mark.parametrize("delay", ["61", "1000000000", "1e300"])
def test_long_crawl_delay_is_a_refusal(tmp_path: Path, delay: str) -> None:
    report, paths = crawl(tmp_path, lambda _: robots(f"Crawl-delay: {delay}"))
    assert "robots.txt requires" in (report.refused or "")
    assert "the limit is 60 s" in (report.refused or "")
    assert paths == ["/robots.txt"]


@pytest.mark.parametrize("delay", ["-5", "nan", "inf", "²", ""])
def test_invalid_crawl_delay_is_ignored(tmp_path: Path, delay: str) -> None:
    report, paths = crawl(
        tmp_path,
        lambda request: (
            robots(f"Crawl-delay: {delay}") if request.path == "/robots.txt" else plain_404()
        ),
    )
    assert "Crawl-delay" not in (report.refused or "")
    assert "/" in paths


def test_robots_txt_redirects_inside_the_site_are_followed(tmp_path: Path) -> None:
    rules = {f"/robots-{n}.txt": redirect_to(f"/robots-{n + 1}.txt") for n in range(1, 5)}
    rules["/robots.txt"] = redirect_to(f"{URL}robots-1.txt")
    rules["/robots-5.txt"] = robots("Disallow: /")
    report, paths = crawl(tmp_path, lambda request: rules.get(request.path, plain_404()))
    assert "disallowed" in (report.refused or "")
    assert len(paths) == 6  # five hops

    rules["/robots-5.txt"] = redirect_to("/robots-6.txt")
    rules["/robots-6.txt"] = robots("Disallow:")
    report, paths = crawl(tmp_path / "six", lambda request: rules[request.path])
    assert "bad_redirect" in (report.refused or "")
    assert len(paths) == 6


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("https://elsewhere.example/robots.txt", "another site"),
        (f"https://{HOST}:8443/robots.txt", "bad_redirect"),
        (f"https://me:secret@{HOST}/robots.txt", "bad_redirect"),
    ],
)
def test_robots_txt_redirect_to_another_site_is_refused(
    tmp_path: Path, target: str, words: str
) -> None:
    report, paths = crawl(tmp_path, lambda _: redirect_to(target))
    assert words in (report.refused or "")
    assert paths == ["/robots.txt"]


@pytest.mark.parametrize("target", [f"https://{HOST}:22/x", f"http://a@{HOST}/x", f"//:@{HOST}/x"])
def test_redirects_to_other_ports_or_credentials_are_refused(tmp_path: Path, target: str) -> None:
    report, paths = crawl(
        tmp_path, lambda request: redirect_to(target) if request.path == "/" else plain_404()
    )
    assert [line.endswith("bad_redirect") for line in report.faults] == [True]
    assert paths == ["/robots.txt", "/"]
    assert not report.complete


def test_plain_addresses_have_default_ports_and_no_credentials() -> None:
    for address in (URL, f"http://{HOST}:80/", f"https://{HOST}:443/x?a=@"):
        assert is_plain_address(address)
    for address in (f"http://{HOST}:443/", f"https://@{HOST}/", "https://[::1", "ftp://x/", ""):
        assert not is_plain_address(address)
