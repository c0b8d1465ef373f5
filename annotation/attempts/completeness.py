"""What is still missing before a task can be submitted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pagetrail.annotation.attempts.contradictions import unconfirmed_contradictions
from pagetrail.annotation.attempts.forms import TASK, Form, Target
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.messages import gettext, ngettext
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.sentences import join_first, sentence

_MAX_LISTED = 3


def missing(form: Form, outcome: Outcome) -> dict[str, str]:
    """Part of the screen or field name → a sentence; empty when the task can be submitted.

    Without an answer (not found, unanswerable) neither answer nor evidence is asked for, and an
    unanswerable question has no evidence; a task that a field's value has ended asks for nothing
    after that field.
    """
    sentences: dict[str, str] = {}
    protocol, state = form.protocol, form.state
    if not form.ended:
        if protocol.question.kind == "editable" and not (state.question_text or "").strip():
            sentences["question"] = sentence("question_empty")
        if outcome == "answered":
            sentences |= _answer(form)
        if outcome == "unanswerable" and protocol.evidence.enabled and state.citations:
            cited = [Target(c.document, c.page) for c in state.citations]
            sentences["evidence"] = sentence("unanswerable_with_pages", places=named_places(cited))
        sentences |= _boxes(form) | _transcript(form) | _tables(form)
    for spec in protocol.fields:
        if problem := _field(form, spec) or _contradiction(form, spec):
            sentences[spec.name] = problem
    if not form.ended and protocol.question.checks and not sentences:
        sentences |= _checks(form)
    return sentences


def gold_missing(form: Form) -> dict[str, str]:
    """Why an annotator could not have submitted this gold, in the form of ``missing``."""
    outcome = form.state.outcome
    if outcome is None:
        return {"outcome": sentence("no_outcome")}
    outcome_problem = wrong_outcome(form, outcome)
    problems_of_parts = missing(form, outcome)
    return ({"outcome": outcome_problem[1]} if outcome_problem else {}) | problems_of_parts


def decided_gold_missing(form: Form) -> dict[str, str]:
    """``gold_missing`` for decided gold, whose older versions have no results of live checks."""
    return {part: text for part, text in gold_missing(form).items() if part != "checks"}


def wrong_outcome(form: Form, outcome: Outcome) -> tuple[str, str] | None:
    """Why a task cannot have the outcome, as a refusal's code and a sentence; None where it can."""
    answer = form.protocol.answer
    takes_no_answer = answer.kind == "off" or form.ended
    if takes_no_answer != (outcome == "completed"):
        return "wrong_outcome", sentence("takes_no_answer" if takes_no_answer else "needs_answer")
    if outcome == "unanswerable" and not answer.unanswerable:
        return "no_unanswerable", sentence("no_unanswerable")
    if outcome == "not_found" and not answer.not_found:
        return "no_not_found", sentence("no_not_found")
    return None


def _answer(form: Form) -> dict[str, str]:
    protocol, state = form.protocol, form.state
    problems = {}
    if protocol.answer.kind != "off" and not state.answer:
        problems["answer"] = sentence(
            "answer_or_not_found" if protocol.answer.not_found else "answer_empty"
        )
    if protocol.evidence.enabled and protocol.evidence.required and not state.citations:
        problems["evidence"] = sentence("no_evidence")
    return problems


def _field(form: Form, spec: FieldSpec) -> str | None:
    targets = form.targets(spec)
    if spec.kind == "records":
        return _records(form, spec, targets)
    if not spec.required:
        return None
    unset = [target for target in targets if is_unset(form, spec, target)]
    if not unset:
        return None
    if spec.scope == "task":
        return sentence("unset", label=spec.label)
    noun = "page" if spec.scope == "page" else "box"
    return sentence("unset_at", label=spec.label, places=named_places(unset, noun))


def _contradiction(form: Form, spec: FieldSpec) -> str | None:
    pages = unconfirmed_contradictions(form, spec)
    if not pages:
        return None
    return sentence("contradiction", label=spec.label, places=named_places(pages, "page"))


def is_unset(form: Form, spec: FieldSpec, target: Target) -> bool:
    """Whether the field has no value there; a text of whitespace is no value."""
    value = form.value(spec, target)
    if spec.kind == "records":
        return not any(not row.deleted for row in form.rows(spec, target))
    return value is None or value == () or (isinstance(value, str) and not value.strip())


def missing_fields(form: Form, names: Iterable[str]) -> list[FieldSpec]:
    """The fields of this list that the task asks for and that have no value yet."""
    specs = [spec for name in names if (spec := form.protocol.field(name))]
    return [spec for spec in specs if form.is_asked(spec, TASK) and is_unset(form, spec, TASK)]


def _records(form: Form, spec: FieldSpec, targets: Sequence[Target]) -> str | None:
    needed = [column for column in spec.columns if column.required]
    for target in targets:
        rows = [row for row in form.rows(spec, target) if not row.deleted]
        if spec.required and not rows:
            return sentence("no_row", label=spec.label)
        incomplete = sum(
            any(not row.values.get(column.name, "").strip() for column in needed) for row in rows
        )
        if incomplete:
            return sentence(
                "empty_cells",
                label=spec.label,
                rows=ngettext("{number:,} row", "{number:,} rows", incomplete),
                names=", ".join(column.label for column in needed),
            )
    return None


def _boxes(form: Form) -> dict[str, str]:
    boxes = form.protocol.boxes
    if not boxes.enabled:
        return {}
    if boxes.check_all:
        unjudged_boxes = [box for box in form.state.boxes.boxes if box.verdict == "open"]
        if unjudged_boxes:
            pages = named_places(
                [Target(b.document, b.page, b.id) for b in unjudged_boxes], "element"
            )
            return {"boxes": sentence("not_checked", places=pages)}
    if boxes.required:
        pages_without_boxes = [
            Target(document, page)
            for document, page in form.pages()
            if form.may_have_boxes(document, page) and not form.state.boxes.on(document, page)
        ]
        if pages_without_boxes:
            return {"boxes": sentence("no_box", places=named_places(pages_without_boxes, "page"))}
    return {}


def _transcript(form: Form) -> dict[str, str]:
    transcript = form.state.transcript
    if not form.protocol.transcript.enabled:
        return {}
    if transcript is None:
        # Every task comes with a text; only gold can have none.
        return {"transcript": sentence("no_text")} if form.state.review is not None else {}
    undecided = len(transcript.in_state("open"))
    if not undecided:
        return {}
    patches = ngettext("{number:,} patch", "{number:,} patches", undecided)
    return {"transcript": sentence("undecided_patches", patches=patches)}


def _tables(form: Form) -> dict[str, str]:
    if not form.protocol.tables.enabled:
        return {}
    if form.state.review is not None and not form.state.review.tables_decided:
        return {"tables": sentence("no_tables")}
    unconfirmed = sum(table.n_unconfirmed for table in form.state.tables.tables)
    if not unconfirmed:
        return {}
    changes = ngettext("{number:,} change", "{number:,} changes", unconfirmed)
    return {"tables": sentence("unconfirmed_fixes", changes=changes)}


def _checks(form: Form) -> dict[str, str]:
    state, blocking = form.state, form.protocol.question.blocking
    if not state.checks_current or state.checks is None:
        return {"checks": sentence("stale_checks")}
    warnings = [f for f in state.checks.findings if f.check in blocking and f.status == "warning"]
    return {"checks": " ".join(warning.message for warning in warnings)} if warnings else {}


def named_places(targets: Sequence[Target], noun: str = "page") -> str:
    """``5 pages: page 2 of a.pdf, page 3 of a.pdf, page 1 of b.pdf and 2 more``."""
    pages = list(dict.fromkeys((t.document, t.page) for t in targets))
    listed = join_first(
        [gettext("page {page} of {document}", page=page, document=name) for name, page in pages],
        _MAX_LISTED,
    )
    if noun == "page" and len(targets) == 1:
        return listed
    number = len(targets)
    if noun == "page":
        return ngettext(
            "{number:,} page: {pages}", "{number:,} pages: {pages}", number, pages=listed
        )
    if noun == "box":
        return ngettext(
            "{number:,} box on {pages}", "{number:,} boxes on {pages}", number, pages=listed
        )
    return ngettext(
        "{number:,} element on {pages}", "{number:,} elements on {pages}", number, pages=listed
    )
