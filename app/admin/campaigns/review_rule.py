"""Settings that can change later: a campaign's review rule and overlap."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.review_parts import review_parts
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.app.admin.actions import run_action
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.batches.changeable_settings import change_settings, changeable_settings
from pagetrail.storage.campaigns.lookup import CampaignSummary, protocol_of_campaign
from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.people.accounts import Person

_ACCEPT_LABELS = {
    "agreed": N_("tasks on which everybody agrees"),
    "majority": N_("tasks on which more than half agree"),
    "off": N_("nothing: every task is reviewed"),
}
_SKIPPED_LABELS = {"supervisor": N_("a supervisor"), "next": N_("the next annotator")}
_LARGEST = N_("Largest difference")


def show_review_rule(app: Services, person: Person, campaign: CampaignSummary) -> None:
    """The form; saving compares with what was shown."""
    if campaign.status == ARCHIVED:
        st.info(
            gettext(
                "A campaign that is {status} can only be read. Reopen it first.",
                status=gettext(campaign.status),
            )
        )
        return
    protocol = protocol_of_campaign(app.workspace, campaign.name)
    stored = changeable_settings(protocol)
    prefix = (
        f"rule-{campaign.name}-{abs(hash(repr(stored)))}"  # shows what another window has saved
    )
    settings = {
        **_acceptance(protocol, prefix),
        **_thresholds(protocol, prefix),
        **_decisions(protocol, prefix),
        **_parts(protocol, prefix),
    }
    changes = {key: value for key, value in settings.items() if value != stored.get(key)}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            gettext("Save"),
            type="primary",
            key="rule-save",
            disabled=not changes,
            on_click=run_action,
            args=(
                app,
                person,
                lambda: change_settings(
                    app.workspace, person, campaign.name, changes, expected_values=stored
                ),
            ),
            kwargs={
                "success_message": gettext(
                    "Saved. The open tasks of {campaign} are compared again.",
                    campaign=campaign.name,
                )
            },
        )
        st.caption(
            gettext(
                "Tasks that are not decided are compared again by the new rule. Gold stays as it "
                "is; to have a task decided again, reopen its gold."
            )
        )


def _help(name: str) -> str:
    description = ReviewPart.model_fields[name].description or ""
    return literal(gettext(description))


def _acceptance(protocol: Protocol, prefix: str) -> dict[str, Any]:
    rule = protocol.review
    rule_column, people, check, overlap = st.columns([4, 2, 2, 2], vertical_alignment="bottom")
    return {
        "review.accept": rule_column.selectbox(
            gettext("Accept automatically"),
            list(_ACCEPT_LABELS),
            index=list(_ACCEPT_LABELS).index(rule.accept),
            format_func=lambda rule: gettext(_ACCEPT_LABELS[rule]),
            key=f"{prefix}-accept",
            help=_help("accept"),
        ),
        "review.people": people.number_input(
            gettext("Annotators who agree"),
            1,
            100,
            rule.people,
            key=f"{prefix}-people",
            help=_help("people"),
        ),
        "review.check_share": _proportion_input(
            check,
            gettext("Share to check"),
            rule.check_share,
            f"{prefix}-check_share",
            _help("check_share"),
        ),
        "overlap": overlap.number_input(
            gettext("Annotators per task"),
            1,
            100,
            protocol.overlap,
            key=f"{prefix}-overlap",
            help=gettext(
                "The campaign’s overlap. More leave free slots: assign them under Batches."
            ),
        ),
    }


def _thresholds(protocol: Protocol, prefix: str) -> dict[str, Any]:
    rule = protocol.review
    thresholds: dict[str, Any] = {}
    fields: list[tuple[str, str]] = []
    if protocol.answer.kind != "off":
        fields.append(("answer", gettext("Answers agree from (ANLS\\*)")))
    if protocol.evidence.enabled:
        fields.append(("pages", gettext("Pages agree from (Jaccard)")))
    if protocol.boxes.enabled:
        fields.append(("boxes", gettext("Boxes agree from (IoU)")))
    if any(spec.kind == "ordinal" for spec in protocol.fields):
        fields.append(("steps", gettext("Steps scales may differ by")))
    if protocol.evidence.enabled or any(s.kind == "ordinal" for s in protocol.scoped("page")):
        fields.append(("keep", gettext("Annotators for a page to stay")))
    for column, (name, label) in zip(st.columns(5), fields, strict=False):
        value, key = getattr(rule, name), f"{prefix}-{name}"
        if name in ("steps", "keep"):
            low = 0 if name == "steps" else 1
            thresholds[f"review.{name}"] = column.number_input(
                label, low, 100, value, key=key, help=_help(name)
            )
        else:
            thresholds[f"review.{name}"] = _proportion_input(column, label, value, key, _help(name))
    return thresholds


def _proportion_input(column: Any, label: str, value: float, key: str, help_: str) -> float:
    return float(
        column.number_input(label, 0.0, 1.0, float(value), 0.05, format="%g", key=key, help=help_)
    )


def _decisions(protocol: Protocol, prefix: str) -> dict[str, Any]:
    """Who gets skipped tasks, and what reviewers state besides the reason."""
    rule = protocol.review
    skipped, errors, confidence = st.columns([4, 4, 3], vertical_alignment="top")
    error_kinds = errors.text_area(
        gettext("Kinds of error, one per line"),
        "\n".join(rule.errors),
        key=f"{prefix}-errors",
        height=104,
        help=gettext("Reviewers can name some of them with a decision; they are exported with it."),
    )
    hidden = confidence.toggle(
        gettext("Hide annotators’ names"),
        rule.hide_names,
        key=f"{prefix}-hide_names",
        help=gettext(
            "Reviewers see Annotator A, Annotator B, … in the queue and in tasks, other "
            "letters in each task, and no link to the replay. This blinds the judgement; it is "
            "no access control: Progress, Results, Replay and exports keep the names."
        ),
    )
    return {
        "review.hide_names": hidden,
        "review.skipped": skipped.selectbox(
            gettext("Skipped tasks go to"),
            list(_SKIPPED_LABELS),
            index=list(_SKIPPED_LABELS).index(rule.skipped),
            format_func=lambda choice: gettext(_SKIPPED_LABELS[choice]),
            key=f"{prefix}-skipped",
            help=_help("skipped"),
        ),
        "review.errors": list(
            dict.fromkeys(line.strip() for line in error_kinds.splitlines() if line.strip())
        ),
        "review.confidence": confidence.toggle(
            gettext("Reviewers say how sure they are"),
            rule.confidence,
            key=f"{prefix}-confidence",
            help=gettext("High, medium or low, with each decision; exported with it."),
        ),
    }


def _parts(protocol: Protocol, prefix: str) -> dict[str, Any]:
    """Thresholds of single parts; an empty cell uses the general thresholds."""
    parts = review_parts(protocol)
    part_thresholds = protocol.review.parts
    with st.expander(gettext("Thresholds of single parts"), expanded=bool(part_thresholds)):
        st.caption(
            gettext(
                "The largest difference, from 0 (the same) to 1 (nothing in common), at which two "
                "annotators still agree in a part. At 1 the part never holds up a task. Empty: the "
                "numbers above."
            )
        )
        table = st.data_editor(
            pd.DataFrame(
                {
                    N_("Part"): [gettext(label) for label in parts.values()],
                    _LARGEST: [part_thresholds.get(part) for part in parts],
                },
                dtype=object,
            ).astype({_LARGEST: "float64"}),
            hide_index=True,
            disabled=["Part"],
            key=f"{prefix}-parts",
            width=520,
            column_config={
                _LARGEST: st.column_config.NumberColumn(
                    gettext(_LARGEST), min_value=0.0, max_value=1.0, step=0.01, format="%.2f"
                ),
                "Part": gettext("Part"),
            },
        )
    values = table[_LARGEST].tolist()
    return {
        f"review.parts.{part}": None if pd.isna(value) else float(value)
        for part, value in zip(parts, values, strict=True)
    }
