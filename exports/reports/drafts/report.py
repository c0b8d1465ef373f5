"""The report on models' drafts: how often they were taken, and whether seeing them mattered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pagetrail.annotation import events as ev
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.review.draft_use import (
    KINDS,
    USES,
    DecidedDraft,
    after_revealing,
    decided_drafts,
    difference,
    first_decisions,
    items_of,
    last_decisions,
    moved_to_draft,
    revised_tasks,
    use_rate,
)
from pagetrail.annotation.review.drafts import Draft
from pagetrail.annotation.statistics.clustered_mean import Mean
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.model import Cell, Column, Report, RowValues, Section, Table
from pagetrail.storage.campaigns.gold_drafts import current_drafts

_KINDS: Mapping[ev.DraftItemKind, str] = {
    "answer": lazy_gettext("Answers"),
    "page": lazy_gettext("Pages of the evidence"),
    "field": lazy_gettext("Values of fields"),
    "box": lazy_gettext("Boxes"),
    "text": lazy_gettext("Texts of pages"),
    "table": lazy_gettext("Tables"),
}
_MODEL = Column("model", "Model", "text")
_KIND = Column("kind", "Kind", "text", "What the drafts propose.")
_N = (
    Column(
        "items", "n", "count", "Answers, pages, values, boxes, texts or tables that drafts propose."
    ),
    Column("tasks", "Tasks", "count", "Decided tasks with such a proposal."),
)
_USES = (
    Column("unchanged", "Unchanged", "share", "The gold has it as the draft proposed it."),
    Column("edited", "Edited", "share", "Taken from the draft, then changed."),
    Column("rejected", "Rejected", "share", "Neither, or the whole draft was rejected."),
)


def drafts(source: Source) -> Report:
    """What became of models' drafts, by model and kind."""
    by_task = source.database.gold_drafts(source.campaign.id)
    decided: list[DecidedDraft] = []
    automatic = 0
    for stream in source.gold_streams():
        of_task = decided_drafts(stream.head.task, stream.events)
        decided += of_task
        automatic += stream.head.task in by_task and not of_task and _is_decided(stream.events)
    models = sorted({draft.model for drafts in by_task.values() for draft in drafts})
    decided_with_draft = [d for d in last_decisions(decided) if d.decision.visibility != "hidden"]
    return Report(
        kind="drafts",
        title=lazy_gettext("Drafts by models in {name}", name=source.campaign.name),
        campaign=source.campaign.name,
        protocol=source.campaign.protocol.name,
        facts={
            lazy_gettext("Tasks with drafts"): len(by_task),
            lazy_gettext("Drafts"): sum(map(len, by_task.values())),
            lazy_gettext("Tasks decided with drafts"): len({d.task for d in decided}),
            lazy_gettext("Tasks decided without a look at drafts"): automatic,
        },
        choices={
            lazy_gettext("Share of tasks whose drafts are hidden at first"): (
                source.campaign.protocol.review.hide_drafts
            ),
            lazy_gettext("Seed of the campaign"): source.campaign.seed,
        },
        sections=[
            Section(
                "Drafts by models",
                [_imported_table(by_task, decided), _use_table(decided_with_draft, models)],
            ),
            Section(
                "Drafts shown and hidden",
                [_visibility_table(decided, models), _anchoring_table(decided, models)],
            ),
            Section("Rejected drafts", [_rejected_table(source)]),
        ],
        identified=source.identify,
    )


def _is_decided(events: Sequence[ev.Event]) -> bool:
    return any(isinstance(event.payload, ev.Adjudicated) for event in events)


def _imported_table(
    by_task: Mapping[str, Sequence[Draft]], decided: Sequence[DecidedDraft]
) -> Table:
    all_drafts = [draft for drafts in by_task.values() for draft in drafts]
    current = {draft.key for drafts in by_task.values() for draft in current_drafts(drafts)}
    decided_keys = {d.decision.draft for d in decided if d.is_valid}
    versions = dict.fromkeys(
        (draft.model, draft.version)
        for draft in sorted(all_drafts, key=lambda draft: (draft.model, draft.id))
    )
    rows = []
    for model, version in versions:
        of_version = [d for d in all_drafts if (d.model, d.version) == (model, version)]
        rows.append(
            {
                "model": model,
                "version": version or None,
                "drafts": len(of_version),
                "superseded": sum(draft.key not in current for draft in of_version),
                "decided": sum(draft.key in decided_keys for draft in of_version),
            }
        )
    return Table.from_rows(
        key="drafts-imported",
        title="Imported drafts",
        question="Which models drafted gold, and how many of their drafts were decided on?",
        columns=(
            _MODEL,
            Column("version", "Version", "text", "As stated with the import."),
            Column("drafts", "Drafts", "count", "One per task."),
            Column("superseded", "Superseded", "count", "By a later draft of the same model."),
            Column("decided", "Decided", "count", "In a decision by a reviewer."),
        ),
        rows=rows,
    )


def _rate(mean: Mean) -> Cell:
    reason = mean.reason if mean.value is None or mean.low is None else None
    return Cell(mean.value, reason, low=mean.low, high=mean.high)


def _use_values(decided: Sequence[DecidedDraft], model: str, kind: ev.DraftItemKind) -> RowValues:
    items = items_of(decided, model, kind)
    return {
        "model": model,
        "kind": _KINDS[kind],
        "items": len(items),
        "tasks": len({task for task, _ in items}),
        **{use: _rate(use_rate(items, use)) for use in USES},
    }


def _use_table(decided_with_draft: Sequence[DecidedDraft], models: Sequence[str]) -> Table:
    rows = []
    for model in models:
        for kind in KINDS:
            items = items_of(decided_with_draft, model, kind)
            if items:
                n_taken = sum(item.use == "unchanged" and item.taken for _, item in items)
                rows.append({**_use_values(decided_with_draft, model, kind), "taken": n_taken})
    return Table.from_rows(
        key="drafts-use",
        title="Use of drafts",
        question="How often were drafts taken unchanged, edited, or rejected?",
        columns=(
            _MODEL,
            _KIND,
            *_N,
            *_USES,
            Column(
                "taken",
                "Taken from the draft",
                "count",
                "Unchanged ones that the reviewer took from the draft itself; the others are in "
                "people's work too.",
            ),
        ),
        rows=rows,
        notes=[
            "Of each task the last decision that was made with the draft on the screen. Tasks "
            "accepted automatically, or several at once, are left out.",
            "The intervals take the items of a task together.",
        ],
    )


def _visibility_table(decided: Sequence[DecidedDraft], models: Sequence[str]) -> Table:
    groups = {
        lazy_gettext("Shown"): first_decisions(decided, "shown"),
        lazy_gettext("Hidden"): first_decisions(decided, "hidden"),
        lazy_gettext("Hidden, then shown"): after_revealing(decided),
    }
    rows = [
        {"visibility": name, **_use_values(group, model, kind)}
        for model in models
        for kind in KINDS
        for name, group in groups.items()
        if items_of(group, model, kind)
    ]
    return Table.from_rows(
        key="drafts-visibility",
        title="Use by visibility",
        question="Does gold agree with drafts as often if reviewers have not seen them?",
        columns=(
            _MODEL,
            _KIND,
            Column(
                "visibility",
                "Drafts",
                "text",
                "Shown or hidden in the first decision; hidden, then shown: the last decision on "
                "tasks whose drafts were hidden in the first.",
            ),
            *_N,
            *_USES,
        ),
        rows=rows,
        notes=["Hidden drafts cannot be edited: gold that differs from them counts as rejected."],
    )


def _anchoring_table(decided: Sequence[DecidedDraft], models: Sequence[str]) -> Table:
    first_shown, first_hidden = (
        first_decisions(decided, "shown"),
        first_decisions(decided, "hidden"),
    )
    rows = []
    for model in models:
        for kind in KINDS:
            shown_items, hidden_items = (
                items_of(group, model, kind) for group in (first_shown, first_hidden)
            )
            if not hidden_items:
                continue
            gap, interval = difference(
                use_rate(shown_items, "unchanged"), use_rate(hidden_items, "unchanged")
            )
            low, high = interval or (None, None)
            hidden_tasks = {task for task, _ in hidden_items}
            rows.append(
                {
                    "model": model,
                    "kind": _KINDS[kind],
                    "shown": len(shown_items),
                    "hidden": len(hidden_items),
                    "difference": Cell(gap, "no_rows" if gap is None else None, low=low, high=high),
                    "revised": len(revised_tasks(decided, model) & hidden_tasks),
                    "moved": moved_to_draft(decided, model, kind),
                }
            )
    return Table.from_rows(
        key="drafts-anchoring",
        title="Influence of drafts",
        question="Do reviewers follow drafts because they see them?",
        columns=(
            _MODEL,
            _KIND,
            Column("shown", "n shown", "count", "Proposals that were shown."),
            Column("hidden", "n hidden", "count", "Proposals hidden in the first decision."),
            Column(
                "difference",
                "Difference",
                "share",
                "Share unchanged if shown, less that if hidden; MOVER interval (Zou and Donner "
                "2008).",
            ),
            Column("revised", "Tasks revised", "count", "Decided again after the draft was shown."),
            Column(
                "moved",
                "Moved to the draft",
                "count",
                "Proposals that the first decision did not have, and the last one took.",
            ),
        ),
        rows=rows,
        notes=[
            "The tasks whose drafts are hidden are drawn at random, so that the difference "
            "estimates the influence of seeing a draft."
        ],
    )


def _rejected_table(source: Source) -> Table:
    rejections: dict[tuple[str, str], ev.DraftRejected] = {}
    for stream in source.gold_streams():
        for event in stream.events:
            if isinstance(event.payload, ev.DraftRejected):
                rejections[stream.head.task, event.payload.draft] = event.payload
    rejected = [(task, payload) for (task, _), payload in rejections.items() if payload.rejected]
    counts = Counter((payload.model, payload.reason) for _, payload in rejected)
    return Table.from_rows(
        key="drafts-rejected",
        title="Rejected drafts",
        question="Why were whole drafts rejected?",
        columns=(
            _MODEL,
            Column("reason", "Reason", "text", "As the reviewer wrote it."),
            Column("drafts", "Drafts", "count", "Rejected as a whole."),
        ),
        rows=[
            {"model": model, "reason": reason or None, "drafts": count}
            for (model, reason), count in sorted(counts.items())
        ],
    )
