"""Merging of a task's submissions into gold, part by part.

Each part is taken from one submission, from all of them (union, intersection, majority), from the
one that agrees most with the others (medoid), by the retention rule, or element by element (pick).
The reviewer writes anything else in the workspace afterwards.

Retention rule (ViDoRe V3; docs/metrics.md, Review): a page stays relevant when at least ``keep``
annotators marked it, or one annotator and one reviewer did. Marking is citing, or grading above 0.
A page that stays gets the grade that most of those who marked it gave, the lower one of two given
as often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.form_state import FieldValue
from pagetrail.annotation.attempts.forms import Form, Target
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.comparison.differences import is_remark
from pagetrail.annotation.comparison.measures import PageSizeOf
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.box_merging import merged_boxes
from pagetrail.annotation.review.medoid import majority, medoid
from pagetrail.annotation.review.relevance_marks import marked_pages
from pagetrail.annotation.review.selections import Pick, ways_of


def proposal(submissions: Sequence[Submission]) -> dict[str, Pick]:
    """How each part is merged by default."""
    if not submissions:
        return {}
    protocol = submissions[0].form.protocol
    picks = {"outcome": Pick("majority"), "answer": Pick("medoid")}
    if protocol.question.kind == "editable":
        picks["question"] = Pick("side", submissions[0].attempt)
    if protocol.evidence.enabled:
        picks["evidence"] = Pick("retention")
    for spec in protocol.fields:
        ways = ways_of(protocol, spec.name)
        how = next((way for way in ("retention", "majority") if way in ways), None)
        picks[spec.name] = Pick(how) if how else Pick("side", submissions[0].attempt)
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
    wanted = proposal(submissions) | dict(picks)
    known = proposal(submissions)
    for part, pick in wanted.items():
        _check_pick(submissions, part, pick, known)
    kept = _merged_evidence(submissions, wanted.get("evidence", Pick("none")), rule)
    values = _merged_fields(submissions, wanted, rule)
    boxes, of_boxes = merged_boxes(submissions, wanted.get("boxes", Pick("none")), size_of)
    if submissions:
        # A page that is no longer relevant keeps no boxes.
        taken = {box.id for box in boxes if _takes_boxes(submissions[0].form, values, box)}
        boxes = tuple(box for box in boxes if box.id in taken)
        values += [value for value in of_boxes if value.box in taken]
    return ev.GoldMerged(
        sources=tuple(
            ev.Source(attempt=s.attempt, annotator=s.name, seq=handed_seq[s.attempt])
            for s in submissions
        ),
        choices=tuple(
            ev.Choice(part=part, how=pick.how, side=pick.side) for part, pick in wanted.items()
        ),
        outcome=_merged_outcome(submissions, wanted["outcome"]) if submissions else None,
        answer_text=_merged_answer(submissions, wanted["answer"]) if submissions else "",
        question_text=_merged_question(submissions, wanted.get("question")),
        evidence=kept,
        fields=tuple(values),
        boxes=boxes,
        rows=tuple(_merged_rows(submissions, wanted)),
    )


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


def _merged_outcome(submissions: Sequence[Submission], pick: Pick) -> ev.Outcome | None:
    if pick.how == "side":
        return _submission_of(submissions, pick.side).outcome
    return majority([submission.outcome for submission in submissions])


def _merged_answer(submissions: Sequence[Submission], pick: Pick) -> str:
    if pick.how == "none":
        return ""
    submission = (
        _submission_of(submissions, pick.side) if pick.how == "side" else medoid(submissions)
    )
    return submission.form.state.answer_text if submission.answer else ""


def _merged_question(submissions: Sequence[Submission], pick: Pick | None) -> str | None:
    if pick is None or pick.how != "side":
        return None
    return _submission_of(submissions, pick.side).form.state.question_text


def marked(submissions: Sequence[Submission]) -> dict[Page, int]:
    """Page → how many people marked it as relevant, in the order of the pages' names."""
    counts = Counter(page for submission in submissions for page in marked_pages(submission))
    return dict(sorted(counts.items()))


def retained(submissions: Sequence[Submission], rule: ReviewPart) -> set[Page]:
    """The pages that stay without a reviewer.

    With fewer people than the rule asks for, what all of them marked is all there can be.
    """
    least = min(rule.keep, max(1, len(submissions)))
    return {page for page, n in marked(submissions).items() if n >= least}


def _merged_evidence(
    submissions: Sequence[Submission], pick: Pick, rule: ReviewPart
) -> tuple[ev.KeptPage, ...]:
    counts = marked(submissions)
    people = len(submissions)
    chosen: set[Page]
    match pick.how:
        case "side":
            chosen = set(_submission_of(submissions, pick.side).pages)
        case "union":
            chosen = set(counts)
        case "intersection":
            chosen = {page for page, n in counts.items() if n == people}
        case "majority":
            chosen = {page for page, n in counts.items() if 2 * n > people}
        case "retention":
            chosen = retained(submissions, rule)
        case "pick":
            chosen = set(pick.pages)
            strange = sorted(chosen - counts.keys())
            if strange:
                raise Refusal(
                    f"Nobody cited page {strange[0][1]} of {strange[0][0]}. Add pages in the "
                    "workspace.",
                    code="unknown_page",
                    field="evidence",
                )
        case _:
            chosen = set()
    reviewed = pick.how != "retention"
    return tuple(
        ev.KeptPage(document=page[0], page=page[1], annotators=counts[page], reviewer=reviewed)
        for page in counts
        if page in chosen
    )


def _takes_boxes(form: Form, values: Sequence[ev.GoldValue], box: ev.GoldElement) -> bool:
    stored = tuple(FieldValue(**value.model_dump(), seq=0) for value in values)
    after = Form(form.protocol, AttemptState(fields=stored), form.given)
    return after.may_have_boxes(box.document, box.page)


def _merged_fields(
    submissions: Sequence[Submission], picks: Mapping[str, Pick], rule: ReviewPart
) -> list[ev.GoldValue]:
    """Values of the task and of pages, as they are stored, so that conditions are met again."""
    found: list[ev.GoldValue] = []
    if not submissions:
        return found
    stay = retained(submissions, rule)
    for spec in submissions[0].form.protocol.fields:
        pick = picks[spec.name]
        if spec.scope == "box" or spec.kind == "records" or pick.how == "none":
            continue
        targets = list(
            dict.fromkeys(t for submission in submissions for t in submission.targets(spec))
        )
        for target in targets:
            value = _merged_value(submissions, pick, target, spec, stay)
            if value is not None:
                found.append(
                    ev.GoldValue(
                        field=spec.name, document=target.document, page=target.page, value=value
                    )
                )
    return found


def _merged_value(
    submissions: Sequence[Submission], pick: Pick, target: Target, spec: FieldSpec, stay: set[Page]
) -> Value:
    page = (target.document or "", target.page or 0)
    at = (pick.at or {}).get(page)
    if at is not None or pick.how == "side":
        return _submission_of(submissions, at or pick.side).value(spec, target)
    if pick.how == "retention":
        return _retained_grade(submissions, target, spec, page in stay)
    values = [submission.value(spec, target) for submission in submissions]
    if is_remark(spec):
        return next((value for value in values if value), None)
    return majority([value for value in values if value is not None])


def _retained_grade(
    submissions: Sequence[Submission], target: Target, spec: FieldSpec, stays: bool
) -> Value:
    given = [submission.value(spec, target) for submission in submissions]
    if all(value is None for value in given):
        return None
    ranked = sorted(spec.options, key=lambda option: option.code or 0.0)
    if not stays:
        return ranked[0].value
    above = [option.value for option in ranked if (option.code or 0.0) > 0]
    counts = Counter(value for value in given if value in above)
    return max(above, key=lambda value: counts[value])


def _merged_rows(submissions: Sequence[Submission], picks: Mapping[str, Pick]) -> list[ev.GoldRow]:
    found: list[ev.GoldRow] = []
    for spec in submissions[0].form.protocol.fields if submissions else ():
        pick = picks[spec.name]
        if spec.kind != "records" or pick.how != "side" or spec.scope == "box":
            continue
        found.extend(
            ev.GoldRow(
                field=spec.name,
                document=target.document,
                page=target.page,
                row=row.row,
                values=row.values,
            )
            for target, row in _submission_of(submissions, pick.side).rows(spec)
        )
    return found


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
