"""Data inside Streamlit's Markdown labels: shown as it is, never as markup."""

from __future__ import annotations

import re

_ANYWHERE = re.compile(r"([\\`*_\[\]<>|~$&])")
# A heading, a list, a rule or a quotation, which the line would begin.
_AT_START = re.compile(r"^(\d*)([#+\-=.)])")
# What Streamlit's client still replaces after the backslashes are gone: :name: directives,
# addresses without markup. An invisible joiner after the sign takes their meaning away.
_LATE = re.compile(r"(:|@|\bwww)(?=\S)", re.IGNORECASE)
_JOINER = "\u2060"


def literal(text: str) -> str:
    """The text on one line, for a label, heading, message or tooltip that reads Markdown."""
    joined = _LATE.sub(rf"\1{_JOINER}", " ".join(text.split()))
    return _AT_START.sub(r"\1\\\2", _ANYWHERE.sub(r"\\\1", joined))
