"""The pilots screen: one person, the decision on them, and their tasks with the gold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pagetrail.annotation.comparison.against_gold import ShownGold
from pagetrail.annotation.messages import N_, gettext, ngettext, translate, translate_message
from pagetrail.app.pilots.data import tasks_of_person
from pagetrail.app.pilots.decisions import CHOICE, REASON, store_decision, store_judgement
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.exports.reports.pilots.wording import (
    answer_words,
    decided_words,
    fields_text,
    interval_words,
    pages_text,
    part_label,
    status_words,
    stored_words,
    verdict,
)
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.pilots.decisions import MOST_CHARS, ReviewedResult
from pagetrail.storage.pilots.overview import PersonOverview, PilotOverview
from pagetrail.storage.pilots.person_tasks import PersonTask
from pagetrail.storage.qualification.records import DECISIONS as CHOICES
from pagetrail.storage.qualification.records import Qualification

_HELP = {
    "admit": N_("May take production batches, regardless of the pass mark."),
    "retrain": N_("Must pass the next pilot batch first; it is assigned now if there is one."),
    "reset": N_("The pass mark alone decides."),
}
_LABELS = {"admit": N_("Admit"), "retrain": N_("Retrain"), "reset": N_("By the mark")}


def show_person(app: Services, person: Person, overview: PilotOverview) -> None:
    """Choose a person, decide on them, and see their tasks with the gold."""
    names = [member.result.user_name for member in overview.people]
    name = st.selectbox(gettext("Person"), names, key="person", bind="query-params", width=420)
    selected = overview.people[names.index(name)]
    _show_metrics(selected)
    form, log = st.columns([5, 4], gap="large")
    with form:
        _decision_form(app, person, overview, selected)
    with log:
        _show_history([row for row in overview.history if row.user_id == selected.result.user_id])
    tasks = tasks_of_person(app, overview.campaign, selected.result.user_id)
    _show_tasks(app, person, overview.campaign, tasks)


def _show_metrics(member: PersonOverview) -> None:
    result = member.result
    active = member.times.median_active_ms
    with st.container(horizontal=True):
        st.metric(
            gettext("Right"),
            gettext("{right} of {judged}", right=result.right, judged=result.judged),
            border=True,
            help=gettext("95 % interval: {interval}", interval=interval_words(member.share))
            if result.judged
            else None,
        )
        if result.undecided:
            st.metric(gettext("Undecided"), result.undecided, border=True)
        for part in member.parts:
            st.metric(
                literal(translate(part_label(part.part))),
                f"{format_number(100 * part.score, 1)} %",
                border=True,
            )
        time = "–" if active is None else f"{format_number(active / 1000)} s"
        st.metric(gettext("Time per task"), time, border=True, help=gettext("Median active time."))
        st.metric(gettext("By the mark"), translate(verdict(result)), border=True)
    st.caption(
        literal(
            gettext(
                "Batch {batch}: {done} of {total} done. {status}.",
                batch=result.code_name,
                done=result.done,
                total=result.total,
                status=translate(status_words(result)),
            )
        )
    )


def _decision_form(
    app: Services, person: Person, overview: PilotOverview, member: PersonOverview
) -> None:
    user_name = member.result.user_name
    reviewed = ReviewedResult(member.result.judged, member.result.right, member.decision_seen)
    st.header(gettext("Decide"), anchor=False)
    with st.form(f"decide-{user_name}"):
        st.radio(
            gettext("Decision"),
            CHOICES,
            index=None,
            format_func=lambda choice: gettext(_LABELS[choice]),
            captions=[gettext(_HELP[choice]) for choice in CHOICES],
            key=f"{CHOICE}-{user_name}",
        )
        st.text_input(
            gettext("Reason"),
            key=f"{REASON}-{user_name}",
            max_chars=MOST_CHARS,
            placeholder=gettext("The basis of the decision, in a sentence"),
        )
        st.form_submit_button(
            gettext("Record the decision"),
            type="primary",
            on_click=store_decision,
            args=(app, person, overview.campaign, user_name, reviewed),
        )


def _show_history(rows: Sequence[Qualification]) -> None:
    st.header(gettext("Decisions so far"), anchor=False)
    if not rows:
        st.caption(gettext("None: only the pass mark counts."))
    for row in reversed(rows):
        with st.container(border=True, gap=None):
            st.caption(literal(translate(decided_words(row))))
            st.text(row.reason)
            if words := stored_words(row):
                st.caption(literal(translate(words)))


def _show_tasks(app: Services, person: Person, campaign: str, tasks: Sequence[PersonTask]) -> None:
    st.header(gettext("Tasks compared with gold"), anchor=False)
    if not tasks:
        st.info(gettext("Nothing has been submitted yet."), icon=":material/inbox:")
        return
    wrong = [task for task in tasks if task.verdict is None or not task.verdict.right]
    only_wrong = st.toggle(
        gettext(
            "Only what is not right ({wrong_count} of {tasks})",
            wrong_count=len(wrong),
            tasks=len(tasks),
        ),
        value=bool(wrong),
        key="pilot-only-wrong",
    )
    for task in wrong if only_wrong else tasks:
        _show_task(app, person, campaign, task)
    if only_wrong and not wrong:
        st.caption(gettext("Every task is right."))


def _show_task(app: Services, person: Person, campaign: str, task: PersonTask) -> None:
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{literal(task.key)}** · {_verdict(task)}", width="stretch")
            replay_link(task.attempt_id, gettext("Replay"))
        st.text(task.question)
        submitted_column, gold = st.columns(2, gap="large")
        with submitted_column, st.container(gap=None):
            st.caption(gettext("Submitted"))
            for text in (
                translate_message(answer_words(task)) or gettext("No answer"),
                translate(pages_text(task.pages)),
                translate(fields_text(task)),
            ):
                if text:
                    st.text(text)
            if task.boxes:
                st.text(ngettext("{number} box", "{number} boxes", task.boxes))
        with gold, st.container(gap=None):
            show_gold(task.gold)
        if task.undecided:
            _judging(app, person, campaign, task)
        if task.disputed:
            st.caption(gettext("The annotator says that the gold is wrong:"))
            st.text(task.disputed)


def _judging(app: Services, person: Person, campaign: str, task: PersonTask) -> None:
    """The judgement of what the rule leaves undecided; a later one replaces it."""
    is_judged = task.verdict is not None and not task.verdict.is_undecided
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            gettext("No rule can decide this answer. Judged by a supervisor; judge again:")
            if is_judged
            else gettext("No rule can decide this answer. Does it say what the gold says?")
        )
        for is_right, label, icon in (
            (True, gettext("Right"), ":material/check:"),
            (False, gettext("Wrong"), ":material/close:"),
        ):
            st.button(
                label,
                key=f"judge-{is_right}-{task.attempt_id}",
                icon=icon,
                on_click=store_judgement,
                args=(app, person, campaign, task.attempt_id, is_right),
            )


def _verdict(task: PersonTask) -> str:
    if task.verdict is None:
        return gettext("not judged yet")
    wrong = [
        f"{translate(part_label(part.part))} {100 * part.score:.0f} %"
        for part in task.verdict.parts
        if not (part.right or part.undecided)
    ]
    time = "" if task.times is None else f" · {format_number(task.times.active_ms / 1000)} s"
    outcome = (
        gettext("right")
        if task.verdict.right
        else gettext("undecided")
        if task.verdict.is_undecided
        else gettext("wrong: {parts}", parts=", ".join(wrong) or gettext("skipped"))
    )
    return f"{literal(outcome)} · {literal(task.batch)}{time}"


def replay_link(attempt_id: str, label: str) -> None:
    """A link to an attempt's replay."""
    st.page_link(
        "views/trajectory.py",
        label=literal(label),
        icon=":material/timeline:",
        query_params={"attempt": attempt_id},
    )


def show_gold(gold: ShownGold) -> None:
    """The gold of a task as text."""
    st.caption(gettext("Gold"))
    fields = [f"{name}: {_plain(value)}" for name, value in gold["fields"].items()]
    for page in gold["pages"]:
        page_name = gettext(
            "page {page} of {document}", page=page["page"], document=page["document"]
        )
        fields += [f"{name} ({page_name}): {_plain(v)}" for name, v in page["fields"].items()]
    separator = gettext("or")
    lines = [
        f"\n{separator}\n".join(gold["answers"]),
        translate(pages_text((page["document"], page["page"]) for page in gold["evidence"])),
        "\n".join(fields),
        ngettext("{number} box", "{number} boxes", len(gold["boxes"])) if gold["boxes"] else "",
    ]
    for text in filter(None, lines):
        st.text(text)


def _plain(value: Any) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)
