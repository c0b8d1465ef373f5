"""Escapes data for Streamlit's Markdown labels, so that it never acts as markup."""

from __future__ import annotations

import re

_ANYWHERE = re.compile(r"([\\`*_\[\]<>|~$&])")
# At the start of a line: a heading, list, rule or quotation.
_AT_START = re.compile(r"^(\d*)([#+\-=.)])")
# Streamlit's client replaces these after removing backslashes: :name: directives and bare
# addresses. An invisible joiner after the sign prevents it.
_LATE = re.compile(r"(:|@|\bwww)(?=\S)", re.IGNORECASE)
_JOINER = "\u2060"


def literal(text: str) -> str:
    """The text on one line, for a label, heading, message or tooltip that reads Markdown."""
    joined = _LATE.sub(rf"\1{_JOINER}", " ".join(text.split()))
    return _AT_START.sub(r"\1\\\2", _ANYWHERE.sub(r"\\\1", joined))
