"""A protocol as a page of plain text: which parts are on, and what is asked with which keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pagetrail.annotation.protocols.fields import Condition, FieldSpec, Option
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.review_parts import review_parts
from pagetrail.annotation.sentences import count_noun

_PAGES = {
    "search": "whatever search reaches",
    "given": "the candidate pages of each task",
    "gold": "the evidence pages of each task",
}
_ANSWERS = {"off": "off", "list": "a list, one answer per line", "text": "prose"}
_LABEL = 12


def overview(protocol: Protocol) -> str:
    """Title, parts, material and fields, in the order of the screen."""
    lines = [f"{protocol.name} – {protocol.title}", "", *_parts(protocol)]
    if protocol.fields:
        lines += ["", "fields"]
        for spec in protocol.fields:
            lines += _field(spec)
    return "\n".join(lines) + "\n"


def _parts(protocol: Protocol) -> Iterator[str]:
    pages = _PAGES[protocol.pages]
    if protocol.pages != "search":
        pages += f", at most {protocol.max_pages:,}"
    yield _labelled_line(
        "pages", pages, "whole documents can be paged through" if protocol.browse else ""
    )
    if protocol.pages_after:
        yield _labelled_line("", f"closed until {_names(protocol.pages_after)} is set")
    search = protocol.search
    aids = [name for name in ("snippets", "highlights", "suggestions") if getattr(search, name)]
    yield _labelled_line("search", *([f"top {search.top_k}", *aids] if search.enabled else ["off"]))
    if protocol.text.is_available:
        select = "words can be copied from pages" if protocol.text.select else ""
        find = "documents can be searched" if protocol.text.find else ""
        yield _labelled_line("text", select, find)
    if not protocol.text.spoken:
        yield _labelled_line("text", "screen readers cannot read pages")
    evidence = protocol.evidence
    yield _labelled_line(
        "evidence",
        *(
            [_required(evidence.required), f"at most {evidence.max_pages} pages"]
            if evidence.enabled
            else ["off"]
        ),
    )
    yield _labelled_line("answer", *_answer(protocol))
    yield from _boxes(protocol)
    if protocol.transcript.enabled:
        patches = "a model’s patches are shown" if protocol.transcript.patches else ""
        yield _labelled_line("transcript", "the text of the page can be corrected", patches)
    if protocol.tables.enabled:
        edits = "they can be corrected" if protocol.tables.edit else "they are flagged only"
        yield _labelled_line("tables", "cells are verified and flagged", edits)
    question = protocol.question
    if question.kind == "editable":
        target = question.multi_hop_target
        yield _labelled_line(
            "question",
            "written by the annotator",
            "starting with the task's" if question.prefilled else "",
            "live checks" if question.checks else "",
            f"{_names(question.draw)} drawn at random" if question.draw else "",
            f"{_names(question.blocking)} bar submitting" if question.blocking else "",
            f"{target * 100:.4g} % on several pages wanted" if target is not None else "",
        )
    for part in protocol.material:
        after = f"after {_names(part.after)}" if part.after else ""
        yield _labelled_line("shown", f"“{part.title}” ({part.source})", after)
    clock = protocol.clock
    yield _labelled_line(
        "clock",
        "visible" if clock.visible else "hidden",
        "can be paused" if clock.pause else "cannot be paused",
        f"{clock.limit_s:,} s per task" if clock.limit_s else "",
    )
    offered_aids = protocol.aids
    if offered_aids.link_tasks or offered_aids.calculator:
        yield _labelled_line(
            "aids",
            "bookmarks across a batch" if offered_aids.bookmarks else "",
            "a scratchpad across a batch" if offered_aids.scratchpad else "",
            "a calculator" if offered_aids.calculator else "",
        )
    if protocol.ends:
        yield _labelled_line("ends", f"when {_condition(protocol.ends)}")
    yield _labelled_line("batches", f"{protocol.batch_size} tasks", f"overlap {protocol.overlap}")
    yield from _review(protocol)
    if protocol.pilot.enabled:
        feedback = "feedback after each task" if protocol.pilot.feedback else "no feedback"
        yield _labelled_line(
            "pilot", f"{protocol.pilot.pass_mark * 100:.4g} % right to pass", feedback
        )
    yield from _study(protocol)
    if protocol.requires:
        yield _labelled_line("requires", f"the pilot “{protocol.requires}”")


def _study(protocol: Protocol) -> Iterator[str]:
    study = protocol.study
    rules = (
        "tasks in the order of the batch" if study.order == "batch" else "",
        "guidelines before the first task" if study.guidelines_first else "",
        "one after another" if study.in_turn else "",
        "" if study.go_back else "no going back",
        "" if study.progress else "progress hidden",
        f"conditions: {_names(tuple(study.conditions))}" if study.conditions else "",
    )
    if any(rules):
        yield _labelled_line("study", *rules)


def _review(protocol: Protocol) -> Iterator[str]:
    rule = protocol.review
    if rule.accept == "off":
        yield _labelled_line("review", "every task is looked at")
    else:
        people = count_noun(rule.people, "person has", "people have")
        agree = f"automatic gold once {people} submitted and all agree"
        if rule.accept == "majority":
            people = count_noun(rule.people, "person", "people")
            agree = f"automatic gold once more than half agree, at least {people}"
        yield _labelled_line(
            "review",
            agree,
            f"{rule.check_share * 100:.4g} % of that is checked",
        )
        agreeing = [f"answers from ANLS* {rule.answer:g}"] if protocol.answer.kind != "off" else []
        if protocol.evidence.enabled:
            agreeing.append(f"pages from Jaccard {rule.pages:g}")
        if protocol.boxes.enabled:
            agreeing.append(f"boxes from IoU {rule.boxes:g}")
        if any(spec.kind == "ordinal" for spec in protocol.fields):
            distance = f"up to {count_noun(rule.steps, 'step')} apart" if rule.steps else "alike"
            agreeing.append(f"scales {distance}")
        labels = review_parts(protocol)
        agreeing += [
            f"{labels[part].lower()} up to {limit:g} different"
            for part, limit in rule.parts.items()
        ]
        if agreeing:
            yield _labelled_line("", f"agree: {agreeing[0]}", *agreeing[1:])
    grades = any(spec.kind == "ordinal" for spec in protocol.scoped("page"))
    if protocol.evidence.enabled or grades:
        annotators = count_noun(rule.keep, "annotator")
        yield _labelled_line("", f"a page stays if {annotators} marked it, or one and a reviewer")


def _answer(protocol: Protocol) -> Iterator[str]:
    answer = protocol.answer
    yield _ANSWERS[answer.kind]
    if answer.kind != "off":
        yield "“Unanswerable” offered" if answer.unanswerable else "no “Unanswerable”"
        yield "“No answer found” offered" if answer.not_found else "no “No answer found”"


def _boxes(protocol: Protocol) -> Iterator[str]:
    boxes = protocol.boxes
    if not boxes.enabled:
        yield _labelled_line("boxes", "off")
        return
    yield _labelled_line(
        "boxes",
        "at least one on each page that may have any" if boxes.required else "optional",
        f"at most {boxes.max_per_page} per page",
        f"only where {_condition(boxes.when)}" if boxes.when else "",
    )
    keys = boxes.keys()
    labels = [
        f"[{keys[label.name]}] {label.name}" if keys[label.name] else label.name
        for label in boxes.labels
    ]
    yield _labelled_line("", *labels)
    seeded = "a model's elements are given" if boxes.seed else ""
    every = "each has to be judged" if boxes.check_all else ""
    own_boxes = "" if boxes.add else "none can be added"
    have = [name for name in ("content", "order", "attributes") if getattr(boxes, name)]
    filled = "text filled from the page’s words" if boxes.fill else ""
    more = f"with {_names(tuple(have))}" if have else ""
    if seeded or own_boxes or more:
        yield _labelled_line("", seeded, every, own_boxes, more, filled)


def _field(spec: FieldSpec) -> Iterator[str]:
    kind = f"{spec.kind} of whole numbers" if spec.integer else spec.kind
    limits = [
        f"from {spec.min:g}" if spec.min is not None else "",
        f"to {spec.max:g}" if spec.max is not None else "",
    ]
    parts = [
        f"of each {spec.scope}" if spec.scope != "task" else "of the task",
        " ".join(filter(None, [kind, *limits])),
        _required(spec.required),
        f"only where {_condition(spec.when)}" if spec.when else "",
        f"rows from {spec.seed}" if spec.seed else "",
        "rows cannot be added" if spec.kind == "records" and not spec.add_rows else "",
    ]
    yield f"  {spec.name} – {spec.label}"
    yield f"      {', '.join(filter(None, parts))}"
    for option in spec.options:
        yield _option(option)
    for column in spec.columns:
        kinds = " / ".join(column.options) if column.options else column.kind
        marks = [
            "required" if column.required else "",
            "" if column.editable else "cannot be changed",
        ]
        yield "      " + ", ".join(
            filter(None, [f"{column.name} – {column.label}: {kinds}", *marks])
        )


def _option(option: Option) -> str:
    key = f"[{option.key}] " if option.key else ""
    number = "" if option.code is None else f"{option.code:g}"
    code = f" = {number}" if number not in ("", option.value) else ""
    label = f" – {option.label}" if option.label != option.value else ""
    marks = [
        "exclusive" if option.exclusive else "",
        f"only where {_condition(option.when)}" if option.when else "",
    ]
    extra = "".join(f", {mark}" for mark in marks if mark)
    return f"      {key}{option.value}{code}{label}{extra}"


def _condition(condition: Condition) -> str:
    return f"{condition.field} is {' or '.join(condition.values)}"


def _required(required: bool) -> str:
    return "required" if required else "optional"


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)


def _labelled_line(label: str, *parts: str) -> str:
    return f"{label:<{_LABEL}}{', '.join(filter(None, parts))}"
