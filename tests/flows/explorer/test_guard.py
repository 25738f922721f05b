"""Who is answered: the browser of this machine with the token, and nobody's page."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from flows.explorer.web.guard import COOKIE
from tests.flows.explorer.conftest import BASE, Opened

TOKEN = "a-token-that-nobody-guesses"


@pytest.fixture
def client(opened: Opened, full: Path) -> TestClient:
    return opened(full, TOKEN)


def test_the_token_leads_in_once_and_then_stands_in_a_cookie(client: TestClient) -> None:
    assert client.get("/").status_code == 403
    assert client.get("/tables/queries").status_code == 403
    assert client.get("/?token=wrong").status_code == 403
    entered = client.get(f"/tables/queries?q=a+b&token={TOKEN}", follow_redirects=False)
    assert entered.status_code == 303
    assert entered.headers["location"] == "/tables/queries?q=a+b"
    cookie = entered.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert client.get("/tables/queries?q=a+b").status_code == 200
    assert TOKEN not in client.get("/").text


def test_a_token_leads_to_no_other_place(client: TestClient) -> None:
    for path in ("//elsewhere.example/", "/\\elsewhere.example"):
        entered = client.get(f"{BASE}{path}?token={TOKEN}", follow_redirects=False)
        assert entered.headers["location"].startswith("/elsewhere.example")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "127.0.0.1:1"}, 200),
        ({"host": "localhost:8000"}, 200),
        ({"host": "rebound.example:8000"}, 421),
        ({"host": "127.0.0.1.rebound.example"}, 421),
        ({"host": "["}, 421),
        ({"host": ""}, 421),
        ({"origin": BASE}, 200),
        ({"origin": "https://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate"}, 200),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
        (
            {
                "sec-fetch-site": "cross-site",
                "sec-fetch-mode": "navigate",
                "sec-fetch-dest": "iframe",
            },
            403,
        ),
        ({"cookie": f"{COOKIE}=wrong"}, 403),
        ({"cookie": "\xff;=;"}, 403),
    ],
)
def test_hosts_origins_and_cookies(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    all_headers = {"cookie": f"{COOKIE}={TOKEN}"} | headers
    encoded = [(name.encode(), value.encode("latin-1")) for name, value in all_headers.items()]
    assert client.get("/", headers=encoded).status_code == status


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])
def test_nothing_can_be_sent(client: TestClient, method: str) -> None:
    answer = client.request(method, "/", headers={"cookie": f"{COOKIE}={TOKEN}"})
    assert answer.status_code == 405


def test_pages_may_load_their_style_and_nothing_else(client: TestClient) -> None:
    for url in ("/", "/style.css", "/nothing", f"/?token={TOKEN}"):
        answer = client.get(url, follow_redirects=False)
        rules = answer.headers["content-security-policy"]
        assert "default-src 'none'" in rules
        assert "script-src" not in rules
        assert "frame-ancestors 'none'" in rules
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
    style = client.get("/style.css")
    assert style.status_code == 200
    assert style.headers["content-type"].startswith("text/css")
    assert "url(" not in style.text
    assert "@import" not in style.text
