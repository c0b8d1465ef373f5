"""What a manifest says was left out, in words."""

from __future__ import annotations

_PLURALS = {"query": "queries", "search": "searches", "box": "boxes"}
REASONS = {
    "never_opened": "never opened",
    "of_a_system": "made by a system, not by a person",
    "status_open": "not submitted",
    "status_skipped": "skipped",
    "no_gold": "without gold",
    "no_adjudicated_gold": "without gold decided in review",
    "poor_gold": "found poor by the gold decided in review",
    "refused": "refused, no page was shown",
    "poor": "found poor by at least half of their annotators",
    "no_page_grades": "of a protocol that grades no pages",
    "no_boxes_asked": "in which no boxes were asked for",
    "nothing_to_verify": "of a protocol in which nothing is verified",
    "no_elements_given": "of a protocol without a model's elements",
    "verified_again_later": "verified again later; see by-annotator",
    "no_fields": "of a protocol without fields",
    "nothing_judged": "without a judged prediction",
    "no_question_written": "without a written question",
    "unknown_page": "not in the collection",
    "cannot_be_drawn": "their files cannot be drawn",
    "page_without_image": "on pages without an image",
    "page_scored_0": "on pages with score 0; they are in the ratings",
    "without_class": "without a class of this campaign",
    "deleted": "deleted",
    "not_approved": "not approved",
    "no_page_given": "of tasks that give no page",
}


def left_out_words(what: str, reason: str, count: int) -> str:
    """``3 attempts (not submitted)``."""
    noun = what if count == 1 else _PLURALS.get(what, f"{what}s")
    return f"{count:,} {noun} ({REASONS.get(reason, reason)})"
