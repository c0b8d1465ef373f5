"""Signing in at a running server, and memory of it."""

from __future__ import annotations

from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

COOKIE = "pagetrail_session"


def post(
    url: str, path: str, fields: dict[str, str], headers: dict[str, str] | None = None
) -> tuple[int, list[tuple[str, str]]]:
    """Post a form; returns status and headers."""
    connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
    try:
        sent = {"Content-Type": "application/x-www-form-urlencoded", "Origin": url}
        connection.request("POST", path, urlencode(fields), {**sent, **(headers or {})})
        reply = connection.getresponse()
        reply.read()
        return reply.status, reply.getheaders()
    finally:
        connection.close()


def sign_in(url: str, name: str, password: str) -> str:
    """Sign in; returns the session's token."""
    status, headers = post(url, "/pagetrail/login", {"name": name, "password": password})
    assert status == 303, status
    cookies = [value for header, value in headers if header.lower() == "set-cookie"]
    (cookie,) = (value for value in cookies if value.startswith(f"{COOKIE}="))
    return cookie.partition("=")[2].partition(";")[0]
