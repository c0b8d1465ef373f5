"""Reads a protocol that somebody wrote in TOML, in a worker process, without Streamlit."""

from __future__ import annotations

from typing import NamedTuple

from pagetrail.annotation.protocols.lint import Problem, lint
from pagetrail.annotation.protocols.protocol import Protocol, parse
from pagetrail.storage.database.workspace import Workspace


class ProtocolText(NamedTuple):
    """A protocol's text as read: the protocol, or what is wrong with it."""

    protocol: Protocol | None
    problems: list[Problem]


def read_protocol(_workspace: Workspace, text: str) -> ProtocolText:
    """The protocol in a TOML text.

    Raises:
        ProtocolError: it has no single problem and still cannot be used.
    """
    problems = lint(text)
    return ProtocolText(None if problems else parse(text, source="The protocol"), problems)
