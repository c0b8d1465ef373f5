"""Merging of a task's submissions into gold, part by part.

Each part is taken from one submission, from all of them (union, intersection, majority), from the
one that agrees most with the others (medoid), by the retention rule, or element by element (pick).
The reviewer writes anything else in the workspace afterwards. A way that ends in a tie gives no
value: the part is ``tied`` and stays open. The order of the submissions makes no difference. What
belongs to a part that is taken from somebody comes from the same person, unless it is chosen
(``belonging``); and where the rule leaves no page of the evidence, the answer brings its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.comparison.measures import PageSizeOf, answer_anls
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.metrics.answer_matching import same
from pagetrail.annotation.protocols.check_results import Finding
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.belonging import with_belongings
from pagetrail.annotation.review.box_merging import merged_boxes
from pagetrail.annotation.review.evidence_merging import merged_evidence, retained
from pagetrail.annotation.review.field_merging import (
    Tie,
    merged_fields,
    merged_form,
    merged_rows,
    side_of_table,
)
from pagetrail.annotation.review.selections import Pick, ways_of
from pagetrail.annotation.review.ties import most_given, nearest, settled

_ROUNDING = 1e-9


def proposal(submissions: Sequence[Submission]) -> dict[str, Pick]:
    """How each part is merged by default; a part that can only be taken from one person is taken
    from nobody where people's versions tie."""
    if not submissions:
        return {}
    protocol = submissions[0].form.protocol
    picks = {"outcome": Pick("majority"), "answer": Pick("medoid")}
    if protocol.question.kind == "editable":
        picks["question"] = _side_of_question(submissions)
    if protocol.evidence.enabled:
        picks["evidence"] = Pick("retention")
    for spec in protocol.fields:
        ways = ways_of(protocol, spec.name)
        how = next((way for way in ("retention", "majority") if way in ways), None)
        if how is not None:
            picks[spec.name] = Pick(how)
        elif spec.scope == "box":  # goes with its boxes, whoever is named
            picks[spec.name] = Pick("side", min(work.attempt for work in submissions))
        else:
            picks[spec.name] = side_of_table(submissions, spec)
    if protocol.boxes.enabled:
        picks["boxes"] = Pick("medoid")
    return picks


def merge(
    submissions: Sequence[Submission],
    picks: Mapping[str, Pick],
    rule: ReviewPart,
    size_of: PageSizeOf,
    handed_seq: Mapping[str, int],
) -> ev.GoldMerged:
    """The draft of the gold; parts that are not picked are merged as ``proposal`` says.

    Args:
        handed_seq: attempt → the event with which it was submitted.

    Raises:
        Refusal: an unknown part, way or submission; a page or box that is in none of them.
    """
    known = proposal(submissions)
    for part, pick in picks.items():
        _check_pick(submissions, part, pick, known)
    wanted = dict(known)
    if submissions:
        wanted = with_belongings(submissions[0].form.protocol, picks, known)
    # What is only taken from one person is left empty by default only because of a tie.
    tied = {part for part, pick in wanted.items() if pick.how == "none" and part not in picks}
    kept = merged_evidence(submissions, wanted.get("evidence", Pick("none")), rule)
    if not kept and "evidence" not in picks and _needs_evidence(submissions, wanted):
        wanted["evidence"] = Pick("side", wanted["answer"].side)
        kept = merged_evidence(submissions, wanted["evidence"], rule)
    stay = retained(submissions, rule)
    values, field_ties = merged_fields(submissions, wanted, rule, stay)
    boxes, of_boxes, tied_pages = merged_boxes(
        submissions, wanted.get("boxes", Pick("none")), rule, size_of
    )
    outcome, answer = None, ""
    question = _merged_question(submissions, wanted.get("question"))
    if submissions:
        form = merged_form(submissions[0].form, values)
        # A page that is no longer relevant keeps no boxes.
        taken = {box.id for box in boxes if form.may_have_boxes(box.document, box.page)}
        boxes = tuple(box for box in boxes if box.id in taken)
        values += [value for value in of_boxes if value.box in taken]
        outcome = _merged_outcome(submissions, known["outcome"], form.ended)
        if wanted["outcome"] != known["outcome"]:
            by_most, outcome = outcome, _merged_outcome(submissions, wanted["outcome"], form.ended)
            if "outcome" not in picks and outcome == by_most:
                wanted["outcome"] = known["outcome"]
        found = _merged_answer(submissions, wanted["answer"], outcome, rule)
        answer = found or ""
        tied |= {"outcome"} if outcome is None else set()
        tied |= {"answer"} if found is None else set()
        tied |= {"boxes"} if any(form.may_have_boxes(*page) for page in tied_pages) else set()
        pages = {(page.document, page.page) for page in kept}
        tied |= {tie[0].name for tie in field_ties if _counts(form, tie, pages)}
    return ev.GoldMerged(
        sources=tuple(
            ev.Source(attempt=s.attempt, annotator=s.name, seq=handed_seq[s.attempt])
            for s in submissions
        ),
        choices=tuple(
            ev.Choice(part=part, how=pick.how, side=pick.side, tied=part in tied)
            for part, pick in wanted.items()
        ),
        outcome=outcome,
        answer_text=answer,
        question_text=question,
        evidence=kept,
        fields=tuple(values),
        boxes=boxes,
        rows=tuple(merged_rows(submissions, wanted)),
        checks=_checks_of(submissions, question, answer, kept),
    )


def _needs_evidence(submissions: Sequence[Submission], picks: Mapping[str, Pick]) -> bool:
    """Whether somebody's answer is taken that has to rest on pages."""
    if not submissions or picks["answer"].how != "side":
        return False
    evidence = submissions[0].form.protocol.evidence
    return evidence.enabled and evidence.required


def _check_pick(
    submissions: Sequence[Submission], part: str, pick: Pick, known: Mapping[str, Pick]
) -> None:
    if part not in known:
        there = ", ".join(known) or "none"
        raise Refusal(f"There is no part {part!r}. Parts: {there}.", code="unknown_part")
    ways = ways_of(submissions[0].form.protocol, part)
    if pick.how not in ways:
        raise Refusal(
            f"“{part}” cannot be merged by {pick.how!r}. Ways: {', '.join(ways)}.",
            code="unknown_way",
            field=part,
        )
    named = {pick.side} if pick.how == "side" else set()
    named |= set((pick.at or {}).values()) | {attempt for attempt, _ in pick.boxes}
    unknown = named - {submission.attempt for submission in submissions}
    if unknown:
        raise Refusal(
            "A submission that this choice is based on is no longer submitted.",
            code="unknown_side",
            field=part,
        )


def _submission_of(submissions: Sequence[Submission], attempt: str | None) -> Submission:
    return next(submission for submission in submissions if submission.attempt == attempt)


def _merged_outcome(
    submissions: Sequence[Submission], pick: Pick, ended: bool
) -> ev.Outcome | None:
    """None where it is tied; whoever ended the task has a say only where the gold ends it."""
    if pick.how == "side":
        return _submission_of(submissions, pick.side).outcome
    given = [
        work.outcome
        for work in submissions
        if work.outcome is not None and work.form.ended == ended
    ]
    leading = most_given(given, lambda a, b: a == b)
    return settled(leading, lambda a, b: a == b, content=str)


def _merged_answer(
    submissions: Sequence[Submission], pick: Pick, outcome: ev.Outcome | None, rule: ReviewPart
) -> str | None:
    """The answer; None where it is tied.

    Someone without an answer is as far from an answer as can be, and as near to another without;
    where the gold's outcome is an answer, only somebody who answered can be nearest.
    """
    if pick.how == "side":
        return _answer_text(_submission_of(submissions, pick.side))
    if pick.how == "none" or outcome not in (None, "answered"):
        return ""

    def likeness(a: Submission, b: Submission) -> float:
        anls = answer_anls(a, b)
        if anls is None:  # neither gave an answer, or they are too long to compare
            return float(not (a.answer and b.answer))
        return anls

    def agree(a: Submission, b: Submission) -> bool:
        return likeness(a, b) >= rule.answer - _ROUNDING

    able = [work for work in submissions if work.answer or outcome is None]
    if not able:
        return ""
    side = settled(nearest(able, likeness), agree, _answer_text)
    return None if side is None else _answer_text(side)


def _answer_text(work: Submission) -> str:
    return work.form.state.answer_text if work.answer else ""


def _side_of_question(submissions: Sequence[Submission]) -> Pick:
    """The person whose question most others wrote too; nobody where that is a tie."""

    def text(work: Submission) -> str:
        return work.form.state.question_text or ""

    def alike(a: Submission, b: Submission) -> bool:
        return text(a) == text(b) or same(text(a), text(b))

    side = settled(most_given(submissions, alike), alike, text)
    return Pick("none") if side is None else Pick("side", side.attempt)


def _merged_question(submissions: Sequence[Submission], pick: Pick | None) -> str | None:
    if pick is None or pick.how != "side":
        return None
    return _submission_of(submissions, pick.side).form.state.question_text


def _checks_of(
    submissions: Sequence[Submission],
    question: str | None,
    answer: str,
    evidence: Sequence[ev.KeptPage],
) -> tuple[Finding, ...] | None:
    """What the live checks said of this question, answer and evidence, if somebody wrote them."""
    pages = {(kept.document, kept.page) for kept in evidence}
    found = [
        work.form.state.checks.findings
        for work in submissions
        if work.form.protocol.question.checks
        and work.form.state.checks is not None
        and work.form.state.checks_current
        and (work.form.state.question_text, work.form.state.answer_text) == (question, answer)
        and set(work.pages) == pages
    ]
    return min(found, key=repr, default=None)


def _counts(form: Form, tie: Tie, pages: set[Page]) -> bool:
    """Whether the gold asks for what is tied: on its pages, and as its other values have it."""
    spec, target = tie
    of_citation = spec.scope == "page" and form.given is None
    if of_citation and (target.document, target.page) not in pages:
        return False
    return form.asked(spec, target)


def draft_state(merged: ev.GoldMerged) -> AttemptState:
    """The state that a draft makes, to be shown before anything is stored."""
    event = ev.Event(
        attempt_id="preview",
        seq=1,
        server_ts="1970-01-01T00:00:00.000000Z",
        client_ts=None,
        elapsed_ms=0,
        actor="preview",
        client_event_id="preview/merged",
        payload=merged,
    )
    return apply(AttemptState(), event)
