"""Parses a protocol in TOML in a worker process, without Streamlit."""

from __future__ import annotations

from typing import NamedTuple

from pagetrail.annotation.protocols.lint import Problem, lint
from pagetrail.annotation.protocols.protocol import Protocol, parse
from pagetrail.storage.database.workspace import Workspace


class ProtocolText(NamedTuple):
    """The protocol of a text, or its problems."""

    protocol: Protocol | None
    problems: list[Problem]


def read_protocol(_workspace: Workspace, text: str) -> ProtocolText:
    """The protocol in a TOML text.

    Raises:
        ProtocolError: the checks find no problem and it still cannot be parsed.
    """
    problems = lint(text)
    return ProtocolText(None if problems else parse(text, source="The protocol"), problems)
