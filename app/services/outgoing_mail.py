"""Sending e-mail by an SMTP server, as the environment says."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import EmailMessage

from pagetrail.annotation.errors import MailError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.people.email_addresses import checked_address

_SECURITIES = {"starttls": 587, "tls": 465, "none": 25}
_TIMEOUT_S = 20


@dataclass(frozen=True)
class MailServer:
    """Where messages go, and whom they are from.

    Attributes:
        security: ``starttls``, ``tls`` or ``none``.
        user: empty for a server that asks for none.
    """

    host: str
    port: int
    security: str
    sender: str
    user: str = ""
    password: str = ""


def mail_server(environment: Mapping[str, str]) -> MailServer:
    """The server of ``PAGETRAIL_SMTP_HOST``, ``_PORT``, ``_SECURITY``, ``_USER``, ``_PASSWORD`` and
    ``_FROM``.

    Raises:
        MailError: one is missing or wrong; it is named.
    """

    def setting(name: str) -> str:
        return environment.get(f"PAGETRAIL_SMTP_{name}", "").strip()

    host, security = setting("HOST"), setting("SECURITY") or "starttls"
    if not host or not setting("FROM"):
        raise MailError(
            gettext(
                "No mail server is configured. Set PAGETRAIL_SMTP_HOST and PAGETRAIL_SMTP_FROM."
            )
        )
    if security not in _SECURITIES:
        raise MailError(
            gettext(
                "PAGETRAIL_SMTP_SECURITY is one of {securities}.", securities=", ".join(_SECURITIES)
            )
        )
    port = setting("PORT") or str(_SECURITIES[security])
    if not port.isdecimal() or not 0 < int(port) < 65_536:
        raise MailError(gettext("PAGETRAIL_SMTP_PORT is no port number."))
    try:
        sender = checked_address(setting("FROM"))
    except MailError as error:
        raise MailError(gettext("PAGETRAIL_SMTP_FROM: {message}", message=error.message)) from error
    return MailServer(host, int(port), security, sender, setting("USER"), setting("PASSWORD"))


def send(server: MailServer, person: str, address: str, subject: str, text: str) -> None:
    """Send one message to one person.

    Raises:
        MailError: the address or the message was refused, or the server cannot be reached.
    """
    message = EmailMessage()
    try:
        message["From"], message["To"] = server.sender, checked_address(address)
        message["Subject"] = subject
        message.set_content(text)
        with _connected(server) as connection:
            connection.send_message(message)
    except (OSError, smtplib.SMTPException, ValueError, MailError) as error:
        raise MailError(
            gettext("{person} gets no message: {reason}", person=person, reason=_reason(error))
        ) from error


def _connected(server: MailServer) -> smtplib.SMTP:
    if server.security == "tls":
        context = ssl.create_default_context()
        connection: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, timeout=_TIMEOUT_S, context=context
        )
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=_TIMEOUT_S)
    try:
        if server.security == "starttls":
            connection.starttls(context=ssl.create_default_context())
        if server.user:
            connection.login(server.user, server.password)
    except BaseException:
        connection.close()
        raise
    return connection


def _reason(error: Exception) -> str:
    if isinstance(error, MailError):
        return error.message
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return gettext("the server refuses the address.")
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return gettext("the server refuses the user or password.")
    if isinstance(error, smtplib.SMTPException):
        return gettext("the server refuses it ({error}).", error=type(error).__name__)
    if isinstance(error, OSError):
        return gettext(
            "the mail server cannot be reached ({error}).",
            error=error.strerror or type(error).__name__,
        )
    return gettext("the message cannot be written.")
