"""Accepting the tasks of the filtered queue at once: a preview of the gold, then the decisions.

The preview has each task with its votes, the gold, and what the dataset says. Tasks can be taken
out of it; those that contradict the dataset are out until somebody puts them in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple
from uuid import uuid4

import pandas as pd
import streamlit as st

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.submission import Page
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.review.votes import PartVotes
from pagetrail.app.reviewing.queue_address import next_task_filter
from pagetrail.app.reviewing.wording import shorten
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import require_supervisor
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_count, format_number
from pagetrail.app.ui.tables import show_table, table_height
from pagetrail.storage.people.accounts import Person, find_person
from pagetrail.storage.review.bulk_acceptance import (
    MOST_AT_ONCE,
    AcceptanceResult,
    ProposedGold,
    accept,
    propose,
)
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.queue import queue

_OPEN, _REASON, _RESULTS = "bulk-open", "bulk-reason", "bulk-done"
_DATASET_ANSWERS = "bulk-dataset-answers"
DATASET_CHOICES: dict[ev.DatasetAnswers, str] = {
    "kept": N_("stay accepted, next to those of the gold"),
    "wrong": N_("are wrong: only those of the gold are accepted"),
}
_ACCEPT_COLUMN = N_("Accept")
_MAX_LISTED = 5
_MAX_HEIGHT_PX = 400
_MAX_CELL = 200
"""Most characters of a cell."""


class _Preview(NamedTuple):
    """What the dialog shows, and the id of the run that accepting it makes.

    Attributes:
        ready: tasks that can be accepted, those that may contradict the dataset first.
        left_out: the others.
        total: tasks of the queue, which may be more.
    """

    run: str
    ready: tuple[ProposedGold, ...]
    left_out: tuple[ProposedGold, ...]
    total: int


def bulk_button(app: Services, person: Person, campaigns: Sequence[int], filters: Filters) -> None:
    """The button; it makes the preview, which the dialog shows until it is answered."""
    if st.button(
        gettext("Accept several…"),
        icon=":material/done_all:",
        width="stretch",
        help=gettext("Preview the gold of the tasks below, then choose which of them to accept."),
    ):
        queued = queue(
            app.workspace.engine,
            campaigns,
            next_task_filter(filters),
            app.clock.now(),
            limit=MOST_AT_ONCE,
        )
        ids = [row.task_id for row in queued.rows]
        with st.spinner(gettext("Working out the gold…")):
            proposed = propose(app.reviews, ids, person.name)
        ready = [proposal for proposal in proposed if not proposal.left_out]
        st.session_state[_OPEN] = _Preview(
            run=f"bulk/{uuid4().hex}",
            ready=tuple(sorted(ready, key=lambda proposal: not proposal.may_contradict)),
            left_out=tuple(proposal for proposal in proposed if proposal.left_out),
            total=queued.total,
        )
    if _OPEN in st.session_state:
        open_dialog = st.dialog(
            gettext("Accept several tasks"), width="large", on_dismiss=_close_dialog
        )
        open_dialog(_show_dialog)(app, person)
    _show_results()


def _show_dialog(app: Services, person: Person) -> None:
    if _OPEN not in st.session_state:
        st.rerun()
    preview: _Preview = st.session_state[_OPEN]
    st.markdown(summary_sentences(preview.ready, preview.left_out, preview.total))
    selected = _choose(preview) if preview.ready else []
    if preview.left_out:
        with st.expander(
            format_count(
                "{number} task to be looked at one by one",
                "{number} tasks to be looked at one by one",
                len(preview.left_out),
            ),
            expanded=not preview.ready,
        ):
            _table(left_out_frame(preview.left_out))
    if not preview.ready:
        return
    st.text_input(
        gettext("Reason"),
        key=_REASON,
        max_chars=500,
        placeholder=gettext("Stored with every decision; optional"),
    )
    if any(proposal.contradicts_answers for proposal in selected):
        st.radio(
            gettext("Where the gold has another answer, the dataset’s answers"),
            list(DATASET_CHOICES),
            key=_DATASET_ANSWERS,
            format_func=lambda choice: gettext(DATASET_CHOICES[choice]),
        )
    if st.button(
        format_count("Accept {number} task", "Accept {number} tasks", len(selected)),
        type="primary",
        key="bulk-accept",
        disabled=not selected,
    ):
        st.session_state[_RESULTS] = _accept_selected(app, person, preview.run, selected)
        _close_dialog()
        st.rerun()


def _choose(preview: _Preview) -> list[ProposedGold]:
    """Show the tasks that can be accepted; returns those that are left on."""
    frame = ready_frame(preview.ready)
    edited = st.data_editor(
        frame,
        key=f"{preview.run}/rows",
        hide_index=True,
        width="stretch",
        height=table_height(len(frame), _MAX_HEIGHT_PX),
        disabled=[name for name in frame.columns if name != _ACCEPT_COLUMN],
        column_config={
            _ACCEPT_COLUMN: st.column_config.CheckboxColumn(
                help=gettext(
                    "Take a task out, or put it in. Those that contradict the dataset are out."
                ),
                width="small",
            ),
            "Question": st.column_config.TextColumn(width=220),
            "Votes": st.column_config.TextColumn(
                help=gettext("How many annotators submitted this, and what the others did.")
            ),
            "Differs in": st.column_config.TextColumn(
                help=gettext("Parts in which the gold would not be what the dataset says.")
            ),
        },
    )
    return [
        proposal
        for proposal, is_selected in zip(
            preview.ready, edited[_ACCEPT_COLUMN].tolist(), strict=True
        )
        if is_selected
    ]


def _table(frame: pd.DataFrame) -> None:
    show_table(
        frame,
        width="stretch",
        max_height=_MAX_HEIGHT_PX,
        placeholder="",
    )


def _accept_selected(
    app: Services, person: Person, run: str, selected: Sequence[ProposedGold]
) -> list[AcceptanceResult]:
    """Accept one after the other, as long as the person may."""
    reason = str(st.session_state.get(_REASON) or "").strip()
    dataset_answers = st.session_state.get(_DATASET_ANSWERS, "kept")
    results: list[AcceptanceResult] = []
    progress = st.progress(0.0, text=gettext("Accepting…"))
    for number, proposal in enumerate(selected, start=1):
        try:
            # Checked each time: it takes a while, and the role may change meanwhile.
            supervisor = find_person(app.workspace, person.name)
            require_supervisor(app, supervisor, f"bulk acceptance of {proposal.key}")
        except PagetrailError as error:
            remaining = selected[number - 1 :]
            results += [AcceptanceResult(other.key, error.message) for other in remaining]
            break
        results += accept(app.reviews, [proposal], supervisor.name, reason, run, dataset_answers)
        progress.progress(
            number / len(selected),
            text=gettext(
                "{done} of {total}",
                done=format_number(number),
                total=format_number(len(selected)),
            ),
        )
    return results


def _close_dialog() -> None:
    st.session_state.pop(_OPEN, None)


def summary_sentences(
    ready: Sequence[ProposedGold], left_out: Sequence[ProposedGold], total: int
) -> str:
    """What the dialog begins with."""
    count = len(ready) + len(left_out)
    if not count:
        return gettext("No task of the list waits for a decision.")
    sentences = [
        gettext(
            "**{ready} of {total}** can be accepted as shown.",
            ready=format_number(len(ready)),
            total=format_number(count),
        )
    ]
    differing = sum(proposal.contradicts_dataset for proposal in ready)
    if differing:
        sentences.append(
            format_count(
                "{number} differs from the dataset and is not ticked.",
                "{number} differ from the dataset and are not ticked.",
                differing,
            )
        )
    not_comparable = sum(
        proposal.may_contradict and not proposal.contradicts_dataset for proposal in ready
    )
    if not_comparable:
        sentences.append(
            format_count(
                "{number} cannot be compared with the dataset by rule and is not ticked.",
                "{number} cannot be compared with the dataset by rule and are not ticked.",
                not_comparable,
            )
        )
    if total > count:
        sentences.append(
            gettext(
                "These are the first {count} of {total}; the others come next time.",
                count=format_number(count),
                total=format_number(total),
            )
        )
    return " ".join(sentences)


def ready_frame(ready: Sequence[ProposedGold]) -> pd.DataFrame:
    """A row for each task that can be accepted, ticked unless it may contradict the dataset."""
    frame = _description_frame(ready)
    frame.insert(0, _ACCEPT_COLUMN, [not proposal.may_contradict for proposal in ready])
    frame[N_("Differs in")] = [", ".join(proposal.unlike_dataset.values()) for proposal in ready]
    if any(proposal.undecided for proposal in ready):
        frame[N_("Not comparable")] = [", ".join(p.undecided.values()) for p in ready]
    frame[N_("Pages")] = [_page_words(proposal.pages) for proposal in ready]
    if any("evidence" in proposal.unlike_dataset for proposal in ready):
        frame[N_("Dataset’s pages")] = [_page_words(proposal.dataset_pages) for proposal in ready]
    return frame


def left_out_frame(left_out: Sequence[ProposedGold]) -> pd.DataFrame:
    """A row for each task that cannot be accepted with the others, with the reason."""
    frame = _description_frame(left_out)
    frame.insert(1, N_("Reason"), [proposal.left_out for proposal in left_out])
    return frame


def _description_frame(proposed: Sequence[ProposedGold]) -> pd.DataFrame:
    campaigns = [proposal.campaign for proposal in proposed]
    return pd.DataFrame(
        {
            N_("Key"): [proposal.key for proposal in proposed],
            **({N_("Campaign"): campaigns} if len(set(campaigns)) > 1 else {}),
            N_("Question"): [shorten(proposal.question, _MAX_CELL) for proposal in proposed],
            N_("Gold"): [_by_part(proposal, lambda part, _n: part.value) for proposal in proposed],
            N_("Votes"): [_by_part(proposal, _vote_words) for proposal in proposed],
            N_("Dataset"): [
                _by_part(proposal, lambda part, _n: part.dataset) for proposal in proposed
            ],
        }
    )


def _by_part(proposal: ProposedGold, text_of: Callable[[PartVotes, int], str]) -> str:
    """The text of each part that has one, after its label where there are several parts."""
    texts = [(part.label, text_of(part, proposal.annotators)) for part in proposal.votes]
    if len(texts) == 1:
        return shorten(texts[0][1], _MAX_CELL)
    return shorten("; ".join(f"{label}: {text}" for label, text in texts if text), _MAX_CELL)


def _vote_words(part: PartVotes, annotators: int) -> str:
    """“2 of 3; 0.83 (1)”."""
    other_votes = [f"{value} ({n})" for value, n in part.others[:_MAX_LISTED]]
    if len(part.others) > _MAX_LISTED:
        other_votes.append(gettext("{number} more", number=len(part.others) - _MAX_LISTED))
    in_favour = (
        [gettext("{number} of {total}", number=part.in_favour, total=annotators)]
        if part.in_favour
        else []
    )
    return "; ".join([*in_favour, *([", ".join(other_votes)] if other_votes else [])])


def _page_words(pages: Sequence[Page]) -> str:
    """“report.pdf 3, 4”."""
    documents = dict.fromkeys(document for document, _ in pages)
    return "; ".join(
        f"{name} {', '.join(str(page) for document, page in pages if document == name)}"
        for name in documents
    )


def _show_results() -> None:
    results: list[AcceptanceResult] | None = st.session_state.pop(_RESULTS, None)
    if results is None:
        return
    refused = [result for result in results if result.refused]
    number = len(results) - len(refused)
    st.toast(
        format_count("{number} task accepted.", "{number} tasks accepted.", number),
        icon=":material/check:",
    )
    for result in refused[:_MAX_LISTED]:
        st.warning(literal(f"{result.key}: {result.refused}"))
    if len(refused) > _MAX_LISTED:
        st.warning(
            format_count(
                "{number} more was refused. It is still in the list.",
                "{number} more were refused. They are still in the list.",
                len(refused) - _MAX_LISTED,
            )
        )
