"""Documents from links: whole or not at all, resumed, checked, and never from where they must not
come.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from typer.testing import CliRunner

from pagetrail.annotation.errors import InputFileError
from pagetrail.app.cli.main import app
from pagetrail.storage.importers.links import connection
from pagetrail.storage.importers.links.connection import LinkError, connect
from pagetrail.storage.importers.links.download import DownloadReport, Limits, download
from tests.storage.task_data import write_jsonl

PDF = b"%PDF-1.7\n" + b"otters " * 5_000
LOCAL_LIMITS = Limits(max_bytes=1 << 20, max_s=20, allow_private=True)


class _Server(ThreadingHTTPServer):
    """What it was asked for, with the range; ``cut`` bytes come first, then the line breaks."""

    requests: list[tuple[str, str | None]]
    version: str
    cut: int | None


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        range_header = self.headers.get("Range")
        self.server.requests.append((self.path, range_header))
        if self.path == "/moved":
            self._head(302, Location="/a%20b.pdf")
        elif self.path == "/round":
            self._head(302, Location="/round")
        elif self.path == "/out":
            self._head(302, Location="file:///etc/passwd")
        elif self.path == "/text":
            self._head(200, b"<html>sign in</html>")
        elif self.path == "/gone":
            self._head(404)
        elif range_header and self.headers.get("If-Range") == self.server.version:
            start = int(range_header.removeprefix("bytes=").removesuffix("-"))
            content_range = f"bytes {start}-{len(PDF) - 1}/{len(PDF)}"
            self._head(
                206, PDF[start:], ETag=self.server.version, **{"Content-Range": content_range}
            )
        else:
            self._head(200, PDF, ETag=self.server.version)

    def _head(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body if self.server.cut is None else body[: self.server.cut])

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[_Server]:
    """On a port of this machine."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.requests, server.version, server.cut = [], '"v1"', None
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def fetched(
    server: _Server, folder: Path, limits: Limits = LOCAL_LIMITS, **paths: str | dict[str, str]
) -> DownloadReport:
    """Download these documents, each from a path of the server."""
    base = f"http://127.0.0.1:{server.server_address[1]}"
    rows = []
    for name, path in paths.items():
        more = {"path": path} if isinstance(path, str) else path
        rows.append({"document": f"{name}.pdf", "url": base + more["path"], **more})
    return download(write_jsonl(folder.parent / "links.jsonl", rows), folder, limits)


def codes(report: DownloadReport) -> dict[str, str]:
    """Document → why it is not there."""
    return {failed.document: failed.code for failed in report.failed}


def test_good_links_come_and_bad_ones_are_listed(server: _Server, tmp_path: Path) -> None:
    """Each with its own reason; nothing of a file that failed its checks is left."""
    to = tmp_path / "pdfs"
    right = {"path": "/a b.pdf?x=ü", "sha256": sha256(PDF).hexdigest().upper()}
    report = fetched(
        server, to, a=right, moved="/moved", round="/round", out="/out", text="/text", gone="/gone",
        wrong={"path": "/w.pdf", "sha256": "0" * 64},
    )  # fmt: skip
    assert report.downloaded == ["a.pdf", "moved.pdf"]
    assert codes(report) == {
        "round.pdf": "too_many_redirects",
        "out.pdf": "not_allowed",
        "text.pdf": "not_a_pdf",
        "gone.pdf": "http_status",
        "wrong.pdf": "hash_mismatch",
    }
    assert {path.name for path in to.iterdir()} == {"a.pdf", "moved.pdf"}
    assert (to / "a.pdf").read_bytes() == (to / "moved.pdf").read_bytes() == PDF
    assert report.bytes >= 2 * len(PDF) and json.dumps(report.as_json())
    second_report = fetched(server, to, a=right, moved="/moved")
    assert (second_report.already_there, second_report.bytes) == (["a.pdf", "moved.pdf"], 0)
    (to / "a.pdf").write_bytes(b"%PDF- another")
    assert codes(fetched(server, to, a=right)) == {"a.pdf": "hash_mismatch"}
    assert (to / "a.pdf").read_bytes() == b"%PDF- another"


def test_a_partial_file_is_continued(server: _Server, tmp_path: Path) -> None:
    """From where it stopped, if it is the same version; else from the beginning."""
    to, right = tmp_path / "pdfs", {"path": "/a.pdf", "sha256": sha256(PDF).hexdigest()}
    for version in ('"v1"', '"v2"'):
        server.cut = 1_000
        assert codes(fetched(server, to, a=right)) == {"a.pdf": "incomplete"}
        assert not (to / "a.pdf").exists()
        server.cut, server.version = None, version
        report = fetched(server, to, a=right)
        assert report.downloaded == ["a.pdf"] and (to / "a.pdf").read_bytes() == PDF
        assert server.requests[-1] == ("/a.pdf", "bytes=1000-")
        assert report.bytes == len(PDF) - (1_000 if version == '"v1"' else 0)
        assert [path.name for path in to.iterdir()] == ["a.pdf"]
        (to / "a.pdf").unlink()


def test_a_file_that_is_too_large_is_not_kept(server: _Server, tmp_path: Path) -> None:
    """It is refused by what the server says of its length."""
    report = fetched(server, tmp_path / "pdfs", Limits(100, 20, True), a="/a.pdf")
    assert codes(report) == {"a.pdf": "too_large"}
    assert list((tmp_path / "pdfs").iterdir()) == []


def test_private_networks_are_refused_unless_allowed(
    server: _Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every address of a host counts, in any spelling; and only http and https are fetched."""
    report = fetched(server, tmp_path / "pdfs", Limits(), a="/a.pdf")
    assert codes(report) == {"a.pdf": "not_allowed"} and server.requests == []
    addresses = ["10.0.0.1", "169.254.169.254", "0.0.0.0", "::1", "fe80::1", "::ffff:127.0.0.1",
                 "2002:7f00:1::", "224.0.0.1", "100.64.0.1"]  # fmt: skip
    for address in addresses:
        address_infos = [(0, 0, 0, "", (a, 80)) for a in ("93.184.216.34", address)]
        monkeypatch.setattr(connection.socket, "getaddrinfo", lambda *_, f=address_infos, **__: f)
        with pytest.raises(LinkError, match="private network"):
            connect("http://example.org/", timeout_s=1, allow_private=False)
    for url in ("ftp://example.org/a.pdf", "file:///etc/passwd", "//x", "http://[", "http:///a"):
        with pytest.raises(LinkError):
            connect(url, timeout_s=1, allow_private=True)


def test_rows_that_cannot_be_used(tmp_path: Path) -> None:
    """Names that lead out of the folder, or twice to one file, are refused with their line."""
    names = ["../a.pdf", "a/b.pdf", ".a.pdf", "a.txt", "a\\b.pdf", "x" * 300 + ".pdf", 7]
    rows: list[dict[str, Any]] = [{"document": name, "url": "ftp://x/"} for name in names]
    rows += [{"document": "A.pdf", "url": "ftp://x/"}, {"document": "a.PDF", "url": "ftp://x/"}]
    rows += [{"document": "b.pdf"}, {"document": "c.pdf", "url": "ftp://x/", "sha256": "1"}]
    report = download(write_jsonl(tmp_path / "l.jsonl", rows), tmp_path / "to", LOCAL_LIMITS)
    codes_by_line = {failed.line: failed.code for failed in report.failed}
    assert codes_by_line == {n: "not_allowed" if n == 8 else "bad_link" for n in range(1, 12)}
    assert "line 8" in report.failed[8].reason
    with pytest.raises(InputFileError):
        download(tmp_path / "none.csv", tmp_path / "to", LOCAL_LIMITS)


def test_the_command(server: _Server, tmp_path: Path) -> None:
    """What is listed, and the exit codes."""
    url = f"http://127.0.0.1:{server.server_address[1]}/a.pdf"
    file = tmp_path / "l.csv"
    file.write_text(f"document,url\na.pdf,{url}\nb.pdf,{url[:-5]}gone\n", encoding="utf-8")
    command = ["download", str(file), "--to", str(tmp_path / "pdfs"), "--json"]
    refused = CliRunner().invoke(app, command)
    assert refused.exit_code == 1
    result = CliRunner().invoke(app, [*command, "--allow-private"])
    assert result.exit_code == 0 and "1 downloaded" in result.stderr
    report = json.loads(result.stdout)
    assert report["downloaded"] == ["a.pdf"] and report["failed"][0]["code"] == "http_status"
