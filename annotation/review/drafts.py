"""Models' drafts of gold: proposals that a reviewer can take from, edit or reject.

A draft is a machine's and no participant: it has no vote, and neither agreement nor the retention
rule counts it. It may state some parts only; what it leaves open is merged as without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import combinations
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.agreement.text_error_rates import comparable_words
from pagetrail.annotation.attempts.boxes import Boxes, PageBox
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.attempts.table_state import Table, Tables
from pagetrail.annotation.attempts.transcript_state import Transcript, text_hash
from pagetrail.annotation.comparison.gold_submission import GoldSubmission, gold_submission
from pagetrail.annotation.comparison.measures import value_distance
from pagetrail.annotation.events.review import Choice
from pagetrail.annotation.normalised_text import normalised_tokens
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.review.selections import Pick
from pagetrail.annotation.review.table_merging import table_steps
from pagetrail.annotation.review.text_merging import text_steps
from pagetrail.annotation.tables.cells import table_cells
from pagetrail.annotation.tables.comparison import cell_agreement
from pagetrail.annotation.tables.sources import read_table_sources
from pagetrail.annotation.tasks.task import given_pages

PREFIX = "draft:"
"""Of a draft's key, which replaces an attempt in choices."""


@dataclass(frozen=True)
class Draft:
    """A model's proposal for the gold of one task.

    Attributes:
        version: of the model's drafts, in the user's own words; may be empty.
        record: the proposed gold, in the schema of tasks.
        reasons: of the model, as text.
        scores: of the model, by name.
        correctness: attempt → whether the model calls its answer correct.
        sources: attempt → the event that submitted it, of the work that the model read; empty if
            not stated.
        at: when it was imported, ISO-8601 UTC.
    """

    id: int
    model: str
    version: str
    record: Mapping[str, Any]
    reasons: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    correctness: Mapping[str, bool] = field(default_factory=dict)
    sources: Mapping[str, int] = field(default_factory=dict)
    at: str = ""

    @property
    def key(self) -> str:
        """Its name in choices and decisions: ``draft:1``."""
        return f"{PREFIX}{self.id}"

    def is_outdated(self, sources: Mapping[str, int]) -> bool:
        """Whether work was submitted, changed or reopened since the model read it."""
        return bool(self.sources) and dict(self.sources) != dict(sources)


def is_hidden_at_first(seed: int, task: str, share: float) -> bool:
    """Whether a task's drafts are hidden until its first decision; the same at every call.

    Args:
        seed: of the campaign.
        task: its key.
        share: of all tasks, in [0, 1].
    """
    digest = sha256(f"hidden drafts:{seed}:{task}".encode()).digest()
    return int.from_bytes(digest[:8]) < share * 2**64


def draft_submission(
    protocol: Protocol, draft: Draft, task_record: Mapping[str, Any]
) -> GoldSubmission:
    """The draft in the shape of a submission; its attempt is the draft's key.

    Args:
        task_record: of its task, which says on which pages text and tables are.

    Raises:
        ValueError: the draft is not of its form; the importer lets no such draft in.
    """
    gold = gold_submission(protocol, dict(draft.record))
    boxes = tuple(
        box.model_copy(update={"id": f"d{draft.id}-{number}"})
        for number, box in enumerate(gold.form.state.boxes.boxes)
    )
    state = gold.form.state.model_copy(
        update={
            "boxes": Boxes(boxes=boxes),
            "answer_text": "\n".join(gold.variants[0]) if gold.variants else "",
            "transcript": _transcript(gold, task_record),
            "tables": Tables(tables=_tables(gold, task_record)),
        }
    )
    return replace(gold, form=replace(gold.form, state=state), attempt=draft.key, name=draft.model)


def _transcript(gold: GoldSubmission, task_record: Mapping[str, Any]) -> Transcript | None:
    pages = given_pages(gold.form.protocol.pages, dict(task_record))
    if gold.transcript is None or not pages:
        return None
    (document, page), text = pages[0], gold.transcript
    return Transcript(document=document, page=page, text=text, round_text_sha256=text_hash(text))


def _tables(gold: GoldSubmission, task_record: Mapping[str, Any]) -> tuple[Table, ...]:
    """The tables of a draft, each on the page of the task's table with its id."""
    pages = given_pages(gold.form.protocol.pages, dict(task_record)) or []
    if not gold.tables or not pages:
        return ()
    page_of: dict[str, Page] = {}
    if len(pages) > 1:
        sources = read_table_sources(task_record.get("tables") or [], pages)
        page_of = {source.id: source.page for source in sources}
    tables = []
    for table_id, grid in gold.tables.items():
        document, page = page_of.get(table_id, pages[0])
        tables.append(
            Table(
                id=table_id,
                document=document,
                page=page,
                caption=grid.caption[: ev.MAX_CAPTION],
                n_rows=grid.n_rows,
                n_columns=grid.n_columns,
                cells=table_cells(grid),
            )
        )
    return tuple(tables)


def merged_versions(
    submissions: Sequence[Submission], drafts: Sequence[GoldSubmission], part: str
) -> list[tuple[Submission, Submission]]:
    """Every two versions of a part that can be merged: of people, then of a person and a draft."""
    stating = [draft for draft in drafts if part in stated_parts(draft)]
    return [
        *combinations(submissions, 2),
        *((submission, draft) for draft in stating for submission in submissions),
    ]


def versions_to_merge(
    versions: Iterable[Submission], choice: Pick | Choice
) -> Sequence[Submission]:
    """The versions that a choice merges one after the other; none if one of them is gone."""
    by_attempt = {version.attempt: version for version in versions}
    if choice.how != "pick" or not by_attempt.keys() >= set(choice.sides):
        return []
    return [by_attempt[side] for side in choice.sides]


def stated_parts(draft: GoldSubmission) -> tuple[str, ...]:
    """The parts that a draft proposes something for."""
    protocol = draft.form.protocol
    parts: list[str] = []
    if protocol.answer.kind != "off" and draft.outcome is not None:
        parts += ["outcome", "answer"]
    if protocol.evidence.enabled and draft.states("evidence"):
        parts.append("evidence")
    if protocol.transcript.enabled and draft.transcript is not None:
        parts.append("transcript")
    if protocol.tables.enabled and draft.gold.tables is not None:
        parts.append("tables")
    parts += [spec.name for spec in protocol.fields if draft.targets(spec)]
    if draft.gold.boxes is not None:
        parts.append("boxes")
    return tuple(parts)


def draft_items(
    draft: GoldSubmission,
    gold: Submission,
    choices: Iterable[Choice],
    submissions: Sequence[Submission] = (),
    *,
    rejected: bool = False,
) -> tuple[ev.DraftItem, ...]:
    """What gold made of everything that a draft proposed (docs/metrics.md, Drafts).

    Args:
        gold: as it is decided.
        choices: those that it was merged by.
        submissions: whose texts and tables the draft's were merged with.
        rejected: whether the reviewer rejected the whole draft.
    """
    by_part = {choice.part: choice for choice in choices}
    items = (
        *_answer_item(draft, gold, by_part),
        *_page_items(draft, gold, by_part),
        *_field_items(draft, gold, by_part),
        *_box_items(draft, gold),
        *_text_items(draft, gold, by_part.get("transcript"), submissions),
        *_table_items(draft, gold, by_part.get("tables"), submissions),
    )
    if rejected:
        items = tuple(item.model_copy(update={"use": "rejected", "taken": False}) for item in items)
    return items[: ev.MAX_DRAFT_ITEMS]


def _use(*, is_in_gold: bool, is_taken: bool) -> ev.DraftUse:
    return "unchanged" if is_in_gold else "edited" if is_taken else "rejected"


def _follows(choice: Choice | None, draft: str, page: Page | None = None) -> bool:
    """Whether the reviewer took a part, or one page of it, from the draft."""
    if choice is None:
        return False
    for decision in choice.page_decisions:
        if (decision.document, decision.page) == page and decision.decision == "side":
            return decision.side == draft
    return choice.side == draft or draft in choice.sides


def _answer_item(
    draft: GoldSubmission, gold: Submission, choices: Mapping[str, Choice]
) -> Iterator[ev.DraftItem]:
    if draft.outcome is None or draft.form.protocol.answer.kind == "off":
        return
    is_in_gold = draft.outcome == gold.outcome
    if draft.outcome == "answered":
        accepted = {_answer_content(answer) for answer in gold.accepted}
        is_in_gold = (
            is_in_gold and {_answer_content(answer) for answer in draft.accepted} <= accepted
        )
    is_taken = _follows(choices.get("answer"), draft.attempt)
    yield ev.DraftItem(
        kind="answer",
        part="answer",
        use=_use(is_in_gold=is_in_gold, is_taken=is_taken),
        taken=is_taken,
    )


def _answer_content(answer: Sequence[str]) -> frozenset[object]:
    """The items of an answer without order, case and spacing."""
    return frozenset(Counter(tuple(normalised_tokens(item)) for item in answer).items())


def _page_items(
    draft: GoldSubmission, gold: Submission, choices: Mapping[str, Choice]
) -> Iterator[ev.DraftItem]:
    """Pages of the evidence; a page can be taken or left, not edited."""
    if not draft.form.protocol.evidence.enabled:
        return
    follows = _follows(choices.get("evidence"), draft.attempt)
    for document, page in draft.pages:
        is_in_gold = (document, page) in gold.pages
        yield ev.DraftItem(
            kind="page",
            part="evidence",
            document=document,
            page=page,
            use=_use(is_in_gold=is_in_gold, is_taken=False),
            taken=is_in_gold and follows,
        )


def _field_items(
    draft: GoldSubmission, gold: Submission, choices: Mapping[str, Choice]
) -> Iterator[ev.DraftItem]:
    for spec in draft.form.protocol.fields:
        if spec.kind == "records":
            continue
        for target in draft.targets(spec):
            page = (target.document or "", target.page or 0) if target.page else None
            is_in_gold = (
                value_distance(spec, draft.value(spec, target), gold.value(spec, target)) == 0
            )
            is_taken = _follows(choices.get(spec.name), draft.attempt, page)
            yield ev.DraftItem(
                kind="field",
                part=spec.name,
                document=target.document,
                page=target.page,
                use=_use(is_in_gold=is_in_gold, is_taken=is_taken),
                taken=is_taken,
            )


def _box_items(draft: GoldSubmission, gold: Submission) -> Iterator[ev.DraftItem]:
    """Boxes; one that the reviewer took keeps the end of its id."""
    for box in draft.boxes:
        taken_box = next((other for other in gold.boxes if other.id.endswith(f"-{box.id}")), None)
        is_in_gold = any(
            _same_box(box, other) for other in ([taken_box] if taken_box else gold.boxes)
        )
        yield ev.DraftItem(
            kind="box",
            part="boxes",
            document=box.document,
            page=box.page,
            box=box.id,
            use=_use(is_in_gold=is_in_gold, is_taken=taken_box is not None),
            taken=taken_box is not None,
        )


def _text_items(
    draft: GoldSubmission,
    gold: Submission,
    choice: Choice | None,
    submissions: Sequence[Submission],
) -> Iterator[ev.DraftItem]:
    """The text of the page; equal but for white space, it is unchanged."""
    transcript = draft.form.state.transcript
    if transcript is None or "transcript" not in stated_parts(draft):
        return
    is_taken = choice is not None and (
        choice.side == draft.attempt or _takes_text(draft, choice, submissions)
    )
    is_in_gold = gold.transcript is not None and (
        comparable_words(transcript.text) == comparable_words(gold.transcript)
    )
    yield ev.DraftItem(
        kind="text",
        part="transcript",
        document=transcript.document,
        page=transcript.page,
        use=_use(is_in_gold=is_in_gold, is_taken=is_taken),
        taken=is_taken,
    )


def _table_items(
    draft: GoldSubmission,
    gold: Submission,
    choice: Choice | None,
    submissions: Sequence[Submission],
) -> Iterator[ev.DraftItem]:
    """Each table; unchanged if all of its cells agree with the gold's."""
    if "tables" not in stated_parts(draft):
        return
    taken_tables = _taken_tables(draft, choice, submissions)
    for table in draft.form.state.tables.tables:
        gold_grid = gold.tables.get(table.id)
        is_in_gold = gold_grid is not None and cell_agreement(table.grid, gold_grid) == 1
        is_taken = table.id in taken_tables
        yield ev.DraftItem(
            kind="table",
            part="tables",
            document=table.document,
            page=table.page,
            table=table.id,
            use=_use(is_in_gold=is_in_gold, is_taken=is_taken),
            taken=is_taken,
        )


def _taken_tables(
    draft: GoldSubmission, choice: Choice | None, submissions: Sequence[Submission]
) -> set[str]:
    """Ids of the tables of which the reviewer took anything from the draft."""
    if choice is None:
        return set()
    if choice.side == draft.attempt:
        return set(draft.tables)
    versions = _merged_with(draft, choice, submissions)
    steps = table_steps(versions, choice.text_decisions) if versions else []
    table_ids: list[str] = []  # of each difference
    taken_ids: set[str] = set()
    for step_number, step in enumerate(steps):
        for pair in step.pairs:
            table_ids += [pair.table.id] * len(pair.differences)
        numbers = _numbers_taken(
            draft, choice, step_number, range(step.first_number, len(table_ids))
        )
        taken_ids |= {table_ids[number] for number in numbers}
    return taken_ids


def _takes_text(draft: GoldSubmission, choice: Choice, submissions: Sequence[Submission]) -> bool:
    versions = _merged_with(draft, choice, submissions)
    texts = [version.transcript or "" for version in versions]
    steps = text_steps(texts, choice.text_decisions) if texts else []
    for step_number, step in enumerate(steps):
        n_differences = sum(passage.differs for passage in step.passages)
        numbers = range(step.first_number, step.first_number + n_differences)
        if _numbers_taken(draft, choice, step_number, numbers):
            return True
    return False


def _merged_with(
    draft: GoldSubmission, choice: Choice, submissions: Sequence[Submission]
) -> Sequence[Submission]:
    """The versions that were merged one after the other; none if the draft is not among them."""
    if draft.attempt not in choice.sides:
        return []
    return versions_to_merge((*submissions, draft), choice)


def _numbers_taken(
    draft: GoldSubmission, choice: Choice, step_number: int, numbers: range
) -> set[int]:
    """Numbers of a step's differences in which the reviewer took the draft's version, or both."""
    if choice.sides[step_number + 1] == draft.attempt:
        own_side = "right"
    elif step_number == 0 and choice.sides[0] == draft.attempt:
        own_side = "left"
    else:
        return set()
    return {
        decision.number
        for decision in choice.text_decisions
        if decision.number in numbers and decision.decision in (own_side, "both")
    }


def _same_box(box: PageBox, other: PageBox) -> bool:
    return (box.document, box.page, box.rect, box.label) == (
        other.document,
        other.page,
        other.rect,
        other.label,
    )


def merge_order(
    submissions: Iterable[Submission], pseudonyms: Mapping[str, str]
) -> list[Submission]:
    """The submissions with an answer in the order in which a merging model is given them.

    Args:
        pseudonyms: attempt → its annotator's.
    """
    answered = [submission for submission in submissions if submission.answer]
    return sorted(answered, key=lambda s: (pseudonyms.get(s.attempt, ""), s.attempt))
