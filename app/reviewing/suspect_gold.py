"""The screen of suspect gold: the queue, the evidence on a task, and the three decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any
from uuid import uuid4

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pagetrail.annotation.attempts.recorder import Recorded
from pagetrail.annotation.errors import PagetrailError, Refusal
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.metrics.correctness import JUDGED_CORRECT_FROM
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.review.gold_correction import FieldKey, GoldCorrection
from pagetrail.app.reviewing.suspect_computation import CheckQueue, QueuedTask, QueueRequest
from pagetrail.app.reviewing.wording import shorten
from pagetrail.app.services.addresses import PREFIX, review_url
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import oversight_token, require_supervisor
from pagetrail.app.ui.current_user import signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.tables import show_table
from pagetrail.exports.reports.per_task.gold_labels import ANSWER, GoldPart
from pagetrail.exports.reports.suspects.reading import ParticipantEvidence, TaskEvidence
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.progress.campaign_state import campaign_state
from pagetrail.storage.review.gold_checks import GoldChecks, task_id_of

DECISION_WORDS = {
    "confirmed": N_("Confirmed"),
    "corrected": N_("Corrected"),
    "dropped": N_("Dropped"),
}
SEPARATOR = " | "
"""Between the items of an answer, in the form for corrections."""

_TABLE, _TASK, _MESSAGE = "gold-table", "gold-task", "gold-message"
_QUESTION = 90
_PAGE_DPI = 150
Page = tuple[str, int]


def choose_verdicts(
    judge_place: DeltaGenerator, people_place: DeltaGenerator, workspace: Workspace, campaign: str
) -> QueueRequest:
    """Show the choice of a judge and of people's judgements; returns the requested queue."""
    state = campaign_state(workspace, campaign)
    sets = [stored.name for stored in state.verdicts]
    judging = [row.name for row in list_campaigns(workspace) if row.protocol == "judge"]
    verdicts = judgements = None
    if sets:
        verdicts = judge_place.selectbox(
            gettext("Judge"),
            [None, *sets],
            index=1,
            format_func=lambda name: name or gettext("none"),
            key=f"gold-judge-{campaign}",
            help=gettext("Imported verdicts on the answers."),
        )
    if judging and state.protocol != "judge":
        judgements = people_place.selectbox(
            gettext("Judged by people"),
            [None, *judging],
            format_func=lambda name: name or gettext("none"),
            key=f"gold-people-{campaign}",
            help=gettext("A campaign in which people judged the answers."),
        )
    versions = [state.version]
    if judgements is not None:
        versions.append(campaign_state(workspace, judgements).version)
    return QueueRequest(
        root=workspace.root,
        campaign=campaign,
        versions=tuple(versions),
        verdicts=verdicts,
        verdict_sets=state.verdicts,
        judgements=judgements,
    )


def show_check_queue(app: Services, person: Person, campaign: str, queue: CheckQueue) -> None:
    """Show the queue next to the chosen task."""
    _show_message()
    if not queue.tasks:
        st.info(
            gettext(
                "No task of this campaign has both gold and answers: there is nothing to check."
            )
            if not queue.with_gold
            else gettext("Nobody has answered a task that has gold: there is nothing to check."),
            icon=":material/inbox:",
        )
        return
    checked = sum(_decision(task) is not None for task in queue.tasks)
    st.caption(
        gettext(
            "{checked} of {number} tasks checked, the most suspicious first. Tasks drawn at random "
            "are among them and not marked; they show how much of the other gold is wrong.",
            checked=format_number(checked),
            number=format_number(len(queue.tasks)),
        )
    )
    list_column, task_column = st.columns([3, 7])
    with list_column:
        _show_list(queue)
    current = _current(queue)
    with task_column:
        if current is None:
            st.success(gettext("All tasks are checked."), icon=":material/task_alt:")
            st.page_link(
                "views/results.py", label=gettext("Results"), icon=":material/query_stats:"
            )
            return
        _show_task(app, campaign, queue, current)


def _show_list(queue: CheckQueue) -> None:
    event = show_table(
        pd.DataFrame(
            {
                N_("Question"): [shorten(task.question, _QUESTION) for task in queue.tasks],
                N_("Decision"): [_decision_words(task) for task in queue.tasks],
                N_("Why"): ["; ".join(map(gettext, task.reasons)) for task in queue.tasks],
            }
        ),
        width="stretch",
        max_height=640,
        placeholder="",
        on_select=_choose_row,
        selection_mode="single-row",
        key=_TABLE,
        column_config={
            "Question": st.column_config.TextColumn(width=150),
            "Decision": st.column_config.TextColumn(width=85),
        },
    )
    rows = event.selection.rows
    if rows and rows[0] < len(queue.tasks) and st.session_state.pop(f"{_TASK}-clicked", False):
        st.session_state[_TASK] = queue.tasks[rows[0]].task


def _choose_row() -> None:
    st.session_state[f"{_TASK}-clicked"] = True


def _current(queue: CheckQueue) -> QueuedTask | None:
    """The chosen task, or else the first one that is not checked."""
    chosen = st.session_state.get(_TASK)
    by_key = {task.task: task for task in queue.tasks}
    if chosen in by_key:
        return by_key[chosen]
    return next((task for task in queue.tasks if _decision(task) is None), None)


def _decision(task: QueuedTask) -> str | None:
    checked = task.evidence.checked
    return checked.check.decision if checked is not None and checked.check is not None else None


def _decision_words(task: QueuedTask) -> str:
    decision = _decision(task)
    return gettext(DECISION_WORDS[decision]) if decision is not None else ""


def _show_task(app: Services, campaign: str, queue: CheckQueue, task: QueuedTask) -> None:
    evidence = task.evidence
    st.subheader(literal(task.question))
    task_id = task_id_of(app.workspace.engine, campaign, task.task)
    st.caption(
        gettext("Task {key}, batch {batch}", key=literal(task.task), batch=literal(evidence.batch))
    )
    for reason in task.reasons:
        st.markdown(f":material/flag: {literal(gettext(reason))}")
    st.dataframe(
        _evidence_frame(queue.protocol, evidence),
        hide_index=True,
        width="stretch",
        key=f"gold-evidence-{task.task}",
    )
    if _decision(task) is not None and st.session_state.get(f"{_TASK}-again") != task.task:
        _show_decision(task)
    else:
        _show_actions(app, queue.protocol, task, task_id)
    _show_pages(app, evidence)
    st.link_button(gettext("Open in review"), review_url(task_id), icon=":material/rule:")


def _show_decision(task: QueuedTask) -> None:
    checked = task.evidence.checked
    assert checked is not None and checked.check is not None
    sentence = gettext(DECISION_WORDS[checked.check.decision])
    reason = f": {checked.check.reason}" if checked.check.reason else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(gettext("Next task"), key="gold-next", type="primary", on_click=_next_task)
        st.button(
            gettext("Decide again"),
            key=f"gold-again-{task.task}",
            on_click=_decide_again,
            args=(task.task,),
        )
        st.markdown(f"**{literal(sentence)}**{literal(reason)}")


def _next_task() -> None:
    st.session_state.pop(_TASK, None)
    st.session_state.pop(f"{_TASK}-again", None)


def _decide_again(task: str) -> None:
    st.session_state[_TASK] = task
    st.session_state[f"{_TASK}-again"] = task


def _show_actions(app: Services, protocol: Protocol, task: QueuedTask, task_id: int) -> None:
    """Show the three actions; a second click on one repeats the same request."""
    key = f"gold-{task.task}-{task.seq}"
    request = st.session_state.setdefault(f"{key}-request", f"gold/{uuid4().hex}")
    checks = GoldChecks(app.reviews.streams)
    confirm, correct, drop = st.tabs(
        [gettext("Confirm"), gettext("Correct"), gettext("Drop")], key=f"{key}-tabs"
    )
    with confirm:
        st.button(
            gettext("The gold is right"),
            key=f"{key}-confirm",
            type="primary",
            icon=":material/check:",
            on_click=_decide,
            args=(
                app,
                task.task,
                lambda name: checks.confirm(task_id, name, task.seq, f"{request}/confirm"),
            ),
        )
    with correct:
        _show_correction(app, protocol, task, task_id, checks, key, request)
    with drop:
        st.text_input(
            gettext("Reason"),
            key=f"{key}-drop-reason",
            max_chars=500,
            placeholder=gettext("Why nobody can say what is right; needed"),
        )
        st.button(
            gettext("Leave the task out of results"),
            key=f"{key}-drop",
            icon=":material/delete:",
            on_click=_decide,
            args=(
                app,
                task.task,
                lambda name: checks.drop(
                    task_id,
                    name,
                    str(st.session_state.get(f"{key}-drop-reason") or ""),
                    task.seq,
                    f"{request}/drop",
                ),
            ),
        )


def _show_correction(
    app: Services,
    protocol: Protocol,
    task: QueuedTask,
    task_id: int,
    checks: GoldChecks,
    key: str,
    request: str,
) -> None:
    record = _current_record(task.evidence)
    if protocol.answer.kind != "off":
        st.text_area(
            gettext("Right answers, one per line"),
            "\n".join(SEPARATOR.join(map(str, v)) for v in record.get("answer_variants") or []),
            key=f"{key}-answers",
            help=gettext(
                "Every line is accepted as right. If an answer has several items, separate them "
                "with “|”."
            ),
        )
        st.checkbox(
            gettext("Unanswerable: the documents do not hold the answer."),
            bool(record.get("unanswerable")),
            key=f"{key}-unanswerable",
        )
    if protocol.evidence.enabled:
        st.text_area(
            gettext("Evidence, one page per line"),
            "\n".join(f"{p['document']} {p['page']}" for p in record.get("evidence") or []),
            key=f"{key}-evidence",
            help=gettext("The document’s name, a space, and the number of the page."),
        )
    for part in task.evidence.parts:
        spec = protocol.field(part.field) if part.field is not None else None
        if spec is not None:
            _show_field(spec, part, record, key)
    st.text_input(
        gettext("Reason"),
        key=f"{key}-reason",
        max_chars=500,
        placeholder=gettext("Stored with the new version; optional"),
    )
    with st.container(horizontal=True):
        st.button(
            gettext("Store as the next version"),
            key=f"{key}-correct",
            type="primary",
            icon=":material/edit:",
            on_click=_decide,
            args=(
                app,
                task.task,
                lambda name: checks.correct(
                    task_id,
                    name,
                    _correction(protocol, task, record, key),
                    str(st.session_state.get(f"{key}-reason") or ""),
                    task.seq,
                    f"{request}/correct",
                ),
            ),
        )
        checked = task.evidence.checked
        if checked is not None and checked.reviewed_version:
            st.button(
                gettext(
                    "Use version {version}, decided in review", version=checked.reviewed_version
                ),
                key=f"{key}-adopt",
                icon=":material/rule:",
                on_click=_decide,
                args=(
                    app,
                    task.task,
                    lambda name: checks.adopt_reviewed(task_id, name, task.seq, f"{request}/adopt"),
                ),
            )


def _show_field(spec: FieldSpec, part: GoldPart, record: dict[str, Any], key: str) -> None:
    value = _field_value(record, part)
    label = part.part.replace(spec.name, spec.label, 1)
    widget_key = f"{key}-field-{part.part}"
    options = [option.value for option in spec.options]
    if spec.kind == "multi":
        st.multiselect(
            literal(label),
            options,
            [str(item) for item in value or ()],
            key=widget_key,
            format_func=lambda option: _option_label(spec, option),
        )
    elif options:
        text = _option_text(value)
        st.selectbox(
            literal(label),
            options,
            index=options.index(text) if text in options else None,
            key=widget_key,
            format_func=lambda option: _option_label(spec, option),
        )
    elif spec.kind == "boolean":
        st.checkbox(literal(label), bool(value), key=widget_key)
    elif spec.kind == "number":
        st.number_input(literal(label), value=value, key=widget_key)
    else:
        st.text_input(literal(label), str(value or ""), key=widget_key)


def _correction(
    protocol: Protocol, task: QueuedTask, record: dict[str, Any], key: str
) -> GoldCorrection:
    """What the form says, as far as it differs from the gold."""
    state = st.session_state
    answers, evidence, unanswerable = None, None, False
    if protocol.answer.kind != "off":
        lines = str(state.get(f"{key}-answers") or "").splitlines()
        written = [[item.strip() for item in line.split("|")] for line in lines if line.strip()]
        unanswerable = bool(state.get(f"{key}-unanswerable"))
        current = [list(map(str, variant)) for variant in record.get("answer_variants") or []]
        if written != current or unanswerable != bool(record.get("unanswerable")):
            answers = written
    if protocol.evidence.enabled:
        pages = parse_pages(str(state.get(f"{key}-evidence") or ""))
        if pages != [(str(p["document"]), int(p["page"])) for p in record.get("evidence") or []]:
            evidence = pages
    values: dict[FieldKey, Value] = {}
    for part in task.evidence.parts:
        widget_key = f"{key}-field-{part.part}"
        spec = protocol.field(part.field) if part.field is not None else None
        if spec is None or widget_key not in state:
            continue
        value = state[widget_key]
        value = tuple(value) if isinstance(value, list) else value
        if _comparable(value) != _comparable(_field_value(record, part)):
            values[_field_key(part)] = value
    return GoldCorrection(answers, unanswerable, evidence, values)


def parse_pages(text: str) -> list[Page]:
    """The pages of the form's field for evidence.

    Raises:
        Refusal: a line that is no document and page.
    """
    pages: list[Page] = []
    for line in text.splitlines():
        if not line.strip():
            continue
        document, _, number = line.strip().rpartition(" ")
        if not document or not number.isdecimal() or int(number) < 1:
            raise Refusal(
                gettext(
                    "“{line}” is no page: write the document’s name, a space and the number.",
                    line=line.strip(),
                ),
                code="bad_page",
            )
        pages.append((document.strip(), int(number)))
    return list(dict.fromkeys(pages))


def _decide(app: Services, task: str, record: Callable[[str], Recorded]) -> None:
    """Callback: record a decision in the name of whoever is signed in now."""
    person = signed_in()
    try:
        require_supervisor(app, person, f"gold of {task}")
        record(person.name)
    except PagetrailError as error:
        st.session_state[_MESSAGE] = error.message
    st.session_state[_TASK] = task
    st.session_state.pop(f"{_TASK}-again", None)


def _show_message() -> None:
    message = st.session_state.pop(_MESSAGE, None)
    if message:
        st.error(literal(message), icon=":material/error:")


def _evidence_frame(protocol: Protocol, evidence: TaskEvidence) -> pd.DataFrame:
    """Gold and participants, a row each; a column per part."""
    record = _current_record(evidence)
    rows = [_gold_row(protocol, evidence, record)]
    rows += [_participant_row(protocol, evidence, p) for p in evidence.participants]
    columns = [column for column in rows[0] if any(row.get(column) for row in rows)]
    return pd.DataFrame(rows, columns=columns)


def _gold_row(protocol: Protocol, evidence: TaskEvidence, record: dict[str, Any]) -> dict[str, str]:
    row = {gettext("Who"): gettext("Gold")}
    for part in evidence.parts:
        row[_part_heading(protocol, part)] = (
            _gold_answer(record) if part.part == ANSWER else _shown_value(protocol, part, record)
        )
    row[gettext("Same as gold")] = ""
    row[gettext("Pages")] = _page_words(_gold_pages(record))
    row[gettext("Judge")] = row[gettext("People’s verdict")] = ""
    return row


def _participant_row(
    protocol: Protocol, evidence: TaskEvidence, participant: ParticipantEvidence
) -> dict[str, str]:
    work = participant.work
    row = {gettext("Who"): participant.name}
    for part in evidence.parts:
        label = participant.labels.get(part.part)
        if part.part == ANSWER:
            outcome = gettext((work.outcome or "").replace("_", " "))
            row[_part_heading(protocol, part)] = SEPARATOR.join(work.answer) or outcome
        else:
            spec = protocol.field(part.field or "")
            row[_part_heading(protocol, part)] = (
                _option_label(spec, label) if spec is not None and label is not None else ""
            )
    labelled_parts = [part for part in evidence.parts if part.part in participant.labels]
    same = [participant.labels[part.part] == part.label for part in labelled_parts]
    row[gettext("Same as gold")] = (gettext("yes") if all(same) else gettext("no")) if same else ""
    row[gettext("Pages")] = _page_words(work.pages)
    row[gettext("Judge")] = _verdict_words(participant.judge)
    row[gettext("People’s verdict")] = _verdict_words(participant.people)
    return row


def _show_pages(app: Services, evidence: TaskEvidence) -> None:
    """The gold's page next to a page that participants cite instead."""
    gold_pages = _gold_pages(_current_record(evidence))
    cited: dict[Page, int] = {}
    for participant in evidence.participants:
        for page in participant.work.pages:
            cited[page] = cited.get(page, 0) + 1
    others = sorted(
        (page for page in cited if page not in gold_pages), key=lambda page: (-cited[page], page)
    )
    if not gold_pages and not others:
        return
    token = oversight_token(app, signed_in())
    left, right = st.columns(2)
    for place, pages, title in (
        (left, gold_pages, gettext("Evidence of the gold")),
        (right, others, gettext("Other pages that participants cite")),
    ):
        if not pages:
            place.caption(gettext("{title}: none", title=title))
            continue
        page = place.selectbox(
            title,
            pages,
            format_func=lambda page: gettext(
                "{document}, page {page}", document=page[0], page=page[1]
            ),
            key=f"gold-page-{title}-{evidence.task}",
        )
        info = app.corpus.document(page[0])
        if info is None or not 1 <= page[1] <= info.n_pages:
            place.caption(gettext("This page is not in the collection."))
            continue
        address = f"{PREFIX}/page/{info.sha256}/{page[1]}?v={token}&dpi={_PAGE_DPI}"
        # Streamlit reads an image of an address without a server from its own disk.
        name = gettext("{document}, page {page}", document=page[0], page=page[1])
        place.html(
            f'<img src="{escape(address)}" alt="{escape(name)}" loading="lazy" '
            'style="width: 100%; border: 1px solid #8886">'
        )


def _current_record(evidence: TaskEvidence) -> dict[str, Any]:
    """The task's record with the gold as it is now."""
    checked = evidence.checked
    return checked.after if checked is not None and checked.after is not None else evidence.record


def _gold_answer(record: dict[str, Any]) -> str:
    if record.get("unanswerable"):
        return gettext("unanswerable")
    return "\n".join(SEPARATOR.join(map(str, v)) for v in record.get("answer_variants") or [])


def _gold_pages(record: dict[str, Any]) -> list[Page]:
    return [(str(page["document"]), int(page["page"])) for page in record.get("evidence") or []]


def _page_words(pages: Sequence[Page]) -> str:
    return ", ".join(
        gettext("{document}, page {page}", document=document, page=page) for document, page in pages
    )


def _verdict_words(verdict: float | None) -> str:
    if verdict is None:
        return ""
    return gettext("right") if verdict >= JUDGED_CORRECT_FROM else gettext("wrong")


def _part_heading(protocol: Protocol, part: GoldPart) -> str:
    if part.part == ANSWER:
        return gettext("Answer")
    spec = protocol.field(part.field or "")
    return part.part if spec is None else part.part.replace(spec.name, spec.label, 1)


def _shown_value(protocol: Protocol, part: GoldPart, record: dict[str, Any]) -> str:
    spec = protocol.field(part.field or "")
    value = _field_value(record, part)
    values = value if isinstance(value, list) else [value]
    return ", ".join(
        _option_label(spec, _option_text(item)) if spec is not None else str(item)
        for item in values
        if item is not None
    )


def _option_label(spec: FieldSpec, value: str) -> str:
    option = spec.option(value)
    return option.label if option is not None else value


def _option_text(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value)


def _comparable(value: object) -> object:
    if isinstance(value, list | tuple):
        return sorted(map(_option_text, value))
    return value if isinstance(value, bool) else _option_text(value)


def _field_key(part: GoldPart) -> FieldKey:
    return part.field or "", part.document, part.page


def _field_value(record: dict[str, Any], part: GoldPart) -> Any:
    gold = record.get("gold") or {}
    if part.page is None:
        return (gold.get("fields") or {}).get(part.field)
    for page in gold.get("pages") or []:
        if (page["document"], page["page"]) == (part.document, part.page):
            return page["fields"].get(part.field)
    return None
