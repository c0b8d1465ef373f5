"""What later corrections change in a campaign's collected work; nothing is changed by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pagetrail.annotation.answers import decision
from pagetrail.annotation.answers.previous_rule import decision as previous_rule
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.tasks.task import question_of
from pagetrail.exports.formats.judgements import is_own_answer, prediction_of
from pagetrail.exports.reading.attempts import ReadAttempt, opened_works
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.recheck.former_names import FormerName, former_names
from pagetrail.exports.reports.recheck.hasty_verdicts import hasty_verdicts
from pagetrail.exports.reports.recheck.undone_drawings import undone_drawings
from pagetrail.storage.people.system_roles import REVIEW, SYSTEM
from pagetrail.storage.snapshot.rows import AttemptHead

FindingKind = Literal["changed_verdict", "hasty_verdict", "undone_drawing", "own_answer"]
FINDING_KINDS: tuple[FindingKind, ...] = get_args(FindingKind)

LABELS: dict[FindingKind, str] = {
    "changed_verdict": N_("Answers whose verdict differs under the new rule of correctness"),
    "hasty_verdict": N_("Verdicts given in under 0.4 s"),
    "undone_drawing": N_("Drawings that were undone and are exported as deleted"),
    "own_answer": N_("Judgements of one’s own answer"),
}
ADVICE: dict[FindingKind, str] = {
    "changed_verdict": N_(
        "Results use the new rule at once; results of pilots stay until they are regraded. Have "
        "people judge undecided answers: draw a sample, or export them with --undecided."
    ),
    "hasty_verdict": N_(
        "Estimated from the times of events. Nobody can have seen these pages or elements: return "
        "the tasks in Review, or give them to somebody else under Batches."
    ),
    "undone_drawing": N_(
        "Leave out deleted boxes with these ids when you count boxes. Nobody has to do anything."
    ),
    "own_answer": N_(
        "Give these tasks to another judge under Batches, and leave these judgements out."
    ),
}
VERDICTS = {"correct": N_("Right"), "incorrect": N_("Wrong"), "undecided": N_("Undecided")}


@dataclass(frozen=True)
class Finding:
    """One thing to look at.

    Attributes:
        participant: under the name that exports use.
        detail: what it is about, such as the page, the box or the verdicts.
    """

    kind: FindingKind
    task: str
    attempt: str
    participant: str
    detail: str


@dataclass(frozen=True)
class Recheck:
    """All findings of a campaign, by kind in the order of ``FINDING_KINDS``."""

    campaign: str
    findings: Sequence[Finding]

    def of_kind(self, kind: FindingKind) -> list[Finding]:
        """The findings of one kind."""
        return [finding for finding in self.findings if finding.kind == kind]


def recheck(source: Source) -> Recheck:
    """Recheck the campaign's attempts, finished or not; withdrawn runs and gold are left out.

    Of systems, only verdicts on their answers are compared."""
    former = former_names(source)
    findings = [
        finding
        for attempt in opened_works(source, WrittenFiles())
        if attempt.head.role != REVIEW
        for finding in _findings(attempt, former)
    ]
    findings.sort(key=lambda finding: FINDING_KINDS.index(finding.kind))
    return Recheck(source.campaign.name, findings)


def _findings(attempt: ReadAttempt, former: Mapping[str, FormerName]) -> Iterator[Finding]:
    head = attempt.head

    def finding(kind: FindingKind, detail: str) -> Finding:
        return Finding(kind, head.task, head.id, attempt.name, detail)

    if (change := _changed_verdict(attempt)) is not None:
        yield finding("changed_verdict", change)
    if head.role == SYSTEM:
        return

    for hasty in hasty_verdicts(attempt.attempt.events, attempt.form.protocol):
        yield finding("hasty_verdict", f"{hasty.unit}: {hasty.seen_ms} ms")
    for box in undone_drawings(attempt.attempt.events, attempt.state):
        yield finding("undone_drawing", box)
    if attempt.state.status == "submitted" and (answer := _own_answer(head, former)) is not None:
        yield finding("own_answer", answer)


def _own_answer(head: AttemptHead, former: Mapping[str, FormerName]) -> str | None:
    """The answer that an attempt judges, if it is the judge's own."""
    prediction = prediction_of(head.record)
    answer, author = prediction.get("answer"), prediction.get("system")
    text = "; ".join(map(str, answer)) if isinstance(answer, list) else str(answer)
    if is_own_answer(head):
        return text
    former_name = former.get(author) if isinstance(author, str) else None
    if former_name is None or former_name.user != head.user:
        return None
    note = gettext(
        "under a name that nobody has now; all {number} answers under it are this judge’s",
        number=former_name.answers,
    )
    return f"{text} ({note})"


def _changed_verdict(attempt: ReadAttempt) -> str | None:
    """The verdicts of both rules and the answer, if they differ on a submitted answer."""
    record, answer = attempt.head.record, attempt.submission.answer
    if attempt.state.status != "submitted" or record.get("unanswerable") or not answer:
        return None
    variants = record.get("answer_variants") or []
    question = question_of(record, attempt.form.protocol.answer)
    before = previous_rule.decide_answer(answer, variants, question)
    now = decision.decide_answer(answer, variants, question)
    if before is None or now is None or before.verdict == now.verdict:
        return None
    verdicts = f"{gettext(VERDICTS[before.verdict])} → {gettext(VERDICTS[now.verdict])}"
    return f"{verdicts}: {'; '.join(answer)}"
