"""Is one answer item correct? Only where a named case applies (docs/metrics.md, Correctness)."""

from __future__ import annotations

from typing import Literal, NamedTuple

Verdict = Literal["correct", "undecided", "incorrect"]
ItemDecider = Literal[
    "exact_match", "polar", "quantity", "date", "text_with_numbers", "same_words", "no_case"
]
"""The name of a case, or ``no_case`` where none applies."""
Reason = Literal[
    "unit_missing",
    "other_unit",
    "scale_missing",
    "unclear_number",
    "several_quantities",
    "percent_or_share",
    "limit",
    "negation",
    "decline_or_minus",
    "less_precise",
    "other_words",
    "several_questions",
    "joined_items",
    "other_order",
    "other_text",
    "answer_too_long",
]
"""Why an item is undecided."""


class ItemDecision(NamedTuple):
    """The verdict on one item, what decided it, and why it is undecided."""

    verdict: Verdict
    decided_by: ItemDecider
    reason: Reason | None = None
