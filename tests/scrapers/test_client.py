"""The one client against a server that misbehaves."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from demo.replica.faults import Kind
from demo.replica.server import Replica, running_replica
from demo.replica.settings import CONTACT, replica_settings
from scrapers.errors import FetchError, SettingsError, SiteRefusedError
from scrapers.http import transports
from scrapers.http.answers import retry_after
from scrapers.http.client import Client
from scrapers.http.transports import LiveTransport, is_public, public_addresses
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
    with Client(settings) as made:
        yield made


@pytest.mark.parametrize("kind", ["server_error", "truncated", "wrong_length", "dropped", "slow"])
def test_a_passing_fault_is_asked_again(replica: Replica, client: Client, kind: Kind) -> None:
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
def test_a_lasting_fault_costs_three_requests(
    replica: Replica, client: Client, kind: Kind, reason: str
) -> None:
    replica.faults.add(HOST, "/", kind, -1)
    with pytest.raises(FetchError) as caught:
        client.get(URL)
    assert caught.value.reason == reason
    replica.faults.clear()
    end = time.monotonic() + 5
    while len(replica.log) < 3 and time.monotonic() < end:
        time.sleep(0.05)  # a slow server finishes after its client has gone
    assert len(replica.log) == 3
    assert client.get(URL).status == 200


def test_retry_after_is_honoured(replica: Replica, client: Client) -> None:
    replica.faults.add(HOST, "/", "retry_after", 1)
    client.get(URL)
    first, second = replica.log
    assert first.status == 429
    assert second.started - first.started >= 1.0


def test_an_hour_of_waiting_is_a_refusal(replica: Replica, client: Client) -> None:
    replica.faults.add(HOST, "/", "wait_an_hour", -1)
    with pytest.raises(SiteRefusedError, match="3600"):
        client.get(URL)
    assert len(replica.log) == 1


@pytest.mark.parametrize("kind", ["forbidden", "challenge"])
def test_a_refusal_is_not_asked_again(replica: Replica, client: Client, kind: Kind) -> None:
    replica.faults.add(HOST, "/", kind, -1)
    with pytest.raises(SiteRefusedError, match="nothing more"):
        client.get(URL)
    assert len(replica.log) == 1


@pytest.mark.parametrize("kind", ["huge", "bomb"])
def test_size_is_bounded(replica: Replica, kind: Kind) -> None:
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
def test_only_plain_web_addresses(client: Client, address: str) -> None:
    with pytest.raises(FetchError) as caught:
        client.get(address)
    assert caught.value.reason == "bad_url"


def test_requests_name_a_contact_and_use_one_connection(replica: Replica, client: Client) -> None:
    for number in range(5):
        client.get(f"{URL}{number}.html")
    assert {seen.connection for seen in replica.log if seen.host == HOST}
    assert len({seen.connection for seen in replica.log}) == 1
    assert all(CONTACT in seen.user_agent for seen in replica.log)


def test_live_crawls_need_a_contact_and_a_second() -> None:
    with pytest.raises(SettingsError, match="BENCHLOOM_CONTACT"):
        Client(CrawlSettings())
    with pytest.raises(SettingsError, match="at least"):
        Client(CrawlSettings(contact=CONTACT, delay=0.5))
    with pytest.raises(SettingsError, match="retries"):
        Client(CrawlSettings(contact=CONTACT, retries=3))
    Client(CrawlSettings(contact=CONTACT)).close()


@pytest.mark.parametrize("address", ["10.0.0.1:80", "example.org:80", "8.8.8.8:80", "127.0.0.1"])
def test_a_replica_is_on_this_machine(address: str) -> None:
    with pytest.raises(SettingsError, match="loopback"):
        Client(CrawlSettings(contact=CONTACT, replica=address))


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.9", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "224.0.0.1", "::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "2002:7f00:1::",
        "fe80::1%eth0",
    ],
)  # fmt: skip
def test_private_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


def test_public_addresses_are_public() -> None:
    assert is_public("93.184.216.34")
    assert is_public("2606:2800:220:1::1")


def test_live_mode_refuses_loopback_names(replica: Replica) -> None:
    with pytest.raises(FetchError) as caught:
        public_addresses("localhost", 80)
    assert caught.value.reason == "address_refused"
    with Client(CrawlSettings(contact=CONTACT)) as client, pytest.raises(FetchError) as caught:
        client.get(f"http://{replica.address}/")
    assert caught.value.reason == "address_refused"
    assert replica.log == []
    LiveTransport().close()


def test_live_mode_connects_to_the_address_that_was_checked(
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
    assert [seen.host for seen in replica.log] == ["localhost"]


def test_retry_after_in_every_form() -> None:
    assert retry_after("7") == 7.0
    assert retry_after(None) is None
    assert retry_after("soon") is None
    moment = datetime.now(UTC) + timedelta(seconds=90)
    assert 80 < (retry_after(format_datetime(moment, usegmt=True)) or 0) <= 90
    past = datetime.now(UTC) - timedelta(days=1)
    assert retry_after(format_datetime(past)) == 0.0
