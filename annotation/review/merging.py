"""Merging of a task's submissions into gold, part by part.

Each part is taken from one submission, from all of them (union, intersection, majority), from the
one that agrees most with the others (medoid), by the retention rule, or element by element (pick).
Of answers several can be accepted (variants), the dataset's too, or the reviewer writes them
(edited). Parts that a model's draft states can be taken from it; it has no say in the other ways.
Anything else is written in the workspace afterwards. A way that ends in a tie gives no value: the
part is ``tied`` and stays open, as one with pages does that the retention rule leaves to a
reviewer. The order of the submissions makes no difference. What belongs to a part that is taken
from somebody comes from the same person, unless it is chosen (``with_belongings``); an answer
brings its evidence (``evidence_of_answers``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.contradictions import shared_confirmations
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.comparison.measures import PageSizeOf
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.events.review import DATASET
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.check_results import Finding
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.answer_merging import (
    dataset_parts,
    merged_answers,
    merged_outcome,
    merged_question,
    side_of_question,
    without_unanswered,
)
from pagetrail.annotation.review.box_merging import merged_boxes
from pagetrail.annotation.review.drafts import stated_parts
from pagetrail.annotation.review.evidence_merging import merged_evidence, page_retention
from pagetrail.annotation.review.evidence_of_answers import evidence_of_answers
from pagetrail.annotation.review.field_merging import (
    Tie,
    merged_fields,
    merged_form,
    merged_rows,
    side_of_table,
)
from pagetrail.annotation.review.retention import Retention, grade_field
from pagetrail.annotation.review.selections import Pick, page_decisions, ways_of
from pagetrail.annotation.review.table_merging import merged_tables, side_of_tables
from pagetrail.annotation.review.text_merging import merged_transcript, side_of_transcript


def proposal(submissions: Sequence[Submission]) -> dict[str, Pick]:
    """How each part is merged by default; a part that can only be taken from one person is taken
    from nobody where people's versions tie."""
    if not submissions:
        return {}
    protocol = submissions[0].form.protocol
    picks = {"outcome": Pick("majority"), "answer": Pick("medoid")}
    if protocol.question.kind == "editable":
        picks["question"] = side_of_question(submissions)
    if protocol.transcript.enabled:
        picks["transcript"] = side_of_transcript(submissions, protocol.review)
    if protocol.tables.enabled:
        picks["tables"] = side_of_tables(submissions, protocol.review)
    if protocol.evidence.enabled:
        picks["evidence"] = Pick("retention")
    for spec in protocol.fields:
        ways = ways_of(protocol, spec.name)
        default_way = next((way for way in ("retention", "majority") if way in ways), None)
        if default_way is not None:
            picks[spec.name] = Pick(default_way)
        elif spec.scope == "box":  # goes with its boxes
            picks[spec.name] = Pick("side", min(submission.attempt for submission in submissions))
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
    submission_seq: Mapping[str, int],
    dataset: GoldSubmission | None = None,
    drafts: Sequence[GoldSubmission] = (),
) -> ev.GoldMerged:
    """The draft of the gold; parts that are not picked are merged as ``proposal`` says.

    Args:
        submission_seq: attempt → the event with which it was submitted.
        dataset: what the task came with; taken only where it is picked.
        drafts: by models; likewise, and only the parts that a draft states.

    Raises:
        Refusal: an unknown part, way or submission; a page or box that is in none of them.
    """
    proposed = proposal(submissions)
    for part, pick in picks.items():
        _check_pick(submissions, part, pick, proposed, dataset, drafts)
    all_picks = dict(proposed)
    if submissions:
        picks = {
            part: without_unanswered(submissions, pick, dataset, drafts)
            for part, pick in picks.items()
        }
        all_picks = with_belongings(submissions[0].form.protocol, picks, proposed, drafts)
    # What is only taken from one person is left empty by default only because of a tie.
    tied = {part for part, pick in all_picks.items() if pick.how == "none" and part not in picks}
    if "evidence" in all_picks and "evidence" not in picks:
        all_picks["evidence"] = evidence_of_answers(submissions, all_picks, rule, dataset, drafts)
    kept_pages, open_evidence = merged_evidence(
        submissions, all_picks.get("evidence", Pick("none")), rule, dataset, drafts
    )
    retention = _retention(submissions, all_picks, rule, kept_pages, open_evidence, drafts)
    values, field_ties = merged_fields(submissions, all_picks, rule, retention, drafts, proposed)
    boxes, of_boxes, tied_pages = merged_boxes(
        submissions, all_picks.get("boxes", Pick("none")), rule, size_of, drafts
    )
    outcome, answers = None, list[str]()
    open_pages = dict[str, list[Page]]()
    question = merged_question(submissions, all_picks.get("question"))
    transcript = merged_transcript([*submissions, *drafts], all_picks.get("transcript"))
    if submissions:
        form = merged_form(submissions[0].form, values)
        # A page that is no longer relevant keeps no boxes.
        kept_ids = {box.id for box in boxes if form.may_have_boxes(box.document, box.page)}
        boxes = tuple(box for box in boxes if box.id in kept_ids)
        values += [value for value in of_boxes if value.box in kept_ids]
        outcome = merged_outcome(submissions, proposed["outcome"], form.ended, dataset)
        if all_picks["outcome"] != proposed["outcome"]:
            by_most = outcome
            outcome = merged_outcome(submissions, all_picks["outcome"], form.ended, dataset, drafts)
            if "outcome" not in picks and outcome == by_most:
                all_picks["outcome"] = proposed["outcome"]
        merged_texts = merged_answers(
            submissions, all_picks["answer"], outcome, rule, dataset, drafts
        )
        answers = merged_texts or []
        tied |= {"outcome"} if outcome is None else set()
        tied |= {"answer"} if merged_texts is None else set()
        tied |= {"boxes"} if any(form.may_have_boxes(*page) for page in tied_pages) else set()
        pages = {(page.document, page.page) for page in kept_pages}
        for spec, target in (tie for tie in field_ties if _counts(form, tie, pages)):
            tied.add(spec.name)
            if all_picks[spec.name].how == "retention":
                page = (target.document or "", target.page or 0)
                open_pages.setdefault(spec.name, []).append(page)
        if open_evidence and not form.ended:
            tied.add("evidence")
            open_pages["evidence"] = open_evidence
    merged = ev.GoldMerged(
        sources=tuple(
            ev.Source(attempt=s.attempt, annotator=s.name, seq=submission_seq[s.attempt])
            for s in submissions
        ),
        choices=tuple(
            ev.Choice(
                part=part,
                how=pick.how,
                side=pick.side,
                sides=pick.sides,
                tied=part in tied,
                page_decisions=page_decisions(pick),
                text_decisions=pick.text_decisions,
                open_pages=tuple(
                    ev.GoldPage(document=document, page=page)
                    for document, page in open_pages.get(part, ())
                ),
            )
            for part, pick in all_picks.items()
        ),
        outcome=outcome,
        answer_text=answers[0] if answers else "",
        variants=tuple(answers[1:]),
        question_text=question,
        evidence=kept_pages,
        fields=tuple(values),
        boxes=boxes,
        rows=tuple(merged_rows(submissions, all_picks)),
        transcript=transcript,
        tables=merged_tables([*submissions, *drafts], all_picks.get("tables")),
        checks=_checks_of(submissions, question, answers, kept_pages),
    )
    return merged.model_copy(update={"confirmed": _confirmations(submissions, merged)})


def _confirmations(
    submissions: Sequence[Submission], merged: ev.GoldMerged
) -> tuple[ev.GoldConfirmation, ...]:
    """What an annotator confirmed, where the gold has field and boxes as they had them."""
    if not submissions:
        return ()
    form = submissions[0].form
    gold = Form(form.protocol, draft_state(merged), form.given)
    confirmations = shared_confirmations(
        gold, [submission.form.state for submission in submissions]
    )
    return tuple(ev.GoldConfirmation(**c.model_dump(exclude={"seq"})) for c in confirmations)


def _retention(
    submissions: Sequence[Submission],
    picks: Mapping[str, Pick],
    rule: ReviewPart,
    kept_pages: Sequence[ev.KeptPage],
    open_evidence: Sequence[Page],
    drafts: Sequence[GoldSubmission],
) -> dict[Page, Retention]:
    """Retention of the graded pages, like that of the evidence where pages are cited."""
    protocol = submissions[0].form.protocol if submissions else None
    spec = grade_field(protocol) if protocol is not None else None
    if protocol is None or spec is None:
        return {}
    pick = picks[spec.name]
    if not protocol.evidence.enabled:
        return page_retention(submissions, pick, rule, drafts)
    retention: dict[Page, Retention] = {
        (page.document, page.page): "retained" for page in kept_pages
    }
    retention |= dict.fromkeys(open_evidence, "open")
    retention |= dict.fromkeys(pick.pages, "retained")
    return retention | dict.fromkeys(pick.rejected, "dropped")


def _check_pick(
    submissions: Sequence[Submission],
    part: str,
    pick: Pick,
    proposed: Mapping[str, Pick],
    dataset: GoldSubmission | None,
    drafts: Sequence[GoldSubmission],
) -> None:
    if part not in proposed:
        names = ", ".join(proposed) or "none"
        raise Refusal(
            gettext("There is no part {part!r}. Parts: {names}.", part=part, names=names),
            code="unknown_part",
        )
    ways = ways_of(submissions[0].form.protocol, part)
    if pick.how not in ways:
        raise Refusal(
            gettext(
                "“{part}” cannot be merged by {how!r}. Ways: {ways}.",
                part=part,
                how=pick.how,
                ways=", ".join(ways),
            ),
            code="unknown_way",
            field=part,
        )
    if pick.how == "variants" and not pick.sides:
        raise Refusal(gettext("Say whose answers are accepted."), code="no_side", field=part)
    followed = {pick.side} if pick.how == "side" else set(pick.sides)
    followed |= set((pick.at or {}).values()) | {attempt for attempt, _ in pick.boxes}
    followed |= {attempt for attempt, *_ in pick.rows}
    followed |= {pick.side} if pick.how == "edited" and pick.side is not None else set()
    can_be_followed = {submission.attempt for submission in submissions}
    can_be_followed |= {DATASET} if part in dataset_parts(dataset) else set()
    can_be_followed |= {draft.attempt for draft in drafts if part in stated_parts(draft)}
    if followed - can_be_followed:
        raise Refusal(
            gettext("A submission that this choice is based on is no longer submitted."),
            code="unknown_side",
            field=part,
        )


def _checks_of(
    submissions: Sequence[Submission],
    question: str | None,
    answers: Sequence[str],
    evidence: Sequence[ev.KeptPage],
) -> tuple[Finding, ...] | None:
    """What the live checks said of this question, answer and evidence, if somebody wrote them."""
    pages = {(kept_page.document, kept_page.page) for kept_page in evidence}
    answer = answers[0] if answers else ""
    findings = [
        submission.form.state.checks.findings
        for submission in submissions
        if submission.form.protocol.question.checks
        and submission.form.state.checks is not None
        and submission.form.state.checks_current
        and (submission.form.state.question_text, submission.form.state.answer_text)
        == (question, answer)
        and set(submission.pages) == pages
    ]
    return min(findings, key=repr, default=None)


def _counts(form: Form, tie: Tie, pages: set[Page]) -> bool:
    """Whether the gold asks for what is tied: on its pages, and as its other values have it."""
    spec, target = tie
    of_citation = spec.scope == "page" and form.given is None
    if of_citation and (target.document, target.page) not in pages:
        return False
    return form.is_asked(spec, target)


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


def with_belongings(
    protocol: Protocol,
    picks: Mapping[str, Pick],
    proposed: Mapping[str, Pick],
    drafts: Sequence[GoldSubmission] = (),
) -> dict[str, Pick]:
    """All parts: as picked, with the part that they belong to, or as proposed.

    A field belongs to the field that its condition, or that of its options, is on; boxes to the
    field that names their kinds, and to the one that allows them; the outcome to the answer, and to
    the field that can end the task.

    Args:
        picks: what the reviewer chose.
        proposed: every part.
        drafts: that can be followed, in the parts that they state.
    """
    parts_by_draft = {draft.attempt: stated_parts(draft) for draft in drafts}
    merged_picks = dict(picks)
    for part, leaders in _belongings(protocol):
        if part in picks or part not in proposed:
            continue
        for leader in leaders:
            follower = _following(merged_picks.get(leader), proposed[part])
            if follower is not None:
                follower = _without_silent_drafts(follower, part, parts_by_draft)
            if follower is not None:
                merged_picks[part] = follower
                break
    return {part: merged_picks.get(part, pick) for part, pick in proposed.items()} | {
        part: pick for part, pick in picks.items() if part not in proposed
    }


def _without_silent_drafts(
    pick: Pick, part: str, parts_by_draft: Mapping[str, Sequence[str]]
) -> Pick | None:
    """The pick as far as it follows nobody but people and drafts that state the part.

    Args:
        parts_by_draft: draft → the parts that it states.
    """
    silent = {draft for draft, parts in parts_by_draft.items() if part not in parts}
    if pick.side in silent:
        return None
    at = {page: attempt for page, attempt in (pick.at or {}).items() if attempt not in silent}
    return replace(pick, at=at) if pick.at else pick


def _belongings(protocol: Protocol) -> Iterator[tuple[str, list[str]]]:
    """Each part with those that it belongs to, the nearest first."""
    yield "outcome", ["answer", *([protocol.ends.field] if protocol.ends else [])]
    for spec in protocol.fields:
        if spec.scope != "box":  # goes with its boxes
            yield spec.name, _conditions(spec)
    if protocol.boxes.enabled:
        on = [protocol.boxes.when.field] if protocol.boxes.when else []
        yield "boxes", [*(spec.name for spec in protocol.fields if spec.matches_boxes), *on]


def _conditions(spec: FieldSpec) -> list[str]:
    on = [spec.when, *(option.when for option in spec.options)]
    return list(dict.fromkeys(condition.field for condition in on if condition is not None))


def _following(leader: Pick | None, proposed: Pick) -> Pick | None:
    """The choice that follows from the leader's; None where nobody was chosen there."""
    if leader is None:
        return None
    if leader.how == "side":
        return replace(leader, pages=(), boxes=())
    if leader.how == "variants":  # those who answered, all of them
        return Pick("side", leader.sides[0])
    if leader.how == "edited":
        return Pick("edited")
    return replace(proposed, at=leader.at) if leader.at else None
