"""Check that only the local browser with the token is answered, and no foreign page."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from flows.explorer.web.guard import COOKIE
from tests.flows.explorer.conftest import BASE, PageOpener

TOKEN = "a-token-that-nobody-guesses"


@pytest.fixture
def client(open_pages: PageOpener, full_release: Path) -> TestClient:
    return open_pages(full_release, TOKEN)


def test_token_is_replaced_by_a_cookie(client: TestClient) -> None:
    assert client.get("/").status_code == 403
    assert client.get("/tables/queries").status_code == 403
    assert client.get("/?token=wrong").status_code == 403
    redirect = client.get(f"/tables/queries?q=a+b&token={TOKEN}", follow_redirects=False)
    assert redirect.status_code == 303
    assert redirect.headers["location"] == "/tables/queries?q=a+b"
    cookie = redirect.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert client.get("/tables/queries?q=a+b").status_code == 200
    assert TOKEN not in client.get("/").text


def test_token_redirect_stays_on_this_host(client: TestClient) -> None:
    for path in ("//elsewhere.example/", "/\\elsewhere.example"):
        redirect = client.get(f"{BASE}{path}?token={TOKEN}", follow_redirects=False)
        assert redirect.headers["location"].startswith("/elsewhere.example")


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
def test_foreign_hosts_origins_and_cookies_are_refused(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    all_headers = {"cookie": f"{COOKIE}={TOKEN}"} | headers
    encoded = [(name.encode(), value.encode("latin-1")) for name, value in all_headers.items()]
    assert client.get("/", headers=encoded).status_code == status


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])
def test_methods_other_than_get_are_refused(client: TestClient, method: str) -> None:
    response = client.request(method, "/", headers={"cookie": f"{COOKIE}={TOKEN}"})
    assert response.status_code == 405


def test_content_policy_allows_only_the_stylesheet(client: TestClient) -> None:
    for url in ("/", "/style.css", "/nothing", f"/?token={TOKEN}"):
        response = client.get(url, follow_redirects=False)
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src" not in policy
        assert "frame-ancestors 'none'" in policy
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
        assert response.headers["cache-control"] == "no-store"
    style = client.get("/style.css")
    assert style.status_code == 200
    assert style.headers["content-type"].startswith("text/css")
    assert "url(" not in style.text
    assert "@import" not in style.text
