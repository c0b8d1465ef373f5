"""Data inside Streamlit's Markdown labels: shown as it is, never as markup."""

from __future__ import annotations

import re

_PUNCTUATION = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$&\"'=^%@/?;,])")
# What Streamlit's client still replaces after the backslashes are gone: :name: directives,
# addresses without markup. An invisible joiner after the sign takes their meaning away.
_LATE = re.compile(r"(:|@|\bwww)(?=\S)", re.IGNORECASE)
_JOINER = "\u2060"


def literal(text: str) -> str:
    """The text on one line, for a label, heading, message or tooltip that reads Markdown."""
    joined = _LATE.sub(rf"\1{_JOINER}", " ".join(text.split()))
    return _PUNCTUATION.sub(r"\\\1", joined)
