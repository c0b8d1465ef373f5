"""``pagetrail remind`` with a mail server of its own."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagetrail.annotation.errors import MailError
from pagetrail.app.cli.main import app
from pagetrail.app.services.outgoing_mail import mail_server
from pagetrail.storage.batches.reassignment import set_due
from pagetrail.storage.batches.reminders import mark_reminded, reminders
from pagetrail.storage.people.email_addresses import checked_address, set_address
from tests.storage.review.test_actions import PROTOCOL, RECORDS
from tests.support.review_campaign import campaign

TODAY = datetime.now(UTC).date()


class MailStub(socketserver.StreamRequestHandler):
    """Takes messages, but not for anybody called bo."""

    def handle(self) -> None:
        received: list[str] = self.server.received  # type: ignore[attr-defined]
        self.wfile.write(b"220 stub\r\n")
        for raw in self.rfile:
            line = raw.decode().strip()
            command = line.upper()
            if command == "DATA":
                self.wfile.write(b"354 go on\r\n")
                text = ""
                while (part := self.rfile.readline().decode()) not in ("", ".\r\n"):
                    text += part
                received.append(text.replace("\r\n", "\n"))
                self.wfile.write(b"250 taken\r\n")
            elif command == "QUIT":
                self.wfile.write(b"221 bye\r\n")
                return
            elif "bo@" in line:
                self.wfile.write(b"550 nobody here\r\n")
            else:
                self.wfile.write(b"250 fine\r\n")


@pytest.fixture
def received(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Messages that a mail server on this machine took, which the environment names."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), MailStub) as server:
        server.daemon_threads = True
        server.received = []  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name, value in (
            ("HOST", "127.0.0.1"),
            ("PORT", str(server.server_address[1])),
            ("SECURITY", "none"),
            ("FROM", "pagetrail@example.org"),
        ):
            monkeypatch.setenv(f"PAGETRAIL_SMTP_{name}", value)
        yield server.received  # type: ignore[attr-defined]
        server.shutdown()


def test_one_message_per_person_and_deadline_and_the_run_goes_on(
    tmp_path: Path, received: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bo's server refuses him, Cy has no address: both are named, Ada gets hers. What was sent is
    not sent again; a new deadline is; what was refused is tried again."""
    stage = campaign(tmp_path / "ws", PROTOCOL, RECORDS, people=3)
    for name in ("Ada", "Bo"):
        set_address(stage.workspace, None, name, f"{name.lower()}@example.org")
    set_due(stage.workspace, "Random", "Batch 1", TODAY - timedelta(days=1))
    set_due(stage.workspace, "Random", "Batch 2", TODAY + timedelta(days=30))

    def remind(*options: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["remind", str(tmp_path / "ws"), *options])
        return result.exit_code, result.output

    code, output = remind("--dry-run")
    assert "To: ada@example.org" in output and not received
    code, output = remind("--address", "https://annotate.example.org")
    assert code == 1
    assert "Bo gets no message: the server refuses the address." in output
    assert "Cy gets no message: no e-mail address is stored." in output
    (message,) = received
    assert "To: ada@example.org" in message and "Subject: 1 batch is due" in message
    assert f"* Batch 1 (Random): overdue since {TODAY - timedelta(days=1)}" in message
    assert "https://annotate.example.org" in message
    assert not any(other in message for other in ("Bo", "Cy", "Batch 2"))

    yesterday = TODAY - timedelta(days=1)
    _, output = remind("--dry-run")
    assert f"overdue since {yesterday.isoformat()}" in output
    assert "Days end at midnight UTC." in output

    assert [reminder.person for reminder in reminders(stage.workspace, TODAY)] == ["Bo", "Cy"]
    remind()
    assert len(received) == 1
    set_due(stage.workspace, "Random", "Batch 1", TODAY)
    ada = reminders(stage.workspace, TODAY)[0]
    assert len(mark_reminded(stage.workspace, ada.batches)) == 1
    assert mark_reminded(stage.workspace, ada.batches) == []  # by another run at the same time

    monkeypatch.setenv("PAGETRAIL_SMTP_PORT", "1")
    set_due(stage.workspace, "Random", "Batch 1", TODAY + timedelta(days=1))
    code, output = remind()
    assert code == 1 and "Ada gets no message: the mail server cannot be reached" in output
    assert "Ada" in [reminder.person for reminder in reminders(stage.workspace, TODAY)]


@pytest.mark.parametrize(
    "address",
    ["ada", "ada@", "Ada <ada@example.org>", "ada@localhost", "a@b.c\nTo: x@y.z", "ä@b.c"],
)
def test_invalid_e_mail_address_is_refused(address: str) -> None:
    """So that nothing can be put into a message's header."""
    with pytest.raises(MailError):
        checked_address(address)


@pytest.mark.parametrize(
    ("settings", "variable"),
    [
        ({}, "HOST"),
        ({"SECURITY": "ssl"}, "SECURITY"),
        ({"PORT": "x"}, "PORT"),
        ({"FROM": "x"}, "FROM"),
    ],
)
def test_missing_mail_server_is_reported(settings: dict[str, str], variable: str) -> None:
    """By the variable that is missing or wrong."""
    base = {"HOST": "mail.example.org", "FROM": "a@example.org"} if settings else {}
    environment = {f"PAGETRAIL_SMTP_{name}": value for name, value in (base | settings).items()}
    with pytest.raises(MailError, match=f"PAGETRAIL_SMTP_{variable}"):
        mail_server(environment)
