"""Words and numbers of pilots, the same on the screen, in reports and in the terminal.

Screens translate them; what is written and printed stays English.
"""

from __future__ import annotations

from collections.abc import Iterable

from pagetrail.annotation.comparison.pilot_estimates import IntervalEstimate, read_stored_result
from pagetrail.annotation.messages import N_, join_messages, lazy_gettext
from pagetrail.annotation.protocols.fields import Value
from pagetrail.storage.pilots.overview import PersonOverview, TaskOverview
from pagetrail.storage.pilots.person_tasks import PersonTask
from pagetrail.storage.qualification.gate import PilotResult
from pagetrail.storage.qualification.records import Qualification

VERDICTS = {
    "passed": N_("passed"),
    "failed": N_("failed"),
    "waiting": N_("waiting for review"),
    "open": N_("not yet"),
}

DECISIONS = {
    "admit": N_("Admitted"),
    "retrain": N_("To retrain"),
    "reset": N_("By the pass mark"),
    "baseline": N_("Results stored"),
    "regraded": N_("Graded again"),
}

PARTS = {
    "answer": N_("Answer"),
    "outcome": N_("Outcome"),
    "evidence": N_("Evidence"),
    "boxes": N_("Boxes"),
}


def verdict_key(result: PilotResult) -> str:
    """The verdict by the pass mark, as a key of ``VERDICTS``."""
    if result.passed is None:
        return "waiting" if result.is_waiting else "open"
    return "passed" if result.passed else "failed"


def verdict(result: PilotResult) -> str:
    """The verdict by the pass mark."""
    return lazy_gettext(VERDICTS[verdict_key(result)])


def status_words(result: PilotResult) -> str:
    """Whether the person may take production batches, and why."""
    if result.decision == "admit":
        return lazy_gettext("Admitted by a supervisor")
    if result.set_aside:
        return lazy_gettext("Waiting for a retraining batch")
    if result.decision == "retrain" and not result.passed:
        return lazy_gettext("To be retrained")
    if result.passed:
        return lazy_gettext("Admitted: pass mark reached")
    if result.is_kept:
        return lazy_gettext("Still admitted: passed before the answers were graded again")
    if result.is_waiting:
        return lazy_gettext("Waiting for review: judge the undecided answers")
    return lazy_gettext("Failed") if result.passed is False else lazy_gettext("Not yet")


def decided_words(row: Qualification | None) -> str:
    """A decision with person and time; empty without one."""
    if row is None:
        return ""
    return lazy_gettext(
        "{decision} by {person}, {time}",
        decision=lazy_gettext(DECISIONS.get(row.decision, row.decision)),
        person=row.by,
        time=day(row.at),
    )


def decision_of(overview: PersonOverview) -> str:
    """The last decision in a word; empty without one."""
    row = overview.decision
    return "" if row is None else lazy_gettext(DECISIONS.get(row.decision, row.decision))


def to_do(task: TaskOverview) -> str:
    """What a task's results ask a supervisor to do; empty if nothing."""
    if task.everybody_wrong:
        return lazy_gettext("Everyone incorrect: check the gold")
    return lazy_gettext("Nearly everyone incorrect: check the gold") if task.suspicious else ""


def stored_words(row: Qualification) -> str:
    """The stored results in a line; empty if there are none."""
    result = read_stored_result(row.baseline)
    if result is None:
        return ""
    active = result.times.median_active_ms
    numbers = {"batch": result.batch, "right": result.right, "judged": result.judged}
    if active is None:
        return lazy_gettext("Batch {batch}: {right} of {judged} correct", **numbers)
    return lazy_gettext(
        "Batch {batch}: {right} of {judged} correct · {seconds} s a task",
        **numbers,
        seconds=f"{active / 1000:.0f}",
    )


def day(at: str) -> str:
    """The day and minute of an ISO-8601 time."""
    return at[:16].replace("T", " ")


def part_label(part: str) -> str:
    """The label of a part; fields keep their name."""
    return lazy_gettext(PARTS.get(part, part))


def interval_words(estimate: IntervalEstimate) -> str:
    """``40–93 %``; empty without an interval."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{100 * estimate.low:.0f}–{100 * estimate.high:.0f} %"


def value_words(value: Value) -> str:
    """A field's value as text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return lazy_gettext("yes") if value else lazy_gettext("no")
    return "; ".join(value) if isinstance(value, tuple) else f"{value}"


def answer_words(task: PersonTask) -> str:
    """A person's answer, or the outcome if there is none."""
    if task.status == "skipped":
        return lazy_gettext("(skipped)")
    if task.answer and task.outcome == "answered":
        return "\n".join(task.answer)
    outcomes = {"unanswerable": N_("(unanswerable)"), "not_found": N_("(not found)")}
    return lazy_gettext(outcomes.get(task.outcome or "", ""))


def fields_text(task: PersonTask, separator: str = "\n") -> str:
    """The fields of a person's task, by default one per line."""
    return join_messages(
        [
            lazy_gettext("{label}: {value}", label=label, value=value_words(value))
            if not page
            else lazy_gettext(
                "{label} ({page}): {value}", label=label, page=page, value=value_words(value)
            )
            for label, page, value in task.fields
        ],
        separator,
    )


def pages_text(pages: Iterable[tuple[str, int]], separator: str = "\n") -> str:
    """Pages, by default one per line."""
    return join_messages(
        [
            lazy_gettext("{document}, page {page}", document=document, page=page)
            for document, page in pages
        ],
        separator,
    )
