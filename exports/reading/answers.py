"""The answer of an attempt as exports give it."""

from __future__ import annotations

from pagetrail.annotation.attempts.state import Response
from pagetrail.annotation.protocols.protocol import Protocol


def answer_of(response: Response, protocol: Protocol) -> list[str]:
    """The answers: one a line, or the whole text as one where the protocol asks for prose.

    "No answer found", "unanswerable" and a task that ended without an answer give none, whatever
    draft was left in the answer box. An attempt that is not submitted gives what stands there now.
    """
    if response.outcome in ("not_found", "unanswerable", "completed"):
        return []
    if protocol.answer.kind == "text":
        text = response.answer_text.strip()
        return [text] if text else []
    return response.answer
