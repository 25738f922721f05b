"""Check the HTTP client against a server that misbehaves."""

import socket
import time
from collections.abc import Iterator

import pytest

from demo.replica.faults import Kind
from demo.replica.server import Replica, running_replica
from demo.replica.settings import CONTACT, replica_settings
from scrapers.errors import FetchError, SettingsError, SiteRefusedError
from scrapers.http import transports
from scrapers.http.addresses import is_public
from scrapers.http.client import Client
from scrapers.http.transports import LiveTransport, public_addresses
from scrapers.settings import CrawlSettings

HOST = "www.rcuts.com"
URL = f"https://{HOST}/"


@pytest.fixture
def replica() -> Iterator[Replica]:
    with running_replica() as server:
        yield server


@pytest.fixture
def client(replica: Replica) -> Iterator[Client]:
    settings = replica_settings(replica, 0.0, timeout=0.3, page_bytes=4 * 1024 * 1024)
    with Client(settings) as replica_client:
        yield replica_client


@pytest.mark.parametrize("kind", ["server_error", "truncated", "wrong_length", "dropped", "slow"])
def test_temporary_fault_is_retried(replica: Replica, client: Client, kind: Kind) -> None:
    replica.faults.add(HOST, "/", kind, 2)
    answer = client.get(URL)
    assert answer.status == 200
    assert b"posts-wrapper" in answer.body


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("server_error", "server_error"),
        ("truncated", "truncated"),
        ("wrong_length", "truncated"),
        ("dropped", "truncated"),
        ("slow", "timeout"),
    ],
)
def test_permanent_fault_is_tried_three_times(
    replica: Replica, client: Client, kind: Kind, reason: str
) -> None:
    replica.faults.add(HOST, "/", kind, -1)
    with pytest.raises(FetchError) as caught:
        client.get(URL)
    assert caught.value.reason == reason
    replica.faults.clear()
    end = time.monotonic() + 5
    while len(replica.log) < 3 and time.monotonic() < end:
        time.sleep(0.05)  # a slow server finishes after its client has disconnected
    assert len(replica.log) == 3
    assert client.get(URL).status == 200


def test_retry_after_is_respected(replica: Replica, client: Client) -> None:
    replica.faults.add(HOST, "/", "retry_after", 1)
    client.get(URL)
    first, second = replica.log
    assert first.status == 429
    assert second.started - first.started >= 1.0


def test_retry_after_of_an_hour_is_a_refusal(replica: Replica, client: Client) -> None:
    replica.faults.add(HOST, "/", "wait_an_hour", -1)
    with pytest.raises(SiteRefusedError, match="3600"):
        client.get(URL)
    assert len(replica.log) == 1


@pytest.mark.parametrize("kind", ["forbidden", "challenge"])
def test_refusal_is_not_retried(replica: Replica, client: Client, kind: Kind) -> None:
    replica.faults.add(HOST, "/", kind, -1)
    with pytest.raises(SiteRefusedError, match="no more requests"):
        client.get(URL)
    assert len(replica.log) == 1


@pytest.mark.parametrize("kind", ["huge", "bomb"])
def test_oversized_answer_is_refused(replica: Replica, kind: Kind) -> None:
    replica.faults.add(HOST, "/", kind, -1)
    settings = replica_settings(replica, 0.0, page_bytes=4 * 1024 * 1024)
    start = time.monotonic()
    with Client(settings) as patient, pytest.raises(FetchError) as caught:
        patient.get(URL)
    assert caught.value.reason == "too_large"
    assert time.monotonic() - start < 30
    assert len(replica.log) <= 1


@pytest.mark.parametrize(
    "address", ["ftp://x.example/", "https://", "https://a:b@c.example", "//["]
)
def test_invalid_web_address_is_refused(client: Client, address: str) -> None:
    with pytest.raises(FetchError) as caught:
        client.get(address)
    assert caught.value.reason == "bad_url"


def test_requests_send_a_contact_over_one_connection(replica: Replica, client: Client) -> None:
    for number in range(5):
        client.get(f"{URL}{number}.html")
    assert {request.connection for request in replica.log if request.host == HOST}
    assert len({request.connection for request in replica.log}) == 1
    assert all(CONTACT in request.user_agent for request in replica.log)


def test_live_crawl_requires_a_contact_and_a_delay() -> None:
    with pytest.raises(SettingsError, match="BENCHLOOM_CONTACT"):
        Client(CrawlSettings())
    with pytest.raises(SettingsError, match="at least"):
        Client(CrawlSettings(contact=CONTACT, delay=0.5))
    with pytest.raises(SettingsError, match="retries"):
        Client(CrawlSettings(contact=CONTACT, retries=3))
    Client(CrawlSettings(contact=CONTACT)).close()


@pytest.mark.parametrize("address", ["10.0.0.1:80", "example.org:80", "8.8.8.8:80", "127.0.0.1"])
def test_replica_must_be_on_loopback(address: str) -> None:
    with pytest.raises(SettingsError, match="loopback"):
        Client(CrawlSettings(contact=CONTACT, replica=address))


_PRIVATE_TEXT = """
    127.0.0.1 0.0.0.0 10.1.2.3 172.16.0.9 192.168.1.1 169.254.169.254 100.64.0.1 192.0.2.1
    198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 192.88.99.1 2130706433 0x7f000001 0177.0.0.1
    127.1 0xa9fea9fe 2852039166 :: ::1 ::1%lo ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1
    ::ffff:a9fe:a9fe ::ffff:0:10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b::10.0.0.1 64:ff9b:1::8.8.8.8
    64:ff9b:1:a:b:: 2002:7f00:1:: 2002:a9fe:a9fe::1 2001:0:7f00:1::1
    2001:0:4136:e378:8000:63bf:5601:5601 fe80::1 fe80::1%eth0 [fe80::1] fec0::1 fc00::1
    fd00:ec2::254 ff02::1 2001:db8::1 100::1 2606:2800::5efe:10.0.0.1 2606:2800::200:5efe:a00:1
    4000::1 nonsense 300.1.1.1"""


@pytest.mark.parametrize("address", [*_PRIVATE_TEXT.split(), "", " "])
def test_private_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


_PUBLIC_TEXT = """
    93.184.216.34 8.8.8.8 134744072 0x08080808 2606:2800:220:1::1 2a00:1450:4001::200e
    64:ff9b::8.8.8.8 ::ffff:8.8.8.8 2002:808:808::1"""


@pytest.mark.parametrize("address", _PUBLIC_TEXT.split())
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "host",
    ["2130706433", "0x7f000001", "127.1", "0", "[::ffff:127.0.0.1]",
     "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[::]"],
)  # fmt: skip
def test_live_mode_refuses_private_addresses_in_any_notation(host: str) -> None:
    with Client(CrawlSettings(contact=CONTACT)) as client, pytest.raises(FetchError) as caught:
        client.get(f"http://{host}:9/")
    assert caught.value.reason == "address_refused"


def test_host_name_with_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 80)),
        (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("64:ff9b::a9fe:a9fe", 80, 0, 0)),
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_named: answers)
    with pytest.raises(FetchError) as caught:
        public_addresses("mixed.example", 80)
    assert caught.value.reason == "address_refused"


def test_live_mode_refuses_loopback_names(replica: Replica) -> None:
    with pytest.raises(FetchError) as caught:
        public_addresses("localhost", 80)
    assert caught.value.reason == "address_refused"
    with Client(CrawlSettings(contact=CONTACT)) as client, pytest.raises(FetchError) as caught:
        client.get(f"http://{replica.address}/")
    assert caught.value.reason == "address_refused"
    assert replica.log == []
    LiveTransport().close()


def test_live_mode_connects_to_the_checked_address(
    replica: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[str] = []

    def allow(address: str) -> bool:
        checked.append(address)
        return True

    monkeypatch.setattr(transports, "is_public", allow)
    with Client(CrawlSettings(contact=CONTACT)) as client:
        answer = client.get(f"http://localhost:{replica.server_port}/")
    assert answer.status == 404
    assert "127.0.0.1" in checked
    assert [request.host for request in replica.log] == ["localhost"]
