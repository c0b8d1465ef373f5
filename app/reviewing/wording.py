"""Wording of review, shared by the screen and the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.preset_texts import translate_preset_text
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.review.status import STATUS_WORDS, Status
from pagetrail.app.ui.notation import format_time
from pagetrail.storage.campaigns.counting_tasks import StoredExclusion
from pagetrail.storage.review.queue import PartScore, QueueRow

STATUS_HELP: dict[Status, str] = {
    "conflict": N_(
        "Annotators differ, or agree on something else than the dataset; "
        "somebody flagged it; or every task is reviewed."
    ),
    "changed": N_("An annotator has resubmitted work that the gold is based on."),
    "incomplete": N_(
        "Gold from before completeness was checked: something that annotators "
        "have to give is missing. Reopen it."
    ),
    "check": N_(
        "Accepted automatically, and drawn at random for checking or unlike what the dataset says."
    ),
    "single": N_("Fewer annotators submitted something than the rule requires."),
    "alone": N_(
        "Submitted by the one annotator that this campaign has per task. Nothing has to be decided."
    ),
    "returned": N_("Sent back to its annotator and not resubmitted yet."),
    "waiting": N_("Not started, or annotators are still working on it."),
    "agreed": N_("Meets the rule and will become gold."),
    "accepted": N_("Accepted as gold automatically."),
    "decided": N_("Gold decided by a reviewer."),
}
MAX_PARTS = 3


def exclusion_words(exclusion: StoredExclusion) -> str:
    """Why, by whom and when a task was excluded from results."""
    if not exclusion.at:  # by a version that did not store it
        return gettext("Excluded from results: {reason}", reason=exclusion.reason)
    return gettext(
        "Excluded from results by {name} on {time}: {reason}",
        name=exclusion.by or gettext("the command line"),
        time=format_time(exclusion.at),
        reason=exclusion.reason,
    )


def differing_parts(parts: tuple[PartScore, ...]) -> str:
    """The parts that differ most, each with its score."""
    listed_parts = [f"{gettext(part.label)} {part.score:.2f}" for part in parts[:MAX_PARTS]]
    more = len(parts) - len(listed_parts)
    return ", ".join([*listed_parts, *([gettext("{number} more", number=more)] if more else [])])


def differences(row: QueueRow) -> str:
    """What a task's work differs in; from the dataset only where everybody agrees."""
    sources = [differing_parts(row.parts)] if row.parts else []
    return ", ".join(
        [*sources, *([gettext("from the dataset")] if row.contradicts_dataset else [])]
    )


def status_words(row: QueueRow) -> str:
    """A task's status, and who decided it."""
    if row.status == "decided" and row.decided_by:
        return gettext("Decided by {person}", person=row.decided_by)
    return gettext(STATUS_WORDS[row.status])


def shorten(text: str, length: int) -> str:
    """The text on one line, cut with an ellipsis if it is longer."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def part_labels(protocol: Protocol, parts: Iterable[str]) -> list[str]:
    """Parts of the screen and fields, as a supervisor reads them."""
    specs = {part: protocol.field(part) for part in parts}
    return [
        translate_preset_text(protocol.name, spec.label) if spec else part
        for part, spec in specs.items()
    ]
